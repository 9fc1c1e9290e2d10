export { createLatestActivity } from "./latest-activity.ts";
export { listPresence } from "./list-presence.ts";
export { presenceHandlers } from "./handlers.ts";
export { createTreeChanges, type ChangedFiles } from "./tree-changes.ts";
