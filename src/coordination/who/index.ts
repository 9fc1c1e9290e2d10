export { listPresence } from "./list-presence.ts";
export { presenceHandlers } from "./handlers.ts";
