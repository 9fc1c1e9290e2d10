/**
 * Copies every file under src that is used as it is written (migrations, page, programs, prompts) into dist/files, where
 * src/platform/shipped-files.ts of a built package looks for it.
 */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const isShipped = (path: string): boolean => !/(\.ts|README\.md|tsconfig\.json)$/.test(path);

export function collectFiles(root: string): Map<string, Uint8Array> {
  const folder = join(root, "src");
  const entries = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).filter(isShipped);
  return new Map(
    paths.toSorted().map((path) => [
      `files/${path
        .slice(folder.length + 1)
        .split(sep)
        .join("/")}`,
      readFileSync(path),
    ]),
  );
}
