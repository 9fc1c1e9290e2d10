/**
 * A briefing, put together without a model: what a newcomer needs first.
 *
 *   micro     the latest state, the warnings                      a few lines
 *   standard  + decisions, facts, open threads, similar work      a page
 *   full      + patterns, insights, preferences, summaries, runs  all sections, more of each
 *
 * A failure that was seen at least twice is a warning. Every line names the session it comes from.
 */
import type { Caller, FoundEntry, HistoryEntry, InputOf, OutputOf, Warning } from "../../contract/index.ts";
import { scopeOf } from "./archive-scope.ts";
import { tokensOf } from "./entry-row.ts";
import type { QueryPorts } from "./list-history.ts";
import { queryWords } from "./query-words.ts";
import type { EntryFilter } from "./store.ts";

type Tier = InputOf<"history.brief">["tier"];
type Section = { readonly title: string; readonly filter: Partial<EntryFilter>; readonly from: Tier };

const order: readonly Tier[] = ["micro", "standard", "full"];
const mostOf: Readonly<Record<Tier, number>> = { micro: 2, standard: 5, full: 15 };
const longestLine = 160;
const sections: readonly Section[] = [
  { title: "Latest work", filter: { category: "workflow" }, from: "micro" },
  { title: "State", filter: { category: "task_state" }, from: "micro" },
  { title: "Decisions", filter: { category: "decision" }, from: "standard" },
  { title: "Facts", filter: { kind: "fact" }, from: "standard" },
  { title: "Open threads", filter: { category: "open_thread" }, from: "standard" },
  { title: "Patterns", filter: { category: "pattern" }, from: "full" },
  { title: "Insights", filter: { category: "insight" }, from: "full" },
  { title: "Preferences", filter: { category: "user_preference" }, from: "full" },
  { title: "Summaries", filter: { kind: "summary" }, from: "full" },
];

export async function briefSession(
  { tier, task, ...asked }: InputOf<"history.brief">,
  caller: Caller,
  ports: QueryPorts,
): Promise<OutputOf<"history.brief">> {
  const { own: _own, ...scope } = await scopeOf(asked, caller, ports);
  return briefing({ tier, task }, scope, ports.store.reader);
}

async function briefing(
  { tier, task }: { readonly tier: Tier; readonly task?: string | undefined },
  scope: Pick<EntryFilter, "project" | "sessions">,
  { archive }: QueryPorts["store"]["reader"],
): Promise<OutputOf<"history.brief">> {
  const limit = mostOf[tier];
  const warnings = await archive.warnings(scope, limit);
  const parts: string[] = [];
  let entries = 0;
  if (warnings.length > 0) parts.push(partOf("Seen to fail before", warnings.map(warningLine)));
  for (const { title, filter, from } of sections) {
    if (order.indexOf(from) > order.indexOf(tier)) continue;
    const found = await archive.list({ ...scope, ...filter, before: undefined, limit });
    entries += found.length;
    if (found.length > 0) parts.push(partOf(title, found.map(entryLine)));
  }
  if (task !== undefined && tier !== "micro") {
    const search = { ...scope, category: "workflow", words: queryWords(task), limit };
    const { items } = await archive.search(search);
    entries += items.length;
    if (items.length > 0) parts.push(partOf("Similar work", items.map(entryLine)));
  }
  const text = parts.length === 0 ? "The archive has nothing to tell yet." : parts.join("\n\n");
  return { tier, text, tokens: tokensOf(text), entries, warnings: [...warnings] };
}

/** Of all sessions of the project: each run has a session of its own, and what it needs happened in others. */
export async function briefingFor(
  { tier, task }: { readonly tier: Tier; readonly task?: string | undefined },
  project: EntryFilter["project"],
  reader: QueryPorts["store"]["reader"],
): Promise<string | undefined> {
  const { text, entries, warnings } = await briefing({ tier, task }, { project, sessions: undefined }, reader);
  return entries + warnings.length === 0 ? undefined : text;
}

function partOf(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...lines.map((line) => `- ${line}`)].join("\n");
}

function warningLine({ reason, count, sessions }: Warning): string {
  return `${count} times: ${oneLine(reason)} (${sessions.length === 1 ? sessions[0] : `${sessions.length} sessions`})`;
}

function entryLine({ title, content, session }: FoundEntry | HistoryEntry): string {
  const status = content.status ?? content.state;
  const result = typeof status === "string" ? `${status}: ` : "";
  const reason = typeof content.reason === "string" ? ` · ${oneLine(content.reason)}` : "";
  return `${result}${oneLine(title)}${reason} (${session})`;
}

function oneLine(text: string): string {
  return text.split("\n")[0]!.slice(0, longestLine);
}
