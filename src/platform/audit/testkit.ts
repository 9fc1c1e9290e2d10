/** An audit over a real SQLite file with its head file, and a hand that can spoil both, for the tests of this folder. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { AuditDraft, ChainReport, ProjectId } from "../../contract/index.ts";
import { manualClock, type ManualClock } from "../clock/index.ts";
import { openSqliteStore, type Store } from "../store/index.ts";
import { migratedFile, scratchFolder } from "../store/testkit.ts";
import { type AuditRepository, createHeadKeeper, sqliteAudit } from "./index.ts";
import { verifyAudit } from "./list-audit.ts";

type AuditStore = Store<{ readonly audit: AuditRepository }>;
export type ScratchAudit = Disposable & {
  readonly store: AuditStore;
  readonly clock: ManualClock;
  readonly file: string;
  readonly headFile: string;
  /** What the keeper reported, by name. */
  readonly said: readonly string[];
  act(...drafts: readonly Partial<AuditDraft>[]): Promise<void>;
  verify(): Promise<ChainReport>;
  /** Opens the file behind the store's back, without its guards. */
  spoil(change: (connection: Database.Database) => unknown): void;
  /** The next life of the daemon on the same files. */
  restart(): Promise<void>;
};

export async function scratchAudit(): Promise<ScratchAudit> {
  const folder = scratchFolder();
  const file = join(folder.path, "sylk.db");
  const headFile = join(folder.path, "audit-head");
  const clock = manualClock();
  const said: string[] = [];
  let store = await open();
  async function open(): Promise<AuditStore> {
    const keeper = createHeadKeeper({
      file: headFile,
      onBroken: () => said.push("broken"),
      onRebuilt: () => said.push("rebuilt"),
      onUnwritten: () => said.push("unwritten"),
    });
    const opened: AuditStore = openSqliteStore({
      ...migratedFile(file),
      repositories: { audit: sqliteAudit({ clock, clean: (value) => value, onAppended: keeper.advance }) },
      onDefect(error) {
        throw error;
      },
    });
    await keeper.start(opened);
    return opened;
  }
  return {
    get store() {
      return store;
    },
    clock,
    file,
    headFile,
    said,
    act: (...drafts) =>
      store.transact("audit", async (tx) => {
        for (const draft of drafts) await tx.audit.append({ ...plainAct, ...draft });
      }),
    verify: () => verifyAudit({}, { audit: store.reader.audit, headFile }),
    spoil(change) {
      const connection = new Database(file);
      connection.pragma("synchronous = OFF");
      connection.exec("DROP TRIGGER IF EXISTS audit_is_never_changed; DROP TRIGGER IF EXISTS audit_is_never_removed");
      change(connection);
      connection.close();
    },
    async restart() {
      store.close();
      store = await open();
    },
    [Symbol.dispose]() {
      store.close();
      folder[Symbol.dispose]();
    },
  };
}

export const plainAct: AuditDraft = {
  actor: { kind: "user" },
  action: "run.merged",
  subject: "run_0000000000000000000001",
  project: "prj_0000000000000000000001" as ProjectId,
  details: { commit: "c0ffee" },
};
