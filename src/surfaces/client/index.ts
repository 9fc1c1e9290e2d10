/** The typed client: what `sylk/client` exports. */
export { createClient } from "./client.ts";
export type { CallOptions, ClientOptions, SylkClient } from "./client.ts";
export { socketTransport } from "./socket-transport.ts";
export { fetchTransport } from "./transport.ts";
export type { Transport, WireRequest, WireResponse } from "./transport.ts";
