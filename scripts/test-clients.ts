/**
 * `npm run test:clients`: real Codex, Gemini CLI and opencode against the built command line and a scripted model.
 *
 *   pinned versions -> npm install into .cache/real-clients (needs the registry, once) -> the suite "clients" -> a report
 *
 * Never into package.json: they are 950 MB that nobody needs to build, test or run Sylk. The report is
 * docs/real-clients.md: versions, each scenario, and what was skipped.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { clientsFolder, pinnedClients, pinnedTypes, whatIsMissing } from "../test/clients/real-clients.ts";
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
  const wanted = Object.entries(pinnedClients).map((one) => one.join(" "));
  console.log(`[setup] installing ${wanted.join(", ")}`);
  mkdirSync(clientsFolder, { recursive: true });
  const manifest = { private: true, dependencies: pinnedClients, optionalDependencies: pinnedTypes };
  writeFileSync(join(clientsFolder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const npm = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: clientsFolder,
    stdio: "inherit",
    env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) },
  });
  const still = whatIsMissing();
  if (npm.status === 0 && still === undefined) return;
  console.error(`sylk: the registry did not give the clients (npm ended with ${npm.status}): ${still ?? ""}`);
  process.exit(7);
}

function report(): void {
  const file = join(root, ".cache", "test-results", "partial-run.json");
  const { tests, startedAt } = JSON.parse(readFileSync(file, "utf8")) as RunResult;
  const count = (status: string): number => tests.filter((test) => test.status === status).length;
  const versions = Object.entries(pinnedClients).map(([name, version]) => `| ${name} | ${version} |`);
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
`;
  writeFileSync(join(root, "docs", "real-clients.md"), text);
}
