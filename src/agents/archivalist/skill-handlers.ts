/**
 * The Archivalist's skills with what they do: each calls the operation of the same meaning, in the session of its caller.
 *
 * A query sees its own session and what was promoted; others have to be asked for.
 */
import type { FoundEntry, OutputOf, SessionId } from "../../contract/index.ts";
import { callable, type CallableSkill } from "../skills/index.ts";
import type { HistoryAsk } from "./history-ask.ts";
import {
  crossSessionQuery,
  failureSearch,
  promoteToGlobal,
  query,
  sessionTimeline,
  store,
  workflowHistory,
} from "./skills.ts";

const mostEntries = 50;
const usualEntries = 10;

export function archivalistCallables(ask: HistoryAsk): readonly CallableSkill[] {
  return [
    callable(store, "change", ({ content = {}, ...entry }, { session }) =>
      ask("history.store", { ...entry, content, session }),
    ),
    callable(query, "read", async ({ limit, ...asked }, { session }) =>
      shown(await ask("history.list", { ...asked, session, limit: within(limit) })),
    ),
    callable(crossSessionQuery, "read", ({ query: words, session_ids: sessions, limit }) =>
      searchHistory(words, ask, { sessions, limit }),
    ),
    callable(workflowHistory, "read", async ({ limit, ...asked }) =>
      shown(await ask("history.list", { ...asked, category: "workflow", allSessions: true, limit: within(limit) })),
    ),
    callable(sessionTimeline, "read", async ({ session_id: of }, { session }) => {
      const { items, ...rest } = await ask("history.list", {
        session: of ?? session,
        limit: mostEntries,
      });
      return shown({ items: items.toReversed(), ...rest });
    }),
    callable(failureSearch, "read", async ({ limit, query: words }) =>
      shown(await ask("history.list", { query: words, failures: true, allSessions: true, limit: within(limit) })),
    ),
    callable(promoteToGlobal, "change", ({ entry_id: id, ...terms }) => ask("history.promote", { id, ...terms })),
  ];
}

type Among = { readonly sessions?: readonly string[] | undefined; readonly limit?: number | undefined };

/** What all sessions of the project have kept about these words, the best first. */
export async function searchHistory(words: string, ask: HistoryAsk, { sessions, limit }: Among = {}) {
  const among = sessions === undefined ? { allSessions: true } : { sessions: sessions as SessionId[] };
  return shown(await ask("history.list", { query: words, ...among, limit: within(limit) }));
}

function within(limit = usualEntries): number {
  return Math.min(Math.max(1, limit), mostEntries);
}

/** A model needs what tells entries apart; the whole of one is read by its id. */
function shown({ items, about, elsewhere }: Pick<OutputOf<"history.list">, "items" | "about" | "elsewhere">) {
  return { entries: items.map(briefly), count: items.length, about, elsewhere };
}

function briefly({ id, session, category, title, content, at, score, promoted }: FoundEntry) {
  return {
    id,
    session,
    category,
    title: title.slice(0, 200),
    status: content.status ?? content.state,
    reason: content.reason,
    at,
    score,
    promoted: promoted?.reason,
  };
}
