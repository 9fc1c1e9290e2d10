/**
 * The SQLite store: one writer, group commit.
 *
 *   transact, transact, … (one turn) -> BEGIN -> SAVEPOINT each, strictly one after the other -> COMMIT -> acknowledge all
 *
 * A turn's operations share one fsync. A transaction begins with the first statement that can change something: members that
 * only read (a renewed lease, a refusal) see the committed state, because no other connection writes, and cost no commit. Callbacks are driven by microtasks only: a callback that has not settled when no
 * microtask is left awaits something else; it is rolled back and reported as a defect before the next macrotask begins, so
 * a stray `await` never holds the writer and a whole group runs inside one macrotask. When SQLite itself ends the transaction
 * (full disk, I/O error), every member fails. The files are looked at before BEGIN and again before the acknowledgement: a
 * change that went into a removed file, or beside another daemon's, is not acknowledged.
 */
import Database from "better-sqlite3";
import { DomainError } from "../../contract/errors.ts";
import type { Migration } from "./migrate.ts";
import { busyTimeoutMs, openWriter, type UpgradeTerms } from "./open-writer.ts";
import { createSql, type SqlSession, transactionEnded } from "./sqlite-sql.ts";
import { watchStoreFiles } from "./store-files.ts";
import { storeUnavailable } from "./store-unavailable.ts";
import type { RepositoryFactories, Sql, Store, Transaction } from "./store.ts";
import { createTableMemo } from "./table-memo.ts";

type Member = {
  readonly work: (tx: never) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};
type Outcome = { readonly member: Member; readonly effects: readonly (() => void)[] } & (
  | { readonly value: unknown }
  | { readonly error: unknown }
);

type StoreOptions<Repositories> = UpgradeTerms & {
  readonly file: string;
  readonly migrations: readonly Migration[];
  readonly repositories: RepositoryFactories<Repositories>;
  /** A defect that the caller of `transact` may not see (an effect that threw after the commit). */
  readonly onDefect?: (error: unknown) => void;
  /** Throws `store.unavailable` once another process may write this store. */
  readonly checkOwner?: () => void;
  /** Groups larger than this are split, so that one turn never holds the event loop for long. */
  readonly maxGroup?: number;
};

const roomBytes = 1_048_576;

