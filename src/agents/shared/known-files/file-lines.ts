/** A piece of a file, by its lines and within a limit. */
import type { KnownText } from "./known-files.ts";

export type Lines = {
  readonly path: string;
  /** Of the first line that is shown. */
  readonly from: number;
  readonly to: number;
  /** How many the file has. */
  readonly of: number;
  readonly text: string;
  /** Set when there was no room for all that was asked for. */
  readonly cut?: true;
  /** Answered from memory: the file is read often and unchanged. */
  readonly cached?: true;
};
type Wanted = { readonly from?: number | undefined; readonly to?: number | undefined };

const mostLines = 1_000;
const mostText = 60_000;

/** A negative `from` counts from the end. */
export function inLines({ path, text, cached }: KnownText, wanted: Wanted): Lines {
  const all = text.replace(/\n$/, "").split("\n");
  const { from = 1, to = all.length } = wanted;
  const first = Math.max(1, from < 0 ? all.length + from + 1 : from);
  const last = Math.min(to, all.length, first + mostLines - 1);
  const shown = all.slice(first - 1, last).join("\n");
  const isCut = last < Math.min(to, all.length) || shown.length > mostText;
  return {
    path,
    from: first,
    to: Math.max(first - 1, last),
    of: all.length,
    text: shown.slice(0, mostText),
    ...(isCut ? { cut: true as const } : {}),
    ...(cached === undefined ? {} : { cached }),
  };
}
