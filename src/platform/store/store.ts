/**
 * The store port: every change goes through `transact`, every read outside through `reader`.
 *
 *   handler -> transact(scope, work) -> work(tx) in its own savepoint -> COMMIT -> afterCommit -> acknowledgement
 *
 * Rules for `work`: it awaits nothing but `tx`; `tx` is dead once it returns; what it throws undoes its own changes alone.
 * `Repositories` are the domain folders' own methods, so that domain code is written once for every store.
 */
export type Transaction = {
  /** Runs after COMMIT and before the acknowledgement, in order of registration; never after a rollback. */
  afterCommit(effect: () => void): void;
  /** A nested step: what it throws undoes the step alone and is returned instead of ending the transaction. */
  attempt<T>(
    step: () => Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }>;
};

export type Store<Repositories> = {
  /** `scope` names what the work is about (a project); stores with several writers lock it. */
  transact<T>(scope: string, work: (tx: Repositories & Transaction) => Promise<T>): Promise<T>;
  /** Committed state only; writing through it fails. */
  readonly reader: Repositories;
  /**
   * A real query, and a real change where the last one was refused by the machine: rejects with `store.unavailable`
   * while the store cannot be used, and resolves as soon as it can, also when no other call changes anything.
   */
  probe(): Promise<void>;
  /** Everything as it is at one instant, for a read that takes its time and may await anything; holds up no writer. */
  snapshot<T>(read: (reader: Repositories) => Promise<T>): Promise<T>;
  /** After a removal: takes what was removed out of the log too. False while a reader still needs the log. */
  emptyLog(): boolean;
  close(): void;
};

/** SQL as the domain folders' SQLite repositories see it: prepared, cached, dead with its transaction. */
export type Sql = {
  all(text: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  get(text: string, ...values: readonly SqlValue[]): SqlRow | undefined;
  run(text: string, ...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  afterCommit(effect: () => void): void;
  /** What `read` finds, kept in memory until one of the tables is written: see table-memo.ts. Nothing may change it. */
  recall<T>(tables: string, key: string, read: () => T): T;
};
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

export type RepositoryFactories<Repositories> = {
  readonly [Name in keyof Repositories]: (sql: Sql) => Repositories[Name];
};
