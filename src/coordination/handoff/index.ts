export { belongingsOf } from "./belongings.ts";
export { createBringBack } from "./bring-back.ts";
export { readHandoff } from "./read-handoff.ts";
export type { HandoffRepositories } from "./ports.ts";
export type { HandoffRepository } from "./store.ts";
export { sqliteHandoffs } from "./store.sqlite.ts";
