/** The archive by session: which have kept something, what each holds, and the course of one. */
import type { ArchiveSession, Caller, HistoryEntry, InputOf, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { requireSession, scopeOf } from "./archive-scope.ts";
import type { QueryPorts } from "./list-history.ts";
import { queryWords } from "./query-words.ts";

export type ReportPorts = QueryPorts & { readonly maxTokens: number };

const mostSearched = 500;

export async function listSessions(
  { query, session, limit }: InputOf<"history.sessions">,
  caller: Caller,
  ports: ReportPorts,
): Promise<OutputOf<"history.sessions">> {
  const { archive } = ports.store.reader;
  const asked = session === undefined ? { allSessions: true } : { session };
  const { project, sessions, own } = await scopeOf(asked, caller, ports);
  const scores = query === undefined ? undefined : await scoresOf(query, { project, sessions }, ports);
  const among = scores === undefined ? sessions : [...scores.keys()];
  const items = (await archive.tally(project, among)).map(({ tokens, categories, ...tally }) => ({
    ...tally,
    categories: { ...categories },
    tokens: { used: tokens, max: ports.maxTokens },
    ...defined({ score: scores?.get(tally.session) }),
  }));
  items.sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || b.lastAt - a.lastAt);
  return { items: items.slice(0, limit), ...defined({ current: own }) };
}

async function scoresOf(
  query: string,
  scope: Parameters<ReportPorts["store"]["reader"]["archive"]["count"]>[0],
  { store }: ReportPorts,
): Promise<ReadonlyMap<ArchiveSession, number>> {
  const words = queryWords(query);
  const { items } = await store.reader.archive.search({ ...scope, words, limit: mostSearched });
  const scores = new Map<ArchiveSession, number>();
  for (const { session, score = 0 } of items) scores.set(session, Math.max(score, scores.get(session) ?? 0));
  return scores;
}

export async function sessionTimeline(
  { session: wanted, cursor, limit }: InputOf<"history.timeline">,
  caller: Caller,
  ports: ReportPorts,
): Promise<OutputOf<"history.timeline">> {
  const scope = await scopeOf({ session: wanted }, caller, ports);
  const session = requireSession(scope.sessions?.[0]);
  const found = await ports.store.reader.archive.course({ project: scope.project, session, after: cursor }, limit + 1);
  const nextCursor = found.length > limit ? found[limit - 1]!.cursor : undefined;
  return { session, items: found.slice(0, limit).map(step), ...defined({ nextCursor }) };
}

function step({ id, category, title, at, source, content }: HistoryEntry) {
  const told = { status: content.status ?? content.state, reason: content.reason };
  return {
    id,
    category,
    title,
    at,
    ...defined({ source, status: textOr(told.status), reason: textOr(told.reason) }),
  };
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
