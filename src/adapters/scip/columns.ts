/** Columns of an index, in the units of its encoding, as UTF-16 columns of the text; undefined where the text has no such place. */
import type { ScipDocument, ScipOccurrence } from "./decode-document.ts";

export function inUtf16(
  [line, column, endLine, endColumn]: ScipOccurrence["range"],
  lines: readonly string[],
  encoding: ScipDocument["encoding"],
): ScipOccurrence["range"] | undefined {
  const start = columnIn(lines[line], column, encoding);
  const end = columnIn(lines[endLine], endColumn, encoding);
  return start === undefined || end === undefined ? undefined : [line, start, endLine, end];
}

function columnIn(line: string | undefined, column: number, encoding: ScipDocument["encoding"]): number | undefined {
  if (line === undefined) return undefined;
  if (encoding === "utf-16") return column <= line.length ? column : undefined;
  let units = 0;
  let at = 0;
  for (const character of line) {
    if (units >= column) break;
    units += encoding === "utf-32" ? 1 : Buffer.byteLength(character);
    at += character.length;
  }
  return units === column ? at : undefined;
}
