/**
 * Copies the live page into dist/page, where the HTTP surface of a built package looks for it: it is served as written.
 */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export function collectPage(root: string): Map<string, Uint8Array> {
  const folder = join(root, "src/surfaces/page");
  const names = globSync("**/*.{html,css,js,svg}", { cwd: folder }).toSorted();
  return new Map(names.map((name) => [`page/${name.split(sep).join("/")}`, readFileSync(join(folder, name))]));
}
