/**
 * Dispatch over a real database file with one scripted operation, for the tests of this folder.
 *
 * The operation writes its title down and then does what the title says, so that a test sees how often it really ran.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import {
  DomainError,
  type AgentCaller,
  type AgentId,
  type Dispatch,
  type Handlers,
  type InputOf,
  type Project,
  type ProjectId,
} from "../../contract/index.ts";
import { manualClock, type ManualClock } from "../clock/index.ts";
import { createLog } from "../log/index.ts";
import { createRedactor } from "../redact/index.ts";
import { openSqliteStore, type Sql, type Store } from "../store/index.ts";
import { migratedFile, scratchFolder } from "../store/testkit.ts";
import { createDispatch, sqliteIdempotency, type Call, type IdempotencyRepository } from "./index.ts";

const project: Project = { id: "prj_00000000000000000shop0" as ProjectId, name: "shop", path: "/srv/shop/.git" };
export const heron = agentCaller("heron");
export const otter = agentCaller("otter");
export const user = { kind: "user", project } as const;

export const dayMs = 24 * 3_600_000;
/** A key that is configured somewhere. */
export const knownKey = "acme-key-0123456789";
export const planted = new Error("planted");

export type Deed = (tx: { readonly titles: Titles }) => Promise<unknown>;
type Titles = {
  add(title: string): Promise<void>;
  all(): Promise<readonly string[]>;
  /** From now on the file cannot grow. */
  takeRoom(): Promise<void>;
  makeRoom(): Promise<void>;
};
type Repositories = { readonly idempotency: IdempotencyRepository; readonly titles: Titles };

export type ScratchDispatch = Disposable & {
  readonly dispatch: Dispatch;
  readonly store: Store<Repositories>;
  readonly clock: ManualClock;
  /** Titles of the runs that were committed. */
  committed(): Promise<readonly string[]>;
  /** Titles of all runs, also of those that were rolled back. */
  readonly runs: readonly string[];
  readonly effects: readonly string[];
  /** What the operator's log says, line by line. */
  logged(): readonly Record<string, unknown>[];
  /** `work-item.create` and `work-item.close` do this from now on. */
  script(deed: Deed): void;
  /** They answer with this before they come to the store; undefined: they come to it. */
  before(answer: (() => Promise<unknown>) | undefined): void;
};

export function scratchDispatch(): ScratchDispatch {
  const folder = scratchFolder();
  const clock = manualClock();
  const runs: string[] = [];
  const effects: string[] = [];
  const lines: string[] = [];
  const migrated = migratedFile(join(folder.path, "sylk.db"));
  new Database(migrated.file).exec("CREATE TABLE titles (title TEXT) STRICT").close();
  const store: Store<Repositories> = openSqliteStore({
    ...migrated,
    repositories: { idempotency: sqliteIdempotency, titles: sqliteTitles },
  });
  let deed: Deed = async () => ({ answer: runs.length });
  let early: (() => Promise<unknown>) | undefined;
  const run = (title: string, { transact }: Call<Repositories>) =>
    early?.() ??
    transact("scope", async (tx) => {
      runs.push(title);
      await tx.titles.add(title);
      tx.afterCommit(() => void effects.push(title));
      return deed(tx);
    });
  const handlers: object = {
    "work-item.create": ({ title }: InputOf<"work-item.create">, call: Call<Repositories>) => run(title, call),
    "work-item.close": ({ reason }: InputOf<"work-item.close">, call: Call<Repositories>) => run(reason, call),
    "daemon.status": async () => Promise.reject(planted),
    "daemon.stop": async () => ({ stopping: true, pid: 7 }),
  };
  return {
    dispatch: createDispatch({
      handlers: handlers as Handlers<Call<Repositories>>,
      store,
      clock,
      log: createLog({ level: "debug", clock, write: (line) => void lines.push(line) }),
      idempotencyKeepMs: dayMs,
      clean: createRedactor(knownKey).value,
    }),
    store,
    clock,
    committed: () => store.reader.titles.all(),
    runs,
    effects,
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    script: (next) => void (deed = next),
    before: (answer) => void (early = answer),
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

export function refusal(): DomainError {
  return new DomainError("reservation.conflict", '"src/a.ts" is reserved by otter; wait for it', {
    details: { holder: { name: "otter" }, overlap: "src/a.ts" },
    retryAfterMs: 1_200,
    cause: planted,
  });
}

function sqliteTitles(sql: Sql): Titles {
  return {
    async add(title) {
      sql.run("INSERT INTO titles VALUES (?)", title);
    },
    all: async () => sql.all("SELECT title FROM titles ORDER BY rowid").map((row) => String(row.title)),
    async takeRoom() {
      sql.get(`PRAGMA max_page_count = ${Number(sql.get("PRAGMA page_count")!.page_count)}`);
    },
    async makeRoom() {
      sql.get("PRAGMA max_page_count = 1000000");
    },
  };
}

function agentCaller(name: string): AgentCaller {
  const id = `agt_${name.padStart(22, "0")}` as AgentId;
  return { kind: "agent", agent: { id, name, client: "other" }, project, tree: "/srv/shop" };
}
