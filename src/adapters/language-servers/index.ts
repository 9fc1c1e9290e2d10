/** Door of language servers: a precise provider of the code index, over the servers that are installed. */
export { knownServers, type ServerDefinition } from "./known-servers.ts";
export { createLanguageServers, type LanguageServers } from "./language-servers.ts";
export type { ServerState } from "./server-pool.ts";
