/** Door of notifications: a person is told that they are needed. */
export { createNotifier, type Notice, type Notifier, type SendNotice } from "./notifier.ts";
export type { NoticeRepository } from "./store.ts";
export { sqliteNotices } from "./store.sqlite.ts";
