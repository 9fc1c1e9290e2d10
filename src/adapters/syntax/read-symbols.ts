/**
 * Definitions as symbols: where they are, what is around them, how they begin, whether other files see them.
 *
 * Invariant: definitions come sorted by where they begin, the outer before the inner, so the names around one are a stack.
 */
import type { SymbolFact } from "../../knowledge/code-index/index.ts";
import type { Captures, Definition } from "./collect-captures.ts";
import type { Language } from "./languages.ts";
import { oneLine, type SourceText } from "./source-text.ts";

/** A symbol and the rows of its whole definition, from 0. */
export type PlacedSymbol = { readonly fact: SymbolFact; readonly startRow: number; readonly endRow: number };

type Around = {
  readonly name: string;
  readonly node: number;
  readonly end: number;
  readonly kind: string;
  readonly exported: boolean;
};

/** No file names what is inside of these. */
const closedKinds: ReadonlySet<string> = new Set(["function", "method", "macro"]);
/** Their signature ends before the first brace even where the grammar has no word for what follows. */
const bracedKinds: ReadonlySet<string> = new Set(["class", "interface", "struct", "enum", "module", "macro"]);

/** Words before a definition on its line that belong to it. */
const modifiers =
  /^(?:(?:export|default|declare|const|let|var|abstract|async|static|readonly|public|private|protected|internal|final|override|virtual|sealed|partial|unsafe|extern|pub(?:\([^)]*\))?|type|inline|typedef|open|data|case|mut|rec|and|module|class|exception)\s+)+$/;

/** A bracket or an `@` at their beginning is their own. */
const unannotatedKinds: ReadonlySet<string> = new Set(["config", "const", "type"]);
/** Words for tools in front of a definition: `@Override`, `[Serializable]`, `#[Entity]`. */
const annotations = /^(?:(?:@(?!interface\b)[\w.]+(?:\([^)]*\))?|#?\[[^\]]*\])\s+)+/;

export function readSymbols(captures: Captures, source: SourceText, language: Language): readonly PlacedSymbol[] {
  const exportedNames = new Set(
    captures.named("exported").map((node) => source.text.slice(node.startIndex, node.endIndex)),
  );
  const stack: Around[] = [];
  const symbols: PlacedSymbol[] = [];
  const sorted = [...captures.definitions.values()].sort(
    (a, b) => a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex || a.pattern - b.pattern,
  );
  for (const definition of sorted) {
    const { node, names, kind } = definition;
    const end = node.endIndex;
    // Two names of one node (`a, b = 1, 2`) stand beside each other.
    while (stack.length > 0 && (stack.at(-1)!.end <= node.startIndex || stack.at(-1)!.node === node.id)) stack.pop();
    const name = oneLine(
      names.map((part) => bareName(source.text.slice(part.startIndex, part.endIndex))).join("."),
      200,
    );
    if (name === "") continue;
    const receiver =
      definition.container && source.text.slice(definition.container.startIndex, definition.container.endIndex);
    const container = [...stack.map((around) => around.name), ...(receiver === undefined ? [] : [receiver])].join(".");
    const signature = signatureOf(definition, source);
    const around = stack.at(-1);
    const exported =
      (around === undefined && exportedNames.has(name)) ||
      language.isExported({
        name,
        signature,
        inherited: around && around.exported && !closedKinds.has(around.kind),
        isInInterface: around?.kind === "interface" || around?.kind === "enum",
      });
    stack.push({ name, node: node.id, end, kind, exported: kind === "scope" || exported });
    if (kind === "scope") continue;
    const first = names[0]!;
    const endRow = lastRow(node);
    symbols.push({
      startRow: node.startPosition.row,
      endRow,
      fact: {
        name,
        kind,
        line: first.startPosition.row + 1,
        column: first.startPosition.column + 1,
        endLine: endRow + 1,
        ...(container === "" ? {} : { container: oneLine(container, 200) }),
        signature,
        exported,
      },
    });
  }
  return symbols;
}

/** From the words before the definition to its body, or to its end where it has none. */
function signatureOf({ node, names, body, kind }: Definition, { text, starts, line }: SourceText): string {
  if (node.id === names[0]?.id && kind !== "enum-member")
    return oneLine(line(node.startPosition.row).slice(0, 1_000), 200).replace(/^\}\s*|;$/g, "");
  const lineStart = starts[node.startPosition.row] ?? node.startIndex;
  const before = text.slice(lineStart, node.startIndex).trimStart();
  const start = before.length < 100 && modifiers.test(before) ? node.startIndex - before.length : node.startIndex;
  const inner = body ?? node.childForFieldName("body") ?? node.childForFieldName("value")?.childForFieldName("body");
  const end = inner?.startIndex ?? node.endIndex;
  const whole = text.slice(start, Math.min(end, start + 1_000));
  const brace = bracedKinds.has(kind) && inner === undefined ? whole.indexOf("{") : -1;
  return oneLine(brace > 0 ? whole.slice(0, brace) : whole, 200)
    .replace(unannotatedKinds.has(kind) ? /^$/ : annotations, "")
    .replace(/\s*(?:[{:=,;]|=>)+$/, "");
}

/** A node that takes its line's end with it ends on the line before. */
export function lastRow(node: Definition["node"]): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

/** Quotes and angle brackets off; Ruby's symbols and a shell's `name=` are names too. */
function bareName(text: string): string {
  return unquoted(text)
    .replace(/^:(?=\w)/, "")
    .replace(/^(?!operator)(\w[\w-]*)=$/, "$1");
}

export function unquoted(text: string): string {
  return /^(?:"[^]*"|'[^]*'|`[^]*`|<[^]*>)$/.test(text) ? text.slice(1, -1) : text;
}
