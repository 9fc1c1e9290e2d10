/** Reports over the archive on the command line. */
import type { RawInputOf, Savings } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import { ago } from "../wording.ts";
import { orAllSessions, printEntries } from "./history.ts";

export const sessions = operationCommand("history.sessions", {
  fields: ["query"],
  print({ items, current }, out) {
    if (items.length === 0) return out.line("No session has kept anything here");
    out.table(
      ["session", "entries", "facts", "tokens", "categories", "last"],
      items.map(({ session, entries, facts, tokens, categories, lastAt }) => [
        session === current ? `${session} (current)` : session,
        String(entries),
        String(facts),
        `${tokens.used} of ${tokens.max}`,
        Object.entries(categories)
          .map(([category, count]) => `${category} ${count}`)
          .join(", "),
        ago(lastAt),
      ]),
    );
  },
});

export const timeline = operationCommand("history.timeline", {
  print({ session, items }, out) {
    if (items.length === 0) return out.line(`Session ${session} has no history`);
    out.table(
      ["when", "category", "result", "what", "id"],
      items.map(({ id, at, category, title, status = "" }) => [
        ago(at),
        category,
        status,
        title.split("\n")[0]!.slice(0, 70),
        id,
      ]),
    );
  },
});

export const workflows = operationCommand("history.workflows", {
  print({ items }, out) {
    if (items.length === 0) return out.line("No workflow was run here; --all-sessions looks into all sessions");
    out.table(
      ["runs", "ended", "what", "nodes", "first in", "last"],
      items.map(({ executions, outcomes, title, nodes, session, lastAt }) => [
        String(executions),
        Object.entries(outcomes)
          .map(([status, count]) => `${status} ${count}`)
          .join(", "),
        title.split("\n")[0]!.slice(0, 60),
        String(nodes.length),
        session,
        ago(lastAt),
      ]),
    );
  },
});

export const similar = operationCommand("history.similar", {
  fields: ["text"],
  print({ items, about }, out) {
    if (items.length === 0) return out.line(`Nothing similar was found (${about.method})`);
    printEntries(items, out);
    out.line(`Ranked by ${about.method}`);
  },
});

export const savings = operationCommand("history.savings", {
  print({ formula, sessions: bySession, total }, out) {
    const row = (name: string, { measured, estimated, cacheHits, skippedWork, consultations }: Savings) => [
      name,
      String(measured.saved),
      String(estimated.saved),
      String(cacheHits),
      String(skippedWork),
      String(consultations),
    ];
    out.table(
      ["session", "measured", "estimated", "cache hits", "skipped", "consulted"],
      [...bySession.map(({ session, ...one }) => row(session, one)), row("total", total)],
    );
    out.line(formula);
  },
});

export const brief = operationCommand("history.brief", {
  fields: ["tier"],
  example: "sylk brief micro",
  details:
    "Sums up your session and entries that were promoted. All sessions of the project are summed up with --all-sessions, or where yours has nothing to show, which is said.",
  async adjust(input, { connect, out, json }) {
    if (json) return input;
    const client = await connect();
    const isEmpty = async (asked: RawInputOf<"history.brief">): Promise<boolean> => {
      const { entries, warnings } = await client.call("history.brief", asked);
      return entries + warnings.length === 0;
    };
    return orAllSessions(input, isEmpty, out);
  },
  print: ({ text }, out) => text.split("\n").forEach((line) => out.line(line)),
});
