export { claimLeftMs } from "./claim-lease.ts";
export { claimWorkItem } from "./claim-work-item.ts";
export { closeWorkItem } from "./close-work-item.ts";
export { createWorkItem } from "./create-work-item.ts";
export { endClaim, giveUpWorkItem } from "./give-up-work-item.ts";
export { getWorkItem, listWorkItems, readyWorkItems } from "./list-work-items.ts";
export type { WorkItemPorts, WorkItemSettings } from "./ports.ts";
export type { WorkItemRecord, WorkItemRepository } from "./store.ts";
export { sqliteWorkItems } from "./store.sqlite.ts";