export function openSqliteStore<Repositories extends object>(options: StoreOptions<Repositories>): Store<Repositories> {
  const { file, migrations, repositories, onDefect = () => {}, checkOwner = () => {}, maxGroup = 512 } = options;
  const repositoriesOf = lazily(repositories);
  const writer = openWriter(file, migrations, options);
  const readerConnection = new Database(file, { readonly: true, fileMustExist: true });
  const memo = createTableMemo();
  const readerSession = createSql(readerConnection, memo);
  const session = createSql(writer, memo);
  const checkStoreFiles = watchStoreFiles(file);
  const checkFiles = (): void => {
    checkOwner();
    checkStoreFiles();
  };
  const queue: Member[] = [];
  let flushing = false;
  let closed = false;
  /** The machine refused a change, and no probe has found room since. */
  let failing = false;

  function schedule(): void {
    if (flushing || queue.length === 0) return;
    flushing = true;
    setImmediate(() => void flush());
  }

  async function flush(): Promise<void> {
    const group = queue.splice(0, maxGroup);
    try {
      await runGroup(group);
    } finally {
      flushing = false;
      schedule();
    }
  }

  async function runGroup(group: readonly Member[]): Promise<void> {
    const outcomes: Outcome[] = [];
    const turn = microtaskWatch();
    try {
      for (const member of group) outcomes.push(await runMember(member, turn));
      if (writer.inTransaction) session.exec("COMMIT");
    } catch (cause) {
      if (writer.inTransaction) session.exec("ROLLBACK");
      const error = cause instanceof DomainError ? cause : storeUnavailable(cause);
      failing ||= error.code === "store.unavailable";
      for (const member of group) member.reject(error);
      return;
    } finally {
      turn.stop();
      memo.settled();
    }
    const lost = refusalOf(checkFiles);
    for (const outcome of outcomes) acknowledge(lost === undefined ? outcome : { ...outcome, error: lost });
  }

  async function runMember(member: Member, turn: MicrotaskWatch): Promise<Outcome> {
    const { tx, end, effects, begun } = openTransaction(session, repositoriesOf, turn, checkFiles);
    const outcome = await turn.settledThisTurn(() => member.work(tx as never));
    end();
    const state = begun();
    if (typeof state === "object") throw state.refusal;
    if (state) {
      if (!writer.inTransaction) throw endedByStore(outcome);
      if ("error" in outcome) session.exec("ROLLBACK TO member");
      session.exec("RELEASE member");
    }
    return "error" in outcome
      ? { member, effects: [], error: outcome.error }
      : { member, effects, value: outcome.value };
  }

  function acknowledge(outcome: Outcome): void {
    for (const effect of outcome.effects) {
      try {
        effect();
      } catch (error) {
        onDefect(error);
      }
    }
    if ("error" in outcome) outcome.member.reject(outcome.error);
    else outcome.member.resolve(outcome.value);
  }

  function transact<T>(_scope: string, work: (tx: Repositories & Transaction) => Promise<T>): Promise<T> {
    if (closed)
      return Promise.reject(
        new DomainError("daemon.stopping", "The store is closed because the daemon is stopping; try again in a moment"),
      );
    return new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as Member["resolve"], reject });
      schedule();
    });
  }

  /** A small change may still fit where others are refused: as much as any of ours needs is written, and taken back. */
  async function findRoom(): Promise<void> {
    await transact("probe", ({ attempt }) =>
      // A step begins the transaction.
      attempt(async () => {
        session.exec("CREATE TABLE IF NOT EXISTS room (bytes BLOB) STRICT");
        session.exec(`INSERT INTO room VALUES (zeroblob(${roomBytes}))`);
      }).then(requireDone),
    );
    await transact("probe", ({ attempt }) =>
      attempt(async () => session.exec("DROP TABLE IF EXISTS room")).then(requireDone),
    );
    failing = false;
  }

  return {
    transact,
    reader: repositoriesOf(readerSession.sql(readOnly)),
    async probe() {
      try {
        checkFiles();
        readerConnection.prepare("SELECT count(*) FROM migrations").get();
        if (failing) await findRoom();
      } catch (cause) {
        throw cause instanceof DomainError ? cause : storeUnavailable(cause);
      }
    },
    async snapshot(read) {
      const connection = new Database(file, { readonly: true, fileMustExist: true });
      try {
        connection.exec("BEGIN");
        connection.prepare("SELECT count(*) FROM migrations").get(); // the instant is that of the first read
        return await read(repositoriesOf(createSql(connection).sql(readOnly)));
      } finally {
        connection.close();
      }
    },
    emptyLog() {
      writer.pragma("busy_timeout = 0"); // a reader that takes its time must not hold the writer
      const [{ busy } = { busy: 1 }] = writer.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      writer.pragma(`busy_timeout = ${busyTimeoutMs}`);
      return busy === 0;
    },
    close() {
      closed = true;
      memo.forgetAll();
      for (const member of queue.splice(0))
        member.reject(new DomainError("daemon.stopping", "The daemon stopped before this change was made; try again"));
      readerConnection.close();
      writer.close();
    },
  };
}

function openTransaction<Repositories extends object>(
  session: SqlSession,
  repositoriesOf: RepositoriesOf<Repositories>,
  turn: MicrotaskWatch,
  checkFiles: () => void,
) {
  let open = true;
  /** An object: the transaction could not begin, for any member of the group. */
  let begun: boolean | { readonly refusal: unknown } = false;
  const effects: (() => void)[] = [];
  const round = turn.round();
  const isOpen = (): boolean => open && turn.round() === round;
  // Once SQLite has ended the transaction, the next statement would commit by itself.
  const isAlive = (): boolean => isOpen() && (!begun || session.inTransaction());
  function begin(): void {
    if (begun !== false) return;
    try {
      if (!session.inTransaction()) {
        checkFiles();
        session.exec("BEGIN IMMEDIATE");
      }
      session.exec("SAVEPOINT member");
      begun = true;
    } catch (refusal) {
      begun = { refusal };
      throw refusal;
    }
  }
  const sql = session.sql({ isAlive, beforeWrite: begin, afterCommit: (effect) => void effects.push(effect) });
  const tx = Object.assign(repositoriesOf(sql), {
    afterCommit: sql.afterCommit,
    attempt: (step: () => Promise<unknown>) => {
      if (!isAlive()) throw transactionEnded();
      begin();
      return attemptStep(session, effects, turn, step, isOpen);
    },
  });
  return { tx: tx as Repositories & Transaction, effects, end: () => void (open = false), begun: () => begun };
}

