/** The machine's own Node, when it is older than what Sylk supports. */
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";

export const NO_OLD_NODE = "no Node below 22 in PATH";
export const oldNode = findOldNode();

/** npm puts node_modules/.bin with its own Node first in PATH; what the machine has comes after. */
function findOldNode(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const candidates = folders.map((folder) => join(folder, "node")).filter((file) => existsSync(file));
  return candidates.find((file) => {
    if (realpathSync(file).includes("node_modules")) return false;
    const run = spawnSync(file, ["-p", "process.versions.node"], { encoding: "utf8" });
    return run.status === 0 && Number(run.stdout.split(".")[0]) < 22;
  });
}
