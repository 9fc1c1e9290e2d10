export { daemonHandlers } from "./handlers.ts";
