/** The typed client: what `sylk/client` exports. */
export { fetchTransport, socketTransport } from "../transport/index.ts";
export type { Transport } from "../transport/index.ts";
export { createClient } from "./client.ts";
export type { CallOptions, ClientOptions, SylkClient } from "./client.ts";
export { identityHeaders } from "./identity-headers.ts";
