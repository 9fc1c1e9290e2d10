/** The one error for "the store cannot do it now": never a grant, never an empty answer. */
import Database from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";

/** Refusals of the machine, as opposed to a wrong statement of ours: full, locked, unreadable, not writable. */
const byTheMachine = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|PROTOCOL|NOMEM)/;

const retryAfterMs = 1_000;
/** By SQLite's code: what has happened, in the user's words, and what to do about it. The first that fits counts. */
const sentences: readonly (readonly [code: RegExp, what: string, wayOut: string])[] = [
  [/FULL/, "its disk is full", "free some space and repeat: no restart is needed"],
  [/READONLY/, "it is read-only", "make the file and its folder writable, or set SYLK_HOME, then repeat"],
  [/CANTOPEN/, "its file cannot be opened", 'check what is at this path and who owns it: "sylk doctor"'],
  [/IOERR/, "its disk reports an error", 'check the disk and its limits, then repeat; "sylk doctor" looks too'],
  [/CORRUPT|NOTADB/, "it is damaged", '"sylk doctor" names the newest backup and "sylk restore" brings it back'],
  [/BUSY|LOCKED|PROTOCOL/, "another program holds it", "close what has the file open, then repeat"],
];

export function storeUnavailable(cause: unknown): DomainError {
  const said = cause instanceof Error ? cause.message : "the transaction was ended by the store";
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  const [, what, wayOut] = sentences.find(([pattern]) => typeof code === "string" && pattern.test(code)) ?? [];
  const reason = what === undefined ? said : `${what} (${said})`;
  return new DomainError(
    "store.unavailable",
    `The store cannot be used: ${reason}; nothing was changed; ${wayOut ?? 'check the disk, then run "sylk doctor"'}`,
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

/** The file's content is wrong, not the machine's state: trying again changes nothing. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}
