/**
 * Tells whether dist was built from the sources as they are now, by content: checkouts change times, not contents.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Stamp = { inputsHash: string; outputs: string[] };

const STAMP = "dist/.build-stamp";
const INPUTS = [
  "src/**/*",
  "dashboard/{src,public}/**/*",
  "dashboard/*.{html,json,ts}",
  "scripts/build.ts",
  "scripts/build/*.ts",
  "package.json",
  "package-lock.json",
];
/** Tests are not bundled: editing one must not cost a build. */
const isBundled = (path: string): boolean => !/(\.test\.tsx?|testkit\.ts|README\.md)$/.test(path);

export function isFresh(root: string): boolean {
  const file = join(root, STAMP);
  if (!existsSync(file)) return false;
  const stamp = JSON.parse(readFileSync(file, "utf8")) as Stamp;
  return (
    stamp.inputsHash === readInputsHash(root) && stamp.outputs.every((path) => existsSync(join(root, "dist", path)))
  );
}

export function readInputsHash(root: string): string {
  const hash = createHash("sha256");
  const entries = INPUTS.flatMap((pattern) => globSync(pattern, { cwd: root, withFileTypes: true }));
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.filter(isBundled).toSorted()) {
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

/** Written last: a build that was interrupted is built again. */
export function writeStamp(root: string, stamp: Stamp): void {
  writeFileSync(join(root, STAMP), JSON.stringify(stamp, undefined, 2));
}
