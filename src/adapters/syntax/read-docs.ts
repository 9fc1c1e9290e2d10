/**
 * Comments and docstrings, without their markers, with the symbol they belong to: the one that begins on the next line
 * (decorators and attributes aside), else the one on the same line, else the innermost one around.
 */
import type { Node } from "web-tree-sitter";
import type { DocFact } from "../../knowledge/code-index/index.ts";
import type { Captures } from "./collect-captures.ts";
import { lastRow, type PlacedSymbol } from "./read-symbols.ts";
import { lastAtMost, oneLine, type SourceText } from "./source-text.ts";

/** Rows from 0. `isInside`: a docstring or `//!`, which belongs to the definition around it. */
type Block = { readonly startRow: number; endRow: number; readonly text: string[]; readonly isInside: boolean };
export type Documented = { readonly docs: readonly DocFact[]; readonly symbols: readonly PlacedSymbol[] };

const longestDoc = 4_000;
const longestSummary = 400;
const mostAttributes = 20;
const mostSteps = 200;
const attribute = /^\s*(?:@|#\[|\[\w|template\s*<)/;

export function readDocs(captures: Captures, source: SourceText, symbols: readonly PlacedSymbol[]): Documented {
  const blocks = [
    ...joinLines(captures.named("comment"), source),
    ...captures.named("doc").map((node) => blockOf(node, source, true)),
  ];
  blocks.sort((a, b) => a.startRow - b.startRow);
  const byStart = new Map<number, number>();
  symbols.forEach(({ startRow }, index) => {
    for (const row of [startRow, firstRowOf(startRow, source)]) if (!byStart.has(row)) byStart.set(row, index);
  });
  const summaries = new Map<number, string>();
  const starts = symbols.map(({ startRow }) => startRow);
  const docs = blocks.flatMap((block) => {
    const { startRow, endRow, text, isInside } = block;
    const clean = text.join("\n").trim();
    if (clean === "") return [];
    const above = isInside ? undefined : (byStart.get(endRow + 1) ?? byStart.get(startRow));
    const owner = above ?? innermost(symbols, starts, block);
    if (owner !== undefined && (above !== undefined || isInside) && !summaries.has(owner))
      summaries.set(owner, oneLine(clean.slice(0, longestSummary * 2), longestSummary));
    const symbol = owner === undefined ? undefined : symbols[owner]!.fact;
    const named = symbol && (symbol.container === undefined ? symbol.name : `${symbol.container}.${symbol.name}`);
    return [
      {
        line: startRow + 1,
        endLine: endRow + 1,
        text: clean.slice(0, longestDoc),
        ...(named === undefined ? {} : { symbol: named }),
      },
    ];
  });
  return { docs, symbols: symbols.map((symbol, index) => withDoc(symbol, summaries.get(index))) };
}

function withDoc(symbol: PlacedSymbol, doc: string | undefined): PlacedSymbol {
  return doc === undefined ? symbol : { ...symbol, fact: { ...symbol.fact, doc } };
}

/** Comments of one line each that stand below each other are one. */
function joinLines(comments: readonly Node[], source: SourceText): readonly Block[] {
  const blocks: Block[] = [];
  let column = -1;
  for (const node of comments) {
    const block = blockOf(node, source, false);
    if (block.text.length === 0) continue;
    const last = blocks.at(-1);
    const isAlone = source.line(block.startRow).slice(0, node.startPosition.column).trim() === "";
    const isLine = isAlone && block.startRow === block.endRow;
    if (last !== undefined && isLine && column === node.startPosition.column && last.endRow === block.startRow - 1) {
      last.endRow = block.endRow;
      last.text.push(...block.text);
    } else blocks.push(block);
    column = isLine ? node.startPosition.column : -1;
  }
  return blocks;
}

function blockOf(node: Node, { text }: SourceText, isInside: boolean): Block {
  const raw = text.slice(node.startIndex, Math.min(node.endIndex, node.startIndex + longestDoc * 2));
  return {
    startRow: node.startPosition.row,
    endRow: lastRow(node),
    text: withoutMarkers(raw.trimEnd()),
    isInside: isInside || /^\/[/*]!/.test(raw),
  };
}

function withoutMarkers(comment: string): string[] {
  if (comment.startsWith("#!/")) return [];
  const quoted = /^[a-z]{0,2}("""|'''|"|')([^]*)\1$/i.exec(comment);
  return (quoted?.[2] ?? comment)
    .replace(/^(?:\/\*[*!]*|<!--|\(\*+|=begin)/, "")
    .replace(/(?:\*+\/|-->|\*+\)|=end)$/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/[/!]*|#+(?!\[)|--+|;+|\*(?!\/))?[ \t]?/, "").trimEnd());
}

/** The row of the first decorator or attribute above a definition. */
function firstRowOf(startRow: number, source: SourceText): number {
  let row = startRow;
  while (row > 0 && startRow - row < mostAttributes && attribute.test(source.line(row - 1))) row -= 1;
  return row;
}

/** Symbols are sorted by their beginning: the last one that begins before and ends after is the innermost. */
function innermost(symbols: readonly PlacedSymbol[], starts: readonly number[], block: Block): number | undefined {
  const last = lastAtMost(starts, block.startRow);
  for (let at = last; at >= 0 && last - at < mostSteps; at -= 1) if (symbols[at]!.endRow >= block.endRow) return at;
  return undefined;
}
