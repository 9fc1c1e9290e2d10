/** Installs packages we compare with into a scratch folder, without running any script of them. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitOf } from "../processes/run-child.ts";

/** Versions that were tried together; this better-sqlite3 brings its binaries along, since no script of it is run. */
const packages = {
  mail: ["swarm-mail@1.11.2"],
  steps: [
    "@langchain/langgraph@1.4.18",
    "@langchain/langgraph-checkpoint-sqlite@1.0.4",
    "@langchain/core@1.2.13",
    "@mastra/core@1.71.0",
    "@mastra/libsql@1.23.1",
    "zod@4.6.7",
  ],
  index: [
    "typescript-language-server@5.3.0",
    "typescript@6.0.3",
    "pyright@1.1.414",
    "@colbymchenry/codegraph@1.6.1",
    "@vscode/ripgrep@1.18.0",
  ],
} as const;

export async function installPeer(folder: string, what: keyof typeof packages): Promise<void> {
  mkdirSync(join(folder, "project"), { recursive: true });
  const overrides = { "better-sqlite3": "13.0.3", "@langchain/protocol": "0.0.19" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", overrides }));
  // Without --legacy-peer-deps npm looks for a set of peers for many minutes and does not end.
  const args = ["install", ...packages[what], "--legacy-peer-deps", "--ignore-scripts", "--no-audit", "--no-fund"];
  const code = await exitOf(spawn("npm", args, { cwd: folder, stdio: "ignore" }));
  if (code !== 0) throw new Error(`"npm ${args.join(" ")}" ended with ${code}`);
}
