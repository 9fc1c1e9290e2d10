/** The refusal for a file whose name cannot be reserved: no agent could hold it, so none could be told of the write. */
import { DomainError } from "../../contract/index.ts";
import { whyNotHeld } from "../globs/index.ts";

const longest = 80;

/** JSON escapes keep control characters out of terminals. */
export function cannotBeHeld(path: string): DomainError {
  const reason = whyNotHeld(path) ?? "it is reserved by its directory";
  const shown = JSON.stringify(path.length > longest ? `${path.slice(0, longest)}…` : path);
  return new DomainError("path.not-holdable", `${shown} has a name that cannot be held: ${reason}`, {
    details: { path, reason },
  });
}
