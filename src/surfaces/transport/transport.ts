/** How a client reaches the daemon: one request, one answer. */
import { DomainError } from "../../contract/errors.ts";

export type WireRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How much longer than usual the answer may take: the caller asked to wait. */
  readonly waitMs?: number;
};
export type WireResponse = { readonly status: number; readonly body: string };
export type Transport = (request: WireRequest) => Promise<WireResponse>;

/** `timedOut`: somebody listens there and says nothing, which a second daemon would not change. */
export function unreachable(where: string, cause: unknown, { timedOut = false } = {}): DomainError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DomainError(
    "daemon.unreachable",
    `The Sylk daemon does not answer at ${where} (${reason}); start it with "sylk up" or look at "sylk doctor"`,
    {
      details: { where, reason, ...(timedOut ? { timedOut } : {}) },
      cause,
    },
  );
}

/** For browsers and remote tools: the same requests over fetch. */
export function fetchTransport(url: string): Transport {
  return async ({ method, path, headers, body }) => {
    try {
      const response = await fetch(new URL(path, url), { method, headers, ...(body === undefined ? {} : { body }) });
      return { status: response.status, body: await response.text() };
    } catch (cause) {
      throw unreachable(url, cause);
    }
  };
}
