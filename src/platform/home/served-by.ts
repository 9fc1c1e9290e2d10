/** Which version served the home last. Written before an older daemon is asked to go, so that none of its kind comes back. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Undefined where no daemon has ever served, and where the file says nothing usable. */
export function readServedBy(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaced as a whole, and only when it changes: a start on a full disk must not fail for it. */
export function writeServedBy(file: string, version: string): void {
  if (readServedBy(file) === version) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${version}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}
