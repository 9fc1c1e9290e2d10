/**
 * Tools that the user chose, as entries of the archive.
 *
 *   session set linter ruff -> session.noted -> entry of that session, category user_preference
 *   session promote linter  -> session.preference-promoted -> the entry is promoted: all sessions of the project see it
 *   discovery               -> the preferences that a session sees, its own before promoted ones, the newest first
 */
import { type ArchiveSession, type LogEvent, type ProjectId, type Session, tool } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ArchiveRepository } from "./store.ts";

type Ports = {
  readonly store: Store<{ readonly archive: ArchiveRepository }>;
  /** Calls back with each committed event of a type, until the answer is called. */
  readonly subscribe: (type: string, handle: (event: LogEvent) => void) => () => void;
  readonly onFailed: (error: unknown) => void;
};

const category = "user_preference";
const prefix = "preference-";
const mostRead = 200;
const kinds: readonly string[] = tool.ToolCategory.options;

/** Returns how to stop. */
export function followPreferences({ store, subscribe, onFailed }: Ports): () => void {
  const change = (project: ProjectId, work: (archive: ArchiveRepository) => Promise<void>): void =>
    void store.transact(project, (tx) => work(tx.archive)).catch(onFailed);
  const stops = [
    subscribe("session.noted", ({ project, at, data }) => {
      const { session, preferences } = data as { session: Session; preferences: Readonly<Record<string, string>> };
      change(project, (archive) => keepChoices(archive, { project, at, session: session.id }, preferences));
    }),
    subscribe("session.preference-promoted", ({ project, at, data }) => {
      const { session, name, value } = data as { session: ArchiveSession; name: string; value?: string };
      if (!kinds.includes(name)) return;
      const promotion = value === undefined ? undefined : { reason: "promoted by the user", by: "user", at };
      change(project, (archive) => archive.promote(idOf(session, name), project, promotion));
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

type Place = { readonly project: ProjectId; readonly session: ArchiveSession; readonly at: number };

async function keepChoices(
  archive: ArchiveRepository,
  { project, session, at }: Place,
  preferences: Readonly<Record<string, string>>,
): Promise<void> {
  for (const kind of kinds) {
    const id = idOf(session, kind);
    const [chosen, known] = [preferences[kind], await archive.find(id, project)];
    if (chosen === known?.content.tool) continue;
    if (chosen === undefined) await archive.remove(project, [id]);
    else
      await archive.keep(project, {
        id,
        session,
        category,
        kind: "fact",
        kept: true,
        title: `${kind}: ${chosen}`,
        content: { category: kind, language: "any", tool: chosen, rationale: "chosen by the user for this session" },
        source: "user",
        at,
      });
  }
}

function idOf(session: ArchiveSession, kind: string): string {
  return `${prefix}${session}-${kind}`;
}

/** By category; `sylk tools` reads them before it looks at the project. */
export async function toolPreferences(
  archive: Pick<ArchiveRepository, "list">,
  project: ProjectId | undefined,
  session: ArchiveSession,
): Promise<Readonly<Record<string, string>>> {
  if (project === undefined) return {};
  const page = { project, sessions: [session], category, before: undefined, limit: mostRead };
  const found = await archive.list(page);
  // What was set on a session is read there: here it is a record of that.
  const stored = found.filter(({ id }) => !id.startsWith(prefix));
  const own = stored.filter((entry) => entry.session === session);
  const chosen: Record<string, string> = {};
  for (const { content } of [...own, ...stored]) {
    const { category: kind, tool: name } = content;
    if (typeof kind !== "string" || typeof name !== "string" || !kinds.includes(kind)) continue;
    chosen[kind] ??= name;
  }
  return chosen;
}
