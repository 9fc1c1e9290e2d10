/** A backslash and the character it makes literal. Shared by globs and by the classes inside them. */
import { InvalidPattern } from "./invalid-pattern.ts";

export type Letter = { readonly codePoint: number; readonly end: number };

/** Only punctuation needs escaping, so `src\app` is a Windows path and not the file `srcapp`. */
const ESCAPABLE = /[!-.:-@[-`{-~ ]/;

export function readEscape(source: string, position: number): Letter {
  const escaped = source[position + 1];
  if (escaped === undefined)
    throw new InvalidPattern(source, position, "nothing follows the backslash; write \\\\ for a backslash");
  if (!ESCAPABLE.test(escaped))
    throw new InvalidPattern(
      source,
      position,
      "only punctuation can be escaped; separate segments by / and write letters plainly",
    );
  return { codePoint: escaped.charCodeAt(0), end: position + 2 };
}

export function readLetter(source: string, position: number): Letter {
  const codePoint = source.codePointAt(position) as number;
  return { codePoint, end: position + (codePoint > 0xffff ? 2 : 1) };
}
