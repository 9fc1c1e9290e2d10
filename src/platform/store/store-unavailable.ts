/** The one error for "the store cannot do it now": never a grant, never an empty answer. */
import { DomainError } from "../../contract/errors.ts";

export function storeUnavailable(cause: unknown): DomainError {
  const reason = cause instanceof Error ? cause.message : "the transaction was ended by the store";
  return new DomainError(
    "store.unavailable",
    `The store cannot be used: ${reason}. Free disk space or check the disk, then run "sylk doctor"`,
    {
      details: { reason },
      cause,
    },
  );
}
