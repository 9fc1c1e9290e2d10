/** Times, counts and lines that several commands say in the same words. */
import { invalidInput } from "../../contract/errors.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { cutAtEnd } from "./display-width.ts";
import type { Output } from "./output.ts";

const clock = systemClock();

/** The first line about a run or a graph. The id is whole, because a person copies it; a long name gives way. */
export function titleLine(name: string, id: string, out: Pick<Output, "paint" | "width">): string {
  const shown = cutAtEnd(name, out.width - id.length - 2);
  return `${out.paint("bold", shown)}  ${out.paint("dim", id)}`;
}

/** After Ctrl-C. */
export function keepsRunning(id: string): string {
  const [watch, cancel] = id.startsWith("run_") ? ["run watch", "cancel"] : ["dag watch", "dag cancel"];
  return `${id} keeps running; watch it: sylk ${watch} ${id}    cancel it: sylk ${cancel} ${id}`;
}

/** Three words for three things; the help of each says which is which. */
export const givingUp =
  "unclaim gives up a work item and keeps its status; release gives it up and reopens it; free ends a reservation of files.";
export const approving =
  'Another word for "sylk approve", which takes a run, a DAG run or an approval and also answers questions.';
export const stopping =
  "run pause lets nodes in progress finish; interrupt stops them and starts them again on resume; cancel ends the run.";

export function ago(at: number): string {
  return `${span(clock.now() - at)} ago`;
}

export function left(until: number): string {
  return `${span(until - clock.now())} left`;
}

export function inTime(at: number): string {
  return at <= clock.now() ? "now" : `in ${span(at - clock.now())}`;
}

export function megabytes(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

/** "1 model call", "2 model calls". */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** `{events: 3, workItems: 1}` as "3 events, 1 work item"; what is not there is not named. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  return named.map(([name, count]) => `${count} ${thing(name, count)}`).join(", ") || "nothing";
}

function thing(name: string, count: number): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll("-", " ");
  if (words === "history") return count === 1 ? "history entry" : "history entries";
  const one = words.replace(/s$/, "");
  return count === 1 ? one : `${one}s`;
}

export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** "30s", "5m", "250ms", "30" for seconds; what does not read as a time stays text, so that the daemon names the field it refuses. */
export function duration(text: string): number | string {
  const [, digits, unit = "s"] = /^(\d{1,9})(ms|s|m|h)?$/.exec(text) ?? [];
  return digits === undefined ? text : Number(digits) * units[unit as keyof typeof units];
}

/** A duration as it is typed: 300000 is "5m". */
export function typedDuration(ms: number): string {
  const unit = (["h", "m", "s"] as const).find((name) => ms >= units[name] && ms % units[name] === 0) ?? "ms";
  return `${ms / units[unit]}${unit}`;
}

/** "200k", "1m", "5000"; what does not read as a number of tokens stays text. */
export function tokens(text: string): number | string {
  const [, digits, unit] = /^(\d{1,12})([km])?$/i.exec(text) ?? [];
  if (digits === undefined) return text;
  return Number(digits) * (unit === undefined ? 1 : unit.toLowerCase() === "k" ? 1_000 : 1_000_000);
}

const ages = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000, w: 7 * 24 * 3_600_000 } as const;

/** A flag that names a time in the past, by age or by date. */
export function pastTime(flag: string, given: unknown): number {
  const text = typeof given === "string" ? given : "";
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return clock.now() - Number(count) * ages[unit as keyof typeof ages];
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(date)) return date;
  throw invalidInput(flag, "must be an age or a date", {
    sentence: `--${flag} must be an age such as 30d or a date such as 2026-11-01, not "${text}"`,
  });
}
