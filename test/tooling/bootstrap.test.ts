/** The bootstrap's own steps, with a stand-in for npm: what is installed when, by whom, and what a failure says. */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { asJson } from "./clean-tree.ts";
import { oldNode } from "./old-node.ts";
import { copyFromRepository, scratchFolder, writeTree } from "./scratch-folder.ts";

type Run = { status: number | null; output: string };

it("installs once, then starts the task without touching npm again [CORE-3]", async () => {
  const root = checkout();
  const first = await bootstrap(root);
  expect(first.output).toMatch(
    /\[setup\] installing dependencies \.\.\.[^]*\[setup\] installing dependencies: done after \d+ s/,
  );
  expect(first.output).toContain("task ran");
  expect(first.status).toBe(3);
  const second = await bootstrap(root);
  expect(second.output).toBe("task ran\n");
  expect(npmCalls(root)).toEqual(["ci --ignore-scripts --no-audit --no-fund", "rebuild node"]);
});

it("installs again when the lockfile has changed [CORE-3]", async () => {
  const root = checkout();
  await bootstrap(root);
  writeTree(root, { "package-lock.json": lockOf("2.0.0") });
  await bootstrap(root);
  expect(npmCalls(root).filter((call) => call.startsWith("ci"))).toHaveLength(2);
});

it("accepts what the user installed by hand, if it is what the lockfile says [CORE-3]", async () => {
  const root = checkout();
  writeTree(root, { "node_modules/.package-lock.json": lockOf("1.0.0") });
  await bootstrap(root);
  expect(npmCalls(root)).toEqual(["rebuild node"]);
});

it("lets the second of two bootstraps wait for the first [CORE-3]", async () => {
  const root = checkout();
  const one = start(root, { FAKE_NPM_WAITS: "1" });
  await vi.waitFor(() => expect(npmCalls(root)).toHaveLength(1), 30_000);
  const two = start(root);
  await vi.waitFor(
    () => expect(two.output()).toContain(`waiting for another setup in this folder (process ${one.pid})`),
    10_000,
  );
  writeTree(root, { go: "" });
  expect([(await one.ended).status, (await two.ended).status]).toEqual([3, 3]);
  expect(npmCalls(root)).toEqual(["ci --ignore-scripts --no-audit --no-fund", "rebuild node"]);
});

it("waits for the npm of a bootstrap that was killed, then installs itself [CORE-3]", async () => {
  const root = checkout();
  const one = start(root, { FAKE_NPM_WAITS: "1" });
  await vi.waitFor(() => expect(readFileSync(join(root, ".cache/bootstrap.lock"), "utf8")).toContain("child"), 30_000);
  await vi.waitFor(() => expect(npmCalls(root)).toHaveLength(1), 30_000);
  process.kill(one.pid!, "SIGKILL");
  const two = start(root);
  await vi.waitFor(() => expect(two.output()).toContain("waiting for another setup"), 30_000);
  expect(npmCalls(root)).toHaveLength(1);
  writeTree(root, { go: "" });
  expect((await two.ended).status).toBe(3);
  expect(npmCalls(root)).toHaveLength(2);
});

it("takes over the lock of a setup that was killed [CORE-3]", async () => {
  const root = checkout();
  // The highest process id Linux can give is 2^22: this one belongs to nobody.
  writeTree(root, { ".cache/bootstrap.lock": asJson({ pid: 4_194_305 }) });
  expect((await bootstrap(root)).status).toBe(3);
  expect(existsSync(join(root, ".cache/bootstrap.lock"))).toBe(false);
});

it("shows npm's own words and the way out when the installation fails, exit code 1 [CORE-3]", async () => {
  const root = checkout();
  const run = await bootstrap(root, { FAKE_NPM_FAILS: "1" });
  expect(run.status).toBe(1);
  expect(run.output).toMatch(
    /npm error no route to host[^]*installing dependencies: ended with exit code 9\. Check the network/,
  );
  expect(run.output).not.toContain("task ran");
  expect((await bootstrap(root)).status).toBe(3);
});

it("says so when the pinned Node is not there after the installation, exit code 1 [CORE-3]", async () => {
  const run = await bootstrap(checkout(), { FAKE_NPM_FORGETS_NODE: "1" });
  expect(run.output).toContain("Node 24.21.0 is not at");
  expect(run.status).toBe(1);
});

it("lists the tasks when it does not know one [CORE-3]", async () => {
  const run = await bootstrap(checkout(), {}, "fly");
  expect(run.output).toMatch(/unknown task "fly"; there are: start, test, build/);
  expect(run.status).toBe(1);
});

/** A checkout whose npm is a script that records its calls and "installs" a Node that can only say its version. */
function checkout(): string {
  const root = scratchFolder();
  copyFromRepository(root, ["bin", "scripts/bootstrap.cjs", "scripts/bootstrap"]);
  writeTree(root, {
    "package.json": asJson({ devDependencies: { node: "24.21.0" } }),
    "package-lock.json": lockOf("1.0.0"),
    "scripts/format.ts": "",
    "fake-node": `#!/bin/sh\nif [ "$1" = --version ]; then echo v24.21.0; exit; fi\necho task ran\nexit 3\n`,
    "fake-npm.js": FAKE_NPM,
  });
  chmodSync(join(root, "fake-node"), 0o755);
  return root;
}

const FAKE_NPM = `
const fs = require("node:fs");
fs.appendFileSync("npm-calls", process.argv.slice(2).join(" ") + "\\n");
if (process.env.FAKE_NPM_FAILS) {
  console.error("npm error no route to host");
  process.exit(9);
}
while (process.env.FAKE_NPM_WAITS && !fs.existsSync("go")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
if (process.argv[2] === "ci") {
  fs.rmSync("node_modules", { recursive: true, force: true });
  fs.mkdirSync("node_modules");
  fs.copyFileSync("package-lock.json", "node_modules/.package-lock.json");
}
if (process.argv[2] === "rebuild" && !process.env.FAKE_NPM_FORGETS_NODE) {
  fs.mkdirSync("node_modules/node/bin", { recursive: true });
  fs.copyFileSync("fake-node", "node_modules/node/bin/node");
}
`;

function lockOf(version: string): string {
  return asJson({ packages: { "": {}, "node_modules/a": { version, integrity: `sha512-${version}` } } });
}

function npmCalls(root: string): string[] {
  if (!existsSync(join(root, "npm-calls"))) return [];
  return readFileSync(join(root, "npm-calls"), "utf8").trim().split("\n");
}

function bootstrap(root: string, env: Record<string, string> = {}, task = "format"): Promise<Run> {
  return start(root, env, task).ended;
}

/** On the machine's old Node where there is one: that is where it has to work. */
function start(root: string, env: Record<string, string> = {}, task = "format") {
  const child = spawn(oldNode ?? process.execPath, [join(root, "scripts/bootstrap.cjs"), task], {
    env: { ...process.env, npm_execpath: join(root, "fake-npm.js"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<Run>((resolve) => child.on("close", (status) => resolve({ status, output })));
  return { pid: child.pid, output: () => output, ended };
}
