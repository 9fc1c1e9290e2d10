/** How a client reaches the daemon: one request, one answer. */
import { DomainError, messageOf } from "../../contract/errors.ts";

export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How much longer than usual the answer may take: the caller asked to wait. */
  readonly waitMs?: number;
  /** Ends the wait for an answer; the request fails with the signal's reason. */
  readonly signal?: AbortSignal;
};
export type WireResponse = { readonly status: number; readonly body: string };
export type Transport = (request: WireRequest) => Promise<WireResponse>;

export function unreachable(where: string, cause: unknown): DomainError {
  const reason = messageOf(cause);
  return new DomainError(
    "daemon.unreachable",
    `The Sylk daemon does not answer at ${where} (${reason}); start it with "sylk up" or look at "sylk doctor"`,
    {
      details: { where, reason },
      cause,
    },
  );
}

/** A process holds the socket and says nothing: one more daemon would not help, and what became of the call is open. */
export function silent(where: string, waitedMs: number): DomainError {
  const reason = `no answer within ${waitedMs} ms`;
  return new DomainError(
    "daemon.unreachable",
    `The Sylk daemon at ${where} does not answer (${reason}): it is suspended or overloaded, and it is unknown whether it carried out this call; "sylk doctor" says what to do`,
    { details: { where, reason, silent: true } },
  );
}
