/** Installs the package we compare with into a scratch folder, without running any script of it. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitOf } from "../processes/run-child.ts";

const version = "1.11.2";

export async function installPeer(folder: string): Promise<void> {
  mkdirSync(join(folder, "project"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const args = ["install", `swarm-mail@${version}`, "--ignore-scripts", "--no-audit", "--no-fund"];
  const code = await exitOf(spawn("npm", args, { cwd: folder, stdio: "ignore" }));
  if (code !== 0) throw new Error(`"npm ${args.join(" ")}" ended with ${code}`);
}
