/**
 * Tokens that were not spent: calls that a cached or known answer made unnecessary, and context that was not sent.
 *
 *   saved = avoided + context - serving; measured where the cost of the avoided call is on record, else estimated
 */
import type { ArchiveSession, Caller, InputOf, OutputOf, Savings } from "../../contract/index.ts";
import { requireSession, scopeOf } from "./archive-scope.ts";
import type { QueryPorts } from "./list-history.ts";
import type { QueryCounts } from "./query-counts.ts";
import type { QueryTally, SavingTally } from "./store.ts";

export type SavingsPorts = QueryPorts & { readonly counts: Pick<QueryCounts, "waiting"> };

const formula =
  "saved = avoided + context - serving; avoided: tokens of model calls that were not made, measured by the recorded cost of the original call, else estimated; context: tokens that were not sent, estimated at four characters a token; serving: tokens that the answer cost instead";

export async function reportSavings(
  { session, allSessions }: InputOf<"history.savings">,
  caller: Caller,
  ports: SavingsPorts,
): Promise<OutputOf<"history.savings">> {
  const { project, sessions } = await scopeOf({ session, allSessions }, caller, ports);
  const only = sessions === undefined ? undefined : requireSession(sessions[0]);
  const { archive } = ports.store.reader;
  const saved = await archive.savings(project, only);
  const queries = [...(await archive.queries(project, only)), ...ports.counts.waiting(project, only)];
  const names = [...new Set([...saved, ...queries].map((row) => row.session))].toSorted();
  const of = (name: ArchiveSession) => ({
    session: name,
    ...total(
      saved.filter((row) => row.session === name),
      queries.filter((row) => row.session === name),
    ),
  });
  return { formula, sessions: names.map(of), total: total(saved, queries) };
}

function total(saved: readonly SavingTally[], queries: readonly QueryTally[]): Savings {
  const count = (kind: SavingTally["kind"]): number =>
    saved.reduce((sum, row) => sum + (row.kind === kind ? row.count : 0), 0);
  const asked = (scope: QueryTally["scope"]): number =>
    queries.reduce((sum, row) => sum + (row.scope === scope ? row.asked : 0), 0);
  const measured = saved.filter((row) => row.isMeasured);
  return {
    // Context that was not sent is never measured: no provider reports it.
    measured: tokens(sumOf(measured, "avoided"), 0, sumOf(measured, "serving")),
    estimated: tokens(
      sumOf(saved, "avoided") - sumOf(measured, "avoided"),
      sumOf(saved, "context"),
      sumOf(saved, "serving") - sumOf(measured, "serving"),
    ),
    cacheHits: count("cache-hit"),
    skippedWork: count("skipped-work"),
    consultations: count("consultation"),
    queries: {
      session: asked("session"),
      sessions: asked("sessions"),
      all: asked("all"),
      cached: queries.reduce((sum, row) => sum + row.cached, 0),
    },
  };
}

function sumOf(rows: readonly SavingTally[], column: "avoided" | "context" | "serving"): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}

function tokens(avoided: number, context: number, serving: number): Savings["measured"] {
  return { avoided, context, serving, saved: avoided + context - serving };
}
