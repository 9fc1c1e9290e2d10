/** A file of SQLite's, for this user alone: SQLite makes files that all users may read, and gives its log the same mode. */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";

/** Also in a home that existed before and lets others look in. Where it cannot be done, opening it tells why. */
export function keepPrivate(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined && path === file) closeSync(openSync(path, "a", 0o600));
      else if (found?.isFile() === true && (found.mode & 0o077) !== 0) chmodSync(path, 0o600);
    } catch {
      return; // SQLite meets the same trouble, and is understood
    }
  }
}
