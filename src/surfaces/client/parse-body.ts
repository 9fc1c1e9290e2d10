/** An answer's text as JSON; any other text comes from a program that is not the daemon. */
import { DomainError } from "../../contract/errors.ts";

export function parseBody(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DomainError(
      "daemon.unreachable",
      `The answer (HTTP ${status}) is not JSON; is another program listening at the daemon's address?`,
      { cause },
    );
  }
}
