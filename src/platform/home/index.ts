/** Light to import: what every command needs. The lock is a door of its own, because it loads the database library. */
export { readDaemonRecord, removeDaemonRecord, writeDaemonRecord } from "./daemon-record.ts";
export type { DaemonRecord } from "./daemon-record.ts";
export { homePaths } from "./home-paths.ts";
export type { HomePaths } from "./home-paths.ts";
export { ensureUserToken, readUserToken } from "./user-token.ts";
