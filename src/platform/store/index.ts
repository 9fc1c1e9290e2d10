export type { Migration } from "./migrate.ts";
export { readMigrations } from "./read-migrations.ts";
export { readSqliteFile } from "./read-sqlite-file.ts";
export { openSqliteStore } from "./sqlite-store.ts";
export { storeUnavailable } from "./store-unavailable.ts";
export type { RepositoryFactories, Sql, SqlRow, SqlValue, Store, Transaction } from "./store.ts";
export { lockHome } from "./lock-home.ts";
export { takeProcessLock } from "./process-lock.ts";
export { backupFolderOf, freshBackupFile } from "./backup-folder.ts";
export type { StoreCopy } from "./copy-store.ts";
export { readRestoreNote, removeRestoreNote, stoppedStore } from "./stopped-store.ts";
export type { StoppedStore } from "./stopped-store.ts";
export {
  type DerivedFile,
  isDerivedDamage,
  isOutOfRoom,
  openDerivedFile,
  readDerivedFile,
  removeDerivedFile,
} from "./derived-file.ts";
