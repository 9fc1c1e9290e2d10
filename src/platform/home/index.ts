export { writeGuards } from "./guards-file.ts";
/** Light to import: what every command needs. */
export { readDaemonRecord, removeDaemonRecord, writeDaemonRecord } from "./daemon-record.ts";
export type { DaemonRecord } from "./daemon-record.ts";
export { prepareHome } from "./check-home.ts";
export { holdHome } from "./home-hold.ts";
export type { HomeHold } from "./home-hold.ts";
export { watchHome } from "./watch-home.ts";
export { keepPort, portToTry } from "./kept-port.ts";
export { homePaths } from "./home-paths.ts";
export type { HomePaths } from "./home-paths.ts";
export { readServedBy, writeServedBy } from "./served-by.ts";
export { checkSocketFolder, clearSocketPlace } from "./socket-folder.ts";
export { ensureUserToken, readUserToken } from "./user-token.ts";
export { sweepHome } from "./sweep-home.ts";
export { browsersFile } from "./browsers-file.ts";
export type { BrowsersFile, KeptBrowser } from "./browsers-file.ts";
