/**
 * Gathers the migrations of all folders into dist/migrations, where the store of a built package looks for them.
 */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export function collectMigrations(root: string): Map<string, Uint8Array> {
  const paths = globSync("src/**/migrations/*.sql", { cwd: root }).toSorted();
  return new Map(paths.map((path) => [`migrations/${basename(path)}`, readFileSync(join(root, path))]));
}
