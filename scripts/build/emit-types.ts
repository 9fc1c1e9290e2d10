/**
 * Emits the declarations of the published entries into dist/types, replacing the old ones only on success.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

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
    if (existsSync(types)) renameSync(types, old);
    renameSync(fresh, types);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}
