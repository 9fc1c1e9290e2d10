export { listPresence } from "./list-presence.ts";
