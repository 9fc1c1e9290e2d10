/** How requests reach the daemon. Light to import: the fast commands use nothing else. */
export { exchange, ExchangeFailed } from "./socket-exchange.ts";
export { socketTransport } from "./socket-transport.ts";
export { fetchTransport } from "./fetch-transport.ts";
export { silent, unreachable } from "./transport.ts";
export type { Transport, WireRequest, WireResponse } from "./transport.ts";
