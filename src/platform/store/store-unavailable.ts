/** The one error for "the store cannot do it now": never a grant, never an empty answer. */
import Database from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";

/** What the machine refused, as opposed to a statement of ours that is wrong: full, locked, unreadable, not writable. */
const byTheMachine = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL|NOMEM)/;

const retryAfterMs = 1_000;

export function storeUnavailable(cause: unknown): DomainError {
  const reason = cause instanceof Error ? cause.message : "the transaction was ended by the store";
  return new DomainError(
    "store.unavailable",
    `The store cannot be used: ${reason}. Free disk space or check the disk, then run "sylk doctor"`,
    {
      details: { reason },
      retryAfterMs,
      cause,
    },
  );
}

/** `store.unavailable` where the machine is the reason; any other error as it is. */
export function asStoreError(error: unknown): unknown {
  return error instanceof Database.SqliteError && byTheMachine.test(error.code) ? storeUnavailable(error) : error;
}
