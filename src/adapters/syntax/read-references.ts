/**
 * Mentions of names: one for each name and line; variables of the file itself are left out, and so are definitions. A name
 * that an import takes is one, too.
 */
import type { Node } from "web-tree-sitter";
import type { ImportFact, ReferenceFact } from "../../knowledge/code-index/index.ts";
import type { Captures } from "./collect-captures.ts";
import type { PlacedSymbol } from "./read-symbols.ts";
import { lastAtMost, type SourceText } from "./source-text.ts";

const longestName = 200;

export function readReferences(
  captures: Captures,
  { text }: SourceText,
  symbols: readonly PlacedSymbol[],
  imports: readonly ImportFact[],
  most: number,
): readonly ReferenceFact[] {
  const textOf = (node: Node): string => text.slice(node.startIndex, node.endIndex);
  const locals = new Set(captures.named("local").map(textOf));
  for (const { fact } of symbols) locals.delete(fact.name);
  for (const { names } of imports) for (const name of names) locals.delete(name);
  const skipped = new Set<number>(captures.definitions.keys());
  for (const name of ["ignored", "local"]) for (const node of captures.named(name)) skipped.add(node.startIndex);

  const isImporting = insideOf(Array.from(captures.imports.values(), ({ statement }) => statement));
  const isModule = insideOf(
    [...captures.definitions.values()].filter(({ kind }) => kind === "module").flatMap(({ names }) => names),
  );
  const imported = new Set(imports.flatMap(({ names }) => names));

  const found = new Map<string, ReferenceFact>();
  for (const given of ["call", "type", "use", "import"] as const) {
    for (const node of captures.named(given === "import" ? "import.name" : `reference.${given}`)) {
      const name = textOf(node);
      const isImport = isImporting(node);
      if (
        isImport
          ? name === "*" || !imported.has(name)
          : given === "import" || skipped.has(node.startIndex) || isModule(node)
      )
        continue;
      const kind = isImport ? "import" : given;
      if (name.length > longestName || /^\d/.test(name) || ((kind === "type" || kind === "use") && locals.has(name)))
        continue;
      const { row, column } = node.startPosition;
      const key = `${row}:${name}`;
      if (found.has(key)) continue;
      if (found.size >= most) break;
      found.set(key, { name, line: row + 1, column: column + 1, kind });
    }
  }
  return [...found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

function insideOf(statements: readonly Node[]): (node: Node) => boolean {
  const places = [...statements].sort((a, b) => a.startIndex - b.startIndex);
  const starts = places.map(({ startIndex }) => startIndex);
  const ends = places.map(({ endIndex }) => endIndex);
  return ({ startIndex }) => (ends[lastAtMost(starts, startIndex)] ?? 0) > startIndex;
}
