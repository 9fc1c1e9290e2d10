/**
 * Whether the store's files are still the ones that were opened. A file that was removed or replaced under a running
 * daemon still takes every write, and all of it is gone with the process: such a write must not be acknowledged.
 */
import { basename } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import { identityOf } from "../file-identity.ts";

/** Call once the files exist; the answer throws `store.unavailable` as long as one of them is another file or none. */
export function watchStoreFiles(file: string): () => void {
  const files = [file, `${file}-wal`].map((path) => ({ path, opened: identityOf(path) }));
  return () => {
    for (const { path, opened } of files) if (identityOf(path) !== opened) throw replaced(path);
  };
}

function replaced(path: string): DomainError {
  const reason = `${basename(path)} was removed or replaced while the daemon ran`;
  return new DomainError(
    "store.unavailable",
    `The store cannot be used: ${reason}, and Sylk does not write to a lost file; put it back, or start with the store that is there now: sylk down && sylk up`,
    { details: { reason, file: path } },
  );
}
