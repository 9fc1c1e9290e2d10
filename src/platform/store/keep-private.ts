/** A file of SQLite's, for this user alone: SQLite makes files that all users may read, and gives its log the same mode. */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { DomainError } from "../../contract/index.ts";

/** Also in a home that existed before and lets others look in. A file that stays open to others is not used. */
export function keepPrivate(file: string): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    let isOpenToOthers: boolean;
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined && path === file) closeSync(openSync(path, "a", 0o600));
      isOpenToOthers = found?.isFile() === true && (found.mode & 0o077) !== 0;
    } catch {
      return; // SQLite meets the same trouble, and is understood
    }
    if (isOpenToOthers) closeToOthers(path);
  }
}

function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new DomainError(
      "store.unavailable",
      `Other users may read ${path}, and its mode cannot be changed (${code}); "chmod 600 ${path}" as its owner, or set SYLK_HOME to another folder`,
      { details: { file: path }, cause },
    );
  }
}
