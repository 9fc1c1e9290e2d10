/** The archive on the command line. */
import type { FoundEntry, HistoryEntry, RawInputOf } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago } from "../wording.ts";

export const list = operationCommand("history.list", {
  fields: ["query"],
  example: 'sylk history "discount" --all-sessions',
  details:
    "Shows your session and entries that were promoted. Other sessions are searched with --sessions or --all-sessions, or where yours has nothing to show, which is said.",
  async adjust(input, { connect, out, json }) {
    if (json || input.cursor !== undefined) return input;
    const client = await connect();
    const isEmpty = async (asked: RawInputOf<"history.list">): Promise<boolean> =>
      (await client.call("history.list", { ...asked, limit: 1 })).items.length === 0;
    return orAllSessions(input, isEmpty, out);
  },
  print({ items, session, about }, out) {
    if (items.length === 0) {
      out.line(`Nothing was found${session === undefined ? "" : ` in ${session}`}`);
      out.note('runs, graphs and sessions are stored as they end; sylk history store "…" stores an entry');
      return;
    }
    printEntries(items, out);
    if (about.capped) out.line(`Only the newest ${about.cap} entries that hold one of the words were ranked`);
    if (about.commonWords.length > 0) out.line(`Too common to rank: ${about.commonWords.join(", ")}`);
  },
});

export const store = operationCommand("history.store", {
  fields: ["title"],
  example: `sylk history store "Round prices to whole cents" --category decision --content '{"why":"no fractions"}'`,
  adjust: ({ content, ...input }) => ({ ...input, ...(content === undefined ? {} : { content: jsonFrom(content) }) }),
  print({ entry, budget }, out) {
    out.line(`${entry.id}  stored in ${entry.session}  (${budget.used} of ${budget.max} tokens)`);
  },
});

export const show = operationCommand("history.get", {
  fields: ["id"],
  print({ entry }, out) {
    out.table(
      ["", ""],
      [
        ["title", entry.title],
        ["id", entry.id],
        ["session", entry.session],
        ["category", `${entry.category}, ${entry.kind ?? "entry"}`],
        ["stored by", entry.source ?? "unknown"],
        ["when", ago(entry.at)],
        ["marks", marksOf(entry)],
      ],
    );
    for (const line of JSON.stringify(entry.content, undefined, 2).split("\n")) out.line(`  | ${line}`);
  },
});

export const mark = operationCommand("history.mark", {
  fields: ["id", "mark"],
  print: ({ entry }, out) => out.line(`${entry.id}  ${marksOf(entry)}`),
});

export const promote = operationCommand("history.promote", {
  fields: ["id"],
  print({ entry }, out) {
    out.line(
      entry.promoted === undefined
        ? `${entry.id} is visible to its own session only`
        : `${entry.id} is visible to all sessions of the project: ${entry.promoted.reason}`,
    );
  },
});

/** A run has a session of its own, so a person's session is often empty while the project has a history. */
export async function orAllSessions(
  input: Fields,
  isEmpty: (asked: Fields) => Promise<boolean>,
  out: Output,
): Promise<Fields> {
  if (["session", "sessions", "allSessions"].some((field) => input[field] !== undefined)) return input;
  const wide = { ...input, allSessions: true };
  if (!(await isEmpty(input)) || (await isEmpty(wide))) return input;
  out.note("your session has nothing to show, so all sessions of the project are searched");
  return wide;
}
type Fields = Readonly<Record<string, unknown>>;

export function printEntries(items: readonly FoundEntry[], out: Output): void {
  out.table(
    ["when", "category", "result", "what", "session", "id"],
    items.map(({ id, title, category, content, at, session, promoted }) => [
      ago(at),
      category,
      resultOf(content),
      title.split("\n")[0]!.slice(0, 60),
      promoted === undefined ? session : `${session} (promoted)`,
      id,
    ]),
  );
}

function resultOf({ status, state = "" }: HistoryEntry["content"]): string {
  const told = status ?? state;
  return typeof told === "string" ? told : "";
}

function marksOf({ kept, archived, promoted }: HistoryEntry): string {
  const marks = [
    ...(kept === true ? ["kept"] : []),
    ...(archived === true ? ["archived"] : []),
    ...(promoted === undefined ? [] : [`promoted by ${promoted.by}: ${promoted.reason}`]),
  ];
  return marks.join(", ") || "none";
}

/** What is not JSON stays text, so that the daemon names the field it refuses. */
function jsonFrom(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown;
  } catch {
    return text;
  }
}
