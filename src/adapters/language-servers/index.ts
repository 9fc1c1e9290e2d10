/** Door of language servers: a precise provider of the code index, over the servers that are installed. */
export { enclosureIn } from "./enclose-server.ts";
export { createLanguageServers, type LanguageServers } from "./language-servers.ts";
export type { ServerState } from "./server-pool.ts";
