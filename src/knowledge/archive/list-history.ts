/**
 * Queries of the archive: a page of the newest entries, or with words the best ones.
 *
 *   options -> hooks: sessions that are looked into -> cached? -> entries, each with its session and score -> counted
 */
import { type Caller, invalidInput, type InputOf, type OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Store } from "../../platform/store/index.ts";
import { type ArchiveScope, scopeOf, type SessionPorts } from "./archive-scope.ts";
import type { QueryCache } from "./query-cache.ts";
import { queryWords } from "./query-words.ts";
import { cap } from "./search.sqlite.ts";
import type { ArchiveRepository } from "./store.ts";

export type QueryPorts = SessionPorts & {
  readonly store: Store<{ readonly archive: ArchiveRepository }>;
  readonly cache: QueryCache;
};
type Asked = Omit<InputOf<"history.list">, "session" | "sessions" | "allSessions">;

const unranked = { method: "newest", threshold: 0, candidates: 0, cap, capped: false } as const;

export async function listHistory(
  { session, sessions, allSessions, ...asked }: InputOf<"history.list">,
  caller: Caller,
  ports: QueryPorts,
): Promise<OutputOf<"history.list">> {
  if (asked.cursor !== undefined && !/^\d{1,16}-\d{1,16}$/.test(asked.cursor))
    throw invalidInput("cursor", "is not one of an earlier page");
  const { own, ...scope } = await scopeOf({ session, sessions, allSessions }, caller, ports);
  const key = JSON.stringify([scope, asked]);
  const known = ports.cache.find(key);
  const answer = known ?? (await answered(asked, scope, ports));
  if (known === undefined) ports.cache.keep(key, scope, answer);
  ports.hooks.postQuery({ ...scope, own, found: answer.items.length, cached: known !== undefined });
  return answer;
}

async function answered(
  { query = "", cursor, limit, archived: withArchived, ...asked }: Asked,
  scope: ArchiveScope,
  { store }: QueryPorts,
): Promise<OutputOf<"history.list">> {
  const { archive } = store.reader;
  const filter = { ...scope, ...asked, withArchived };
  const session = scope.sessions?.length === 1 ? scope.sessions[0] : undefined;
  if (query.trim() !== "") {
    const { items, about } = await archive.search({ ...filter, words: queryWords(query), limit });
    return { items: [...items], about: { ...about, commonWords: [...about.commonWords] }, ...defined({ session }) };
  }
  const found = await archive.list({ ...filter, before: cursor, limit: limit + 1 });
  const items = found.slice(0, limit).map(({ cursor: _cursor, ...entry }) => entry);
  const nextCursor = found.length > limit ? found[limit - 1]!.cursor : undefined;
  const isEmpty = items.length === 0 && scope.sessions !== undefined && cursor === undefined;
  const elsewhere = isEmpty ? await archive.count({ project: scope.project, sessions: undefined }) : undefined;
  return { items, about: { ...unranked, commonWords: [] }, ...defined({ session, nextCursor, elsewhere }) };
}