async function attemptStep(
  session: SqlSession,
  effects: (() => void)[],
  turn: MicrotaskWatch,
  step: () => Promise<unknown>,
  isOpen: () => boolean,
) {
  const effectsBefore = effects.length;
  session.exec("SAVEPOINT step");
  const outcome = await turn.settledThisTurn(step);
  // The member is over while its step still waited: the open savepoints may belong to another member.
  if (!isOpen()) throw transactionEnded();
  // When SQLite ended the whole transaction there is no step to undo: the group fails as one.
  if (!session.inTransaction()) throw endedByStore(outcome);
  if ("error" in outcome) {
    session.exec("ROLLBACK TO step");
    effects.length = effectsBefore;
  }
  session.exec("RELEASE step");
  return "error" in outcome ? { ok: false, error: outcome.error } : { ok: true, value: outcome.value };
}

function requireDone(step: { readonly ok: boolean; readonly error?: unknown }): void {
  if (!step.ok) throw step.error;
}

function refusalOf(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return error;
  }
}

type RepositoriesOf<Repositories> = (sql: Sql) => Repositories;

/**
 * Builds a repository when it is first used: most transactions touch one or two of them. The getters stand on one
 * prototype: defined on every object, they would give each transaction a hidden class of its own, which the garbage
 * collector keeps in its old generation together with all that the transaction has touched.
 */
function lazily<Repositories extends object>(
  factories: RepositoryFactories<Repositories>,
): RepositoriesOf<Repositories> {
  class Lazy {
    readonly built = new Map<keyof Repositories, unknown>();
    readonly sql: Sql;
    constructor(sql: Sql) {
      this.sql = sql;
    }
  }
  for (const name of Object.keys(factories) as (keyof Repositories)[]) {
    Object.defineProperty(Lazy.prototype, name, {
      get(this: Lazy) {
        let repository = this.built.get(name);
        if (repository === undefined) this.built.set(name, (repository = factories[name](this.sql)));
        return repository;
      },
    });
  }
  return (sql) => new Lazy(sql) as Repositories;
}

type Settled = { readonly value: unknown } | { readonly error: unknown };
type MicrotaskWatch = {
  settledThisTurn(work: () => Promise<unknown>): Promise<Settled>;
  /** Grows when a stray `await` is found, at that instant: who began in an earlier round is over. */
  round(): number;
  stop(): void;
};

/**
 * A tick that a microtask asks for runs when no microtask is left and before any timer, I/O or immediate: whatever has
 * not settled by then waits for something that is not the transaction.
 */
function microtaskWatch(): MicrotaskWatch {
  /** Told first come, first served: who has settled already hears nothing of it. */
  let waiting: ((outcome: Settled) => void)[] = [];
  let round = 0;
  let stopped = false;
  function arm(): void {
    queueMicrotask(() => process.nextTick(drained));
  }
  function drained(): void {
    if (stopped) return;
    round++;
    arm();
    const late = waiting;
    waiting = [];
    for (const settle of late) settle({ error: strayAwait() });
  }
  arm();
  return {
    settledThisTurn: (work) =>
      new Promise((settle) => {
        const fail = (error: unknown): void => settle({ error });
        waiting.push(settle);
        try {
          work().then((value) => settle({ value }), fail);
        } catch (error) {
          fail(error);
        }
      }),
    round: () => round,
    stop: () => void (stopped = true),
  };
}

function endedByStore(outcome: Settled): DomainError {
  const error = "error" in outcome ? outcome.error : undefined;
  return error instanceof DomainError && error.code === "store.unavailable" ? error : storeUnavailable(error);
}

function strayAwait(): DomainError {
  return new DomainError(
    "internal",
    "A transaction callback awaited something other than its transaction; it was rolled back. This is a defect in Sylk: please report it",
  );
}

/** A read-only connection refuses every change by itself. */
const readOnly = { isAlive: () => true, beforeWrite: () => {}, afterCommit: refuseEffects } as const;

function refuseEffects(): never {
  throw new Error("afterCommit needs a transaction");
}
