/**
 * Tables that fit their terminal.
 *
 *   too wide? -> empty columns left out -> ids to their unique start -> paths cut in the middle
 *             -> text wrapped between words
 *             -> columns left out, those that the caller can do without first; the last line names them
 *
 * Nothing is cut where everything fits. A word is never broken over two lines: one that is too long is cut with ….
 */
import { stripVTControlCharacters } from "node:util";
import { cutInMiddle, displayWidth, lettersOf } from "./display-width.ts";

export type TableTerms = {
  readonly width: number;
  /** Titles of columns in the order in which they are left out. */
  readonly spare?: readonly string[] | undefined;
  /** The column that the table is about: the others give way to it as long as they can. */
  readonly whole?: number | undefined;
};
type Row = readonly string[];
type Column = {
  readonly title: string;
  readonly cells: readonly string[];
  readonly kind: "id" | "path" | "text" | "whole";
  /** Starts of its ids that are unique in it. */
  readonly short: ReadonlyMap<string, string>;
};

const gap = 2;
const shortPath = 18;
const shortText = 16;
const shortestText = 8;
const idPattern = /^[a-z]{3}_[0-9a-z]{22}$/;
/** Eight characters of an id tell one second from the next. */
const shortestId = "wrk_".length + 8;

/** The lines of a table; `left` names the columns that have no room. */
export function renderTable(
  header: Row,
  rows: readonly Row[],
  { width, spare = [], whole }: TableTerms,
): { readonly head: readonly string[]; readonly lines: readonly string[]; readonly left: readonly string[] } {
  let columns: readonly Column[] = columnsOf(header, rows).map((column, at) =>
    at === whole ? { ...column, kind: "whole" as const } : column,
  );
  if (sum(fitted(columns, width, shortText)) > width) columns = columnsOf(header, rows);
  if (sum(columns.map(naturalWidth)) > width) columns = columns.filter((column, at) => at === 0 || hasContent(column));
  const left: string[] = [];
  let widths = fitted(columns, width, shortText);
  for (;;) {
    if (sum(widths) <= width) break;
    const gone = dispensable(columns, spare);
    if (gone === undefined) {
      widths = fitted(columns, width, shortestText);
      if (sum(widths) <= width || columns.length === 1) break;
    }
    const index = gone ?? columns.length - 1;
    left.push(columns[index]!.title);
    columns = columns.toSpliced(index, 1);
    widths = fitted(columns, width, shortText);
  }
  const isTitled = header.some((cell) => cell !== "");
  const cells = rows.map((_, at) => columns.map((column) => column.cells[at]!));
  return {
    head: isTitled
      ? linesOf(
          columns.map(({ title }) => title),
          columns,
          widths,
        )
      : [],
    lines: cells.flatMap((row) => linesOf(row, columns, widths)),
    left,
  };
}

function columnsOf(header: Row, rows: readonly Row[]): readonly Column[] {
  return header.map((title, at) => {
    const cells = rows.map((row) => row[at] ?? "");
    const kind = kindOf(cells);
    return { title, cells, kind, short: kind === "id" ? uniqueStarts(cells) : new Map() };
  });
}

function kindOf(cells: readonly string[]): Column["kind"] {
  const filled = cells.map(plain).filter((cell) => cell !== "" && cell !== "-");
  if (filled.length === 0) return "text";
  if (filled.every((cell) => idPattern.test(cell))) return "id";
  return filled.every((cell) => cell.includes("/") && !/\s/.test(cell)) ? "path" : "text";
}

function naturalWidth({ title, cells }: Column): number {
  return widest([title, ...cells]);
}

function hasContent({ cells }: Column): boolean {
  return cells.some((cell) => plain(cell) !== "");
}

/** A column that the caller can do without; never the first. */
function dispensable(columns: readonly Column[], spare: readonly string[]): number | undefined {
  return spare.map((title) => columns.findIndex((column) => column.title === title)).find((at) => at > 0);
}

