/**
 * Queries of the archive: a page of the newest entries, or with words the best ones.
 *
 *   options -> sessions that are looked into -> filter -> entries, each with its session and score
 */
import { type Caller, invalidInput, type InputOf, type OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { Store } from "../../platform/store/index.ts";
import { scopeOf, type SessionPorts } from "./archive-scope.ts";
import { queryWords } from "./query-words.ts";
import { cap } from "./search.sqlite.ts";
import type { ArchiveRepository } from "./store.ts";

export type QueryPorts = SessionPorts & { readonly store: Store<{ readonly archive: ArchiveRepository }> };

const unranked = { method: "newest", threshold: 0, candidates: 0, cap, capped: false, commonWords: [] } as const;

export async function listHistory(
  {
    query = "",
    cursor,
    limit,
    archived: withArchived,
    failures,
    category,
    kind,
    source,
    status,
    ...asked
  }: InputOf<"history.list">,
  caller: Caller,
  ports: QueryPorts,
): Promise<OutputOf<"history.list">> {
  if (cursor !== undefined && !/^\d{1,16}-\d{1,16}$/.test(cursor))
    throw invalidInput("cursor", "is not one of an earlier page");
  const { archive } = ports.store.reader;
  const scope = await scopeOf(asked, caller, ports);
  const filter = { ...scope, category, kind, source, status, failures, withArchived };
  const words = queryWords(query);
  const session = scope.sessions?.length === 1 ? scope.sessions[0] : undefined;
  if (query.trim() !== "") {
    const { items, about } = await archive.search({ ...filter, words, limit });
    return { items: [...items], about: { ...about, commonWords: [...about.commonWords] }, ...defined({ session }) };
  }
  const found = await archive.list({ ...filter, before: cursor, limit: limit + 1 });
  const items = found.slice(0, limit).map(({ cursor: _cursor, ...entry }) => entry);
  const nextCursor = found.length > limit ? found[limit - 1]!.cursor : undefined;
  const isEmpty = items.length === 0 && scope.sessions !== undefined && cursor === undefined;
  const elsewhere = isEmpty ? await archive.count({ project: scope.project, sessions: undefined }) : undefined;
  return { items, about: { ...unranked, commonWords: [] }, ...defined({ session, nextCursor, elsewhere }) };
}
