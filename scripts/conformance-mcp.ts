/**
 * `npm run conformance:mcp`: the protocol's own conformance suite and inspector against our HTTP and stdio servers.
 *
 *   pinned versions -> npm install into .cache/mcp-tools (needs the registry, once) -> the suite "mcp"
 *
 * Never into package.json: they are 144 MB that nobody needs to build, test or run Sylk.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { officialTools, toolsFolder, whatIsMissing } from "../test/mcp/official-tools.ts";

const root = join(import.meta.dirname, "..");
const missing = whatIsMissing();
if (missing !== undefined) install();
const suite = spawnSync(process.execPath, ["scripts/run-tests.ts", "--suite", "mcp"], { cwd: root, stdio: "inherit" });
process.exitCode = suite.status ?? 1;

function install(): void {
  console.log(
    `[setup] installing ${Object.entries(officialTools)
      .map((tool) => tool.join(" "))
      .join(", ")}`,
  );
  mkdirSync(toolsFolder, { recursive: true });
  const manifest = { private: true, dependencies: officialTools };
  writeFileSync(join(toolsFolder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const npm = spawnSync("npm", ["install", ...options], {
    cwd: toolsFolder,
    stdio: "inherit",
    env: { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) },
  });
  const still = whatIsMissing();
  if (npm.status === 0 && still === undefined) return;
  console.error(`sylk: the registry did not give the tools (npm ended with ${npm.status}): ${still ?? ""}`);
  process.exit(7);
}
