/** Requests over the daemon's unix socket; a failure is told with the way out. */
import { exchange, ExchangeFailed } from "./socket-exchange.ts";
import { silent, unreachable, type Transport } from "./transport.ts";

export function socketTransport(socketPath: string, { timeoutMs = 30_000 } = {}): Transport {
  return (request) => {
    const patienceMs = timeoutMs + (request.waitMs ?? 0);
    return exchange(socketPath, request, patienceMs).catch((error: unknown) => {
      if (!(error instanceof ExchangeFailed)) throw error;
      throw error.isSilent ? silent(socketPath, patienceMs) : unreachable(socketPath, error.cause);
    });
  };
}
