/** Door of the consent to repositories' settings. */
export { configHandlers } from "./handlers.ts";
