export { belongingsOf } from "./belongings.ts";
export { createBringBack } from "./bring-back.ts";
export type { HandoffRepositories } from "./ports.ts";
export type { HandoffRecord, HandoffRepository } from "./store.ts";
export { sqliteHandoffs } from "./store.sqlite.ts";
export { handoffHandlers } from "./handlers.ts";