/** The width of each column: natural where all fit, else ids first, then paths, then text give way. */
function fitted(columns: readonly Column[], width: number, least: number): readonly number[] {
  const natural = columns.map(naturalWidth);
  if (sum(natural) <= width) return natural;
  const shortIds = columns.map((column, at) =>
    column.kind === "id"
      ? widest([column.title, ...column.cells.map((cell) => shortened(cell, column))])
      : natural[at]!,
  );
  const shortPaths = narrowed(shortIds, width, columns, "path", shortPath);
  return narrowed(shortPaths, width, columns, "text", least);
}

/** Takes from the widest column of a kind until the table fits or none has more than the least. */
function narrowed(
  given: readonly number[],
  width: number,
  columns: readonly Column[],
  kind: Column["kind"],
  least: number,
): readonly number[] {
  const widths = [...given];
  const floor = columns.map(({ title }) => Math.max(least, Math.min(displayWidth(title), shortestText)));
  for (let over = sum(widths) - width; over > 0; over--) {
    const candidates = widths.flatMap((each, at) => (columns[at]!.kind === kind && each > floor[at]! ? [at] : []));
    if (candidates.length === 0) break;
    const at = candidates.reduce((most, one) => (widths[one]! > widths[most]! ? one : most));
    widths[at]!--;
  }
  return widths;
}

function shortened(cell: string, { short }: Column): string {
  const start = short.get(plain(cell));
  return start === undefined ? cell : recoloured(cell, start);
}

/** Of each id the shortest start that no other id of the column has: its neighbours in order are the likest. */
function uniqueStarts(cells: readonly string[]): ReadonlyMap<string, string> {
  const ids = [...new Set(cells.map(plain).filter((cell) => idPattern.test(cell)))].sort();
  return new Map(
    ids.map((id, at) => {
      const shared = Math.max(sharedLength(id, ids[at - 1] ?? ""), sharedLength(id, ids[at + 1] ?? ""));
      return [id, id.slice(0, Math.max(shortestId, shared + 1))];
    }),
  );
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function linesOf(row: Row, columns: readonly Column[], widths: readonly number[]): readonly string[] {
  const wrapped = row.map((cell, at) => cellLines(cell, columns[at]!, widths[at]!));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, at) => {
        const text = lines[line] ?? "";
        return at === row.length - 1 ? text : text + " ".repeat(Math.max(0, widths[at]! - displayWidth(text)) + gap);
      })
      .join("")
      .trimEnd(),
  );
}

function cellLines(cell: string, column: Column, width: number): readonly string[] {
  if (displayWidth(cell) <= width) return [cell];
  const text = column.kind === "id" ? shortened(cell, column) : cell;
  if (displayWidth(text) <= width) return [text];
  if (column.kind === "path") return [recoloured(text, cutInMiddle(plain(text), width))];
  return wrapWords(plain(text), width).map((line) => recoloured(cell, line));
}

/** Lines of whole words; scripts without spaces break between letters. A longer word is cut in its middle. */
export function wrapWords(text: string, width: number): readonly string[] {
  const indent = /^ */.exec(text)![0];
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(/\s+/).flatMap(breakable)) {
    const fits = cutInMiddle(word.text, width - indent.length);
    const joined = line.trim() === "" ? line + fits : `${line}${word.glued ? "" : " "}${fits}`;
    if (displayWidth(joined) <= width) line = joined;
    else {
      lines.push(line);
      line = indent + fits;
    }
  }
  return [...lines, line];
}

/** A word of a script without spaces may be broken between any two letters. */
function breakable(word: string): readonly { readonly text: string; readonly glued: boolean }[] {
  const isSpaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
  const parts = isSpaceless ? lettersOf(word) : [word];
  return parts.map((text, at) => ({ text, glued: at > 0 }));
}

/** Another text in the colour that a whole cell has. */
function recoloured(cell: string, text: string): string {
  const [, open, close] = /^(\u001b\[\d+m).*(\u001b\[\d+m)$/s.exec(cell) ?? [];
  return open === undefined ? text : `${open}${text}${close}`;
}

function plain(cell: string): string {
  return stripVTControlCharacters(cell);
}

function widest(cells: readonly string[]): number {
  return Math.max(0, ...cells.map(displayWidth));
}

/** All columns with the gaps between them. */
function sum(widths: readonly number[]): number {
  return widths.reduce((total, each) => total + each, 0) + gap * Math.max(0, widths.length - 1);
}
