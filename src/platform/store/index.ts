export type { Migration } from "./migrate.ts";
export { readMigrations } from "./read-migrations.ts";
export { openSqliteStore } from "./sqlite-store.ts";
export { storeUnavailable } from "./store-unavailable.ts";
export type { RepositoryFactories, Sql, SqlRow, SqlValue, Store, Transaction } from "./store.ts";
export { takeProcessLock } from "./process-lock.ts";
