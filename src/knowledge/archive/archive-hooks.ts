/**
 * Hooks around the archive: before and after an entry is stored, before and after a query.
 *
 *   store: pre-store (adds the session, or refuses) -> row -> COMMIT -> post-store (drops cached answers)
 *   query: pre-query (adds the sessions it may see) -> cached or searched -> post-query (counts it)
 *
 * The archive's own hooks stand first before and last after, so that others see what they did.
 */
import type { ArchiveSession } from "../../contract/index.ts";
import type { NewEntry, Written } from "./store.ts";

export type PreStore = Omit<NewEntry, "session"> & { readonly session?: ArchiveSession | undefined };
export type PreQuery = {
  readonly session?: ArchiveSession | undefined;
  readonly sessions?: readonly ArchiveSession[] | undefined;
  readonly allSessions?: boolean | undefined;
};
/** The caller's side of a call. */
export type HookContext = {
  /** The session that the caller acts in. */
  readonly own: ArchiveSession | undefined;
};
export type QueryReport = {
  readonly project: string | undefined;
  readonly own: ArchiveSession | undefined;
  readonly sessions: readonly ArchiveSession[] | undefined;
  readonly found: number;
  readonly cached: boolean;
};

type HookTypes = {
  "pre-store": (entry: PreStore, context: HookContext) => PreStore;
  "post-store": (written: Written) => void;
  "pre-query": (asked: PreQuery, context: HookContext) => PreQuery;
  "post-query": (report: QueryReport) => void;
};
export type HookName = keyof HookTypes;
export type ArchiveHooks = {
  /** Returns how to remove it. */
  add<Name extends HookName>(name: Name, hook: HookTypes[Name]): () => void;
  preStore(entry: PreStore, context: HookContext): PreStore;
  postStore(written: Written): void;
  preQuery(asked: PreQuery, context: HookContext): PreQuery;
  postQuery(report: QueryReport): void;
};

export function createArchiveHooks(): ArchiveHooks {
  const hooks: { [Name in HookName]: HookTypes[Name][] } = {
    "pre-store": [(entry, { own }) => ({ ...entry, session: entry.session ?? own })],
    "post-store": [],
    "pre-query": [
      (asked, { own }) => {
        if (asked.allSessions === true || asked.sessions !== undefined) return asked;
        const session = asked.session ?? own;
        return session === undefined ? asked : { ...asked, sessions: [session] };
      },
    ],
    "post-query": [],
  };
  return {
    add(name, hook) {
      const list = hooks[name] as unknown[];
      list.push(hook);
      return () => void list.splice(list.indexOf(hook), 1);
    },
    preStore: (entry, context) => hooks["pre-store"].reduce((changed, hook) => hook(changed, context), entry),
    postStore: (written) => hooks["post-store"].forEach((hook) => hook(written)),
    preQuery: (asked, context) => hooks["pre-query"].reduce((changed, hook) => hook(changed, context), asked),
    postQuery: (report) => hooks["post-query"].forEach((hook) => hook(report)),
  };
}
