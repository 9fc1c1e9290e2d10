/**
 * Emits the declarations of the published entries into dist/types, replacing the old ones only on success.
 *
 * The compiler writes one for each file that an entry runs. Only those stay that a declaration of an entry leads to.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

export function emitTypes(root: string): void {
  const types = join(root, "dist", "types");
  const fresh = `${types}.new-${process.pid}`;
  const old = `${types}.old-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    // By its path: two TypeScripts are installed and both want the name `tsc`.
    const args = ["node_modules/ts7/bin/tsc", "-p", "tsconfig.types.json", "--outDir", fresh];
    const run = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (run.status !== 0) throw new Error(`declarations were not emitted:\n${run.stdout}${run.stderr}`);
    removeUnused(fresh, publishedTypes(root));
    if (existsSync(types)) renameSync(types, old);
    renameSync(fresh, types);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** Inside dist/types: the declarations that package.json names. */
function publishedTypes(root: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly types: string }>>;
  };
  return Object.values(manifest.exports).map(({ types }) => types.replace("./dist/types/", ""));
}

function removeUnused(folder: string, entries: readonly string[]): void {
  const used = new Set(entries.map((path) => join(folder, path)));
  // A set that grows while it is walked: each file is read once.
  for (const file of used)
    for (const [, path] of readFileSync(file, "utf8").matchAll(/["'](\.\.?\/[^"']+)\.[jt]s["']/g))
      used.add(join(dirname(file), `${path}.d.ts`));
  for (const path of globSync("**/*.d.ts", { cwd: folder }))
    if (!used.has(join(folder, path))) rmSync(join(folder, path));
}
