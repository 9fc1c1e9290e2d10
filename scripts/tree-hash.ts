/**
 * A hash of every file git would see (tracked or not, ignored ones left out): the identity of what was tested.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Written from results; if they counted, writing a result would make it stale. */
const GENERATED = new Set(["docs/requirements/status.md", "docs/benchmarks.md"]);

/** Undefined where git cannot say what belongs to the tree. */
export function readTreeHash(root: string): string | undefined {
  const list = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, maxBuffer: 1 << 28 });
  if (list.status !== 0) return undefined;
  const paths = new Set(
    list.stdout
      .toString()
      .split("\0")
      .filter((path) => path !== "" && !GENERATED.has(path) && !path.startsWith("bench/results/")),
  );
  const hash = createHash("sha256");
  for (const path of [...paths].toSorted()) {
    const content = readContent(join(root, path));
    if (content === undefined) continue; // deleted, but still in the index
    hash.update(path).update("\0").update(createHash("sha256").update(content).digest()).update("\0");
  }
  return hash.digest("hex");
}

function readContent(file: string): Buffer | string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return undefined;
  return stat.isSymbolicLink() ? readlinkSync(file) : readFileSync(file);
}
