export { companionHandlers } from "./handlers.ts";
