/**
 * The Archivalist's skills with what they do: each calls the operation of the same meaning, in the session of its caller.
 *
 * A query sees its own session and what was promoted; others have to be asked for.
 */
import type { FoundEntry, OutputOf, SessionId } from "../../contract/index.ts";
import { callable, type CallableSkill } from "../skills/index.ts";
import type { HistoryAsk } from "./history-ask.ts";
import {
  brief,
  crossSessionQuery,
  decisionSearch,
  failureSearch,
  patternSearch,
  promoteToGlobal,
  query,
  sessionTimeline,
  store,
  tokenSavings,
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
    callable(brief, "read", ({ all_sessions: all, ...asked }, { session }) =>
      ask("history.brief", { ...asked, ...sessionsFor(all, session) }),
    ),
    callable(crossSessionQuery, "read", ({ query: words, session_ids: sessions, limit }) =>
      searchHistory(words, ask, { sessions, limit }),
    ),
    callable(workflowHistory, "read", async ({ limit, ...asked }) =>
      shown(await ask("history.list", { ...asked, category: "workflow", allSessions: true, limit: within(limit) })),
    ),
    callable(sessionTimeline, "read", async ({ session_id: of }, { session }) =>
      ask("history.timeline", { session: of ?? session, limit: mostEntries }),
    ),
    ...(
      [
        [patternSearch, "pattern"],
        [decisionSearch, "decision"],
      ] as const
    ).map(([skill, of]) =>
      callable(skill, "read", async ({ query: text, all_sessions: all, limit }, { session }) =>
        shown(await ask("history.similar", { text, of, ...sessionsFor(all, session), limit: within(limit) })),
      ),
    ),
    callable(failureSearch, "read", async ({ query: words, all_sessions: all, limit }, { session }) => {
      const where = { ...sessionsFor(all, session), limit: within(limit) };
      return shown(
        await (words === undefined
          ? ask("history.list", { failures: true, ...where })
          : ask("history.similar", { text: words, of: "failure", ...where })),
      );
    }),
    callable(tokenSavings, "read", ({ session_id: of, all_sessions: all }, { session }) =>
      ask("history.savings", sessionsFor(all, (of ?? session) as SessionId)),
    ),
    callable(promoteToGlobal, "change", ({ entry_id: id, ...terms }) => ask("history.promote", { id, ...terms })),
  ];
}

function sessionsFor(all: boolean | undefined, session: SessionId) {
  return all === true ? { allSessions: true } : { session };
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

type Shown = Pick<OutputOf<"history.list">, "items" | "about"> & { readonly elsewhere?: number | undefined };

/** A model needs what tells entries apart; the whole of one is read by its id. */
function shown({ items, about, elsewhere }: Shown) {
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
