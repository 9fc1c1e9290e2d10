/**
 * `npm run test:clients`: real Codex, Gemini CLI and opencode, and Claude Code where the user has it, against the built
 * command line and a scripted model.
 *
 *   pinned versions -> npm install into .cache/real-clients (needs the registry, once) -> the suite "clients" -> a report
 *
 * Never into package.json: they are 950 MB that nobody needs to build, test or run Sylk. The report is
 * docs/real-clients.md: versions, each scenario, and what is no part of it.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installClients, notPart, pinnedClients, pinnedTypes, whatIsMissing } from "../test/clients/pinned-clients.ts";
import { claude } from "../test/clients/real-claude.ts";
import type { RunResult } from "./test-run/test-result.ts";

const root = join(import.meta.dirname, "..");
if (whatIsMissing() !== undefined) install();
const suite = spawnSync(process.execPath, ["scripts/run-tests.ts", "--suite", "clients"], {
  cwd: root,
  stdio: "inherit",
});
report();
process.exitCode = suite.status ?? 1;

function install(): void {
  const wanted = Object.entries({ ...pinnedClients, ...pinnedTypes }).map((one) => one.join(" "));
  console.log(`[setup] installing ${wanted.join(", ")}`);
  const still = installClients();
  if (still === undefined) return;
  console.error(`sylk: the registry did not give the clients: ${still}`);
  process.exit(7);
}

function versionOf(program: string): string {
  return spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim() || "unknown";
}

function report(): void {
  const file = join(root, ".cache", "test-results", "partial-run.json");
  const { tests, startedAt } = JSON.parse(readFileSync(file, "utf8")) as RunResult;
  const count = (status: string): number => tests.filter((test) => test.status === status).length;
  const versions = [
    ...Object.entries(pinnedClients).map(([name, version]) => `| ${name} | ${version} |`),
    ...Object.entries(pinnedTypes).map(([name, version]) => `| ${name}, its types alone | ${version} |`),
    `| Claude Code | ${claude === "" ? "not here, not run" : versionOf(claude)} |`,
  ];
  const scenarios = tests.map(({ title, status }) => `| ${title.replaceAll("|", "\\|")} | ${status} |`);
  const text = `# Real clients

<!-- Made by "npm run test:clients". -->

Headless sessions of the real command lines on a scripted model, with loopback alone, ${startedAt.slice(0, 10)}:
${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped.

| client | version |
|---|---|
${versions.join("\n")}

| scenario | result |
|---|---|
${scenarios.join("\n")}

Not part:

${notPart.map(([what, why]) => `- ${what}: ${why}.`).join("\n")}
`;
  writeFileSync(join(root, "docs", "real-clients.md"), text);
}
