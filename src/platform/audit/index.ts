export { actorOf, type AuditRepository, theDaemon } from "./audit.ts";
export { sqliteAudit } from "./audit.sqlite.ts";
export { createHeadKeeper } from "./head-keeper.ts";
export { auditHandlers } from "./handlers.ts";
