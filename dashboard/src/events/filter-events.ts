/** Filters of the log: by type pattern, by text, by the id of a thing. */
import type { LogEvent } from "../daemon/contract.ts";
import type { HeldLog, Range } from "./merge-events.ts";
import { sayEvent } from "./say-event.ts";

export type Wanted = { readonly text: string; readonly subject: string };
export type LogRow = { readonly kind: "event"; readonly event: LogEvent } | ({ readonly kind: "gap" } & Range);

/** `*` matches one part, `**` the rest, as the daemon reads it. */
export function matchesType(pattern: string, type: string): boolean {
  const wanted = pattern.split(".");
  const parts = type.split(".");
  const rest = wanted.indexOf("**");
  const head = rest < 0 ? wanted : wanted.slice(0, rest);
  if (rest < 0 ? parts.length !== wanted.length : parts.length < head.length) return false;
  return head.every((part, index) => part === "*" || part === parts[index]);
}

/** Rows in order of the log, a gap where retention took events. */
export function rowsOf({ events, removed }: HeldLog, { text, subject }: Wanted): readonly LogRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isAll = words.length === 0 && subject === "";
  const shown = isAll ? events : events.filter((event) => isWanted(event, words, subject));
  const rows: LogRow[] = [];
  let next = 0;
  for (const event of shown) {
    for (; next < removed.length && removed[next]!.upTo < event.sequence; next++)
      rows.push({ kind: "gap", ...removed[next]! });
    rows.push({ kind: "event", event });
  }
  for (; next < removed.length; next++) rows.push({ kind: "gap", ...removed[next]! });
  return rows;
}

function isWanted(event: LogEvent, words: readonly string[], subject: string): boolean {
  if (subject !== "" && event.subject !== subject && !textOf(event).includes(`"${subject.toLowerCase()}"`))
    return false;
  return words.every((word) => textOf(event).includes(word));
}

const texts = new WeakMap<LogEvent, string>();

/** Made once per event: a filter is typed letter by letter. */
function textOf(event: LogEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text =
    `${event.sequence} ${event.type} ${event.subject} ${sayEvent(event)} ${JSON.stringify(event.data)}`.toLowerCase();
  texts.set(event, text);
  return text;
}
