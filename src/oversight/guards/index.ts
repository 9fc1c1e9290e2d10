export { listGuards, overrideGuard } from "./guards.ts";
export type { GuardRepository } from "./store.ts";
export { sqliteGuards } from "./store.sqlite.ts";
