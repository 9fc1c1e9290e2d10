"use strict";
/**
 * Entry of every npm script: `node scripts/bootstrap.cjs <task> [args]`.
 *
 *   any Node >= 20 -> install dependencies and the pinned Node -> build when stale -> run the task on the pinned Node
 *
 * Built-ins only: it runs before anything is installed.
 */
const fs = require("node:fs");
const path = require("node:path");
const handOver = require("../bin/hand-over.cjs");
const { holdLock } = require("./bootstrap/hold-lock.cjs");
const { ensureToolchain, isToolchainReady, pinnedNode } = require("./bootstrap/ensure-toolchain.cjs");
const { runStep } = require("./bootstrap/run-step.cjs");

const root = path.join(__dirname, "..");

/** `script` runs on the pinned Node; `built` tasks need an up-to-date dist first. `test` builds by itself, per suite. */
const tasks = {
  start: { script: "dist/main.mjs", args: ["demo"], built: true },
  test: { script: "scripts/run-tests.ts" },
  build: { script: "scripts/build.ts", args: ["--types"] },
  check: { script: "scripts/check.ts" },
  format: { script: "scripts/format.ts" },
  generate: { script: "scripts/generate.ts" },
  screenshots: { script: "test/docs/record-pictures.ts", built: true },
  bench: { script: "bench/run.ts", built: true },
  "bench-page": { script: "scripts/bench-page.ts" },
  "measure-research": { script: "scripts/measure-research.ts" },
  "coverage-spec": { script: "scripts/coverage-spec.ts" },
  "conformance-mcp": { script: "scripts/conformance-mcp.ts", built: true },
  "test-clients": { script: "scripts/test-clients.ts", built: true },
  "test-tools": { script: "scripts/test-tools.ts", built: true },
  "campaign-kill": { script: "scripts/campaign-kill.ts", built: true },
  "campaign-starts": { script: "scripts/campaign-starts.ts", built: true },
  "campaign-fuzz": { script: "scripts/campaign-fuzz.ts" },
  "campaign-commits": { script: "scripts/campaign-commits.ts", built: true },
  "campaign-dag": { script: "scripts/campaign-dag.ts" },
  "campaign-races": { script: "scripts/campaign-races.ts", built: true },
  "executed-files": { script: "scripts/executed-files.ts" },
  "campaign-soak": { script: "scripts/campaign-soak.ts", built: true },
  "campaign-run": { script: "test/crash/campaign-run.ts", built: true },
  "campaign-mutants": { script: "scripts/campaign-mutants.ts" },
  "campaign-guard": { script: "scripts/campaign-guard.ts", built: true },
};

main().catch((error) => {
  console.error(`sylk: ${error.message}`);
  process.exit(1);
});

async function main() {
  const [name, ...args] = process.argv.slice(2);
  const task = Object.hasOwn(tasks, name ?? "") ? tasks[name] : undefined;
  if (!task) throw new Error(`unknown task "${name ?? ""}"; there are: ${Object.keys(tasks).join(", ")}`);

  await prepare(task);
  const script = path.join(root, task.script);
  if (!fs.existsSync(script)) throw new Error(`the task "${name}" needs ${task.script}, which does not exist`);
  handOver(pinnedNode(root), [script, ...(task.args ?? []), ...args], { cwd: root });
}

/** The lock is taken only when something must be installed: the usual start pays nothing for it. */
async function prepare(task) {
  if (!isToolchainReady(root)) {
    const lock = await holdLock(path.join(root, ".cache", "bootstrap.lock"), (pid) =>
      console.error(`[setup] waiting for another setup in this folder (process ${pid})`),
    );
    try {
      await ensureToolchain(root, lock.shareWith);
    } finally {
      lock.release();
    }
  }
  if (task.built) await buildWhenStale();
}

/** Safe beside another build: build.ts only ever adds files and replaces entries by rename. */
async function buildWhenStale() {
  await runStep("building", pinnedNode(root), [path.join(root, "scripts", "build.ts"), "--if-stale"], {
    cwd: root,
    quietUnderMs: 1_000,
    wayOut: "Fix what is reported above, then run the command again.",
  });
}
