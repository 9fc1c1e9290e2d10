/** The facts of a tree: what the query of its language captured, put together. */
import type { QueryMatch, Tree } from "web-tree-sitter";
import type { FileFacts, PartialReason, SyntaxLimits } from "../../knowledge/code-index/index.ts";
import { collectCaptures } from "./collect-captures.ts";
import type { Language } from "./languages.ts";
import { readDocs } from "./read-docs.ts";
import { readImports } from "./read-imports.ts";
import { readReferences } from "./read-references.ts";
import { readSymbols } from "./read-symbols.ts";
import { sourceText } from "./source-text.ts";

export type Question = {
  readonly text: string;
  readonly language: Language;
  readonly limits: SyntaxLimits;
  /** Asked again and again while the text is read. */
  readonly whyStop: () => "time" | "memory" | undefined;
};

/** The reader of the tree frees it. */
export type ReadTree = { readonly tree: Tree; readonly matches: readonly QueryMatch[] };

/** `embedded`: the places of text in another language. */
export type TreeFacts = { readonly facts: FileFacts; readonly embedded: readonly Place[] };
type Place = { readonly start: number; readonly end: number };

export function readFacts(
  tree: Tree,
  matches: readonly QueryMatch[],
  { text, language, limits, whyStop }: Question,
): TreeFacts {
  const captures = collectCaptures(matches);
  const cut = whyStop();
  const source = sourceText(text);
  const found = readSymbols(captures, source, language);
  const { docs, symbols } = readDocs(captures, source, found.slice(0, limits.maxSymbols));
  const imports = readImports(captures, source, language.separator);
  const references = readReferences(captures, source, found, imports, limits.maxReferences);
  const isFull = found.length > limits.maxSymbols || references.length >= limits.maxReferences;
  const reason = cut ?? (isFull ? "limit" : tree.rootNode.hasError ? "syntax" : undefined);
  return {
    facts: {
      language: language.name,
      symbols: symbols.map(({ fact }) => fact),
      imports,
      references,
      docs,
      ...partial(reason),
    },
    embedded: captures.named("embedded").map((node) => ({ start: node.startIndex, end: node.endIndex })),
  };
}

export function emptyFacts(language: string, reason?: PartialReason): FileFacts {
  return { language, symbols: [], imports: [], references: [], docs: [], ...partial(reason) };
}

/** The facts of a text and of another one inside of it, in the order of the text. */
export function joinFacts(outer: FileFacts, inner: FileFacts): FileFacts {
  const byLine = (a: { readonly line: number }, b: { readonly line: number }): number => a.line - b.line;
  return {
    language: outer.language,
    symbols: [...outer.symbols, ...inner.symbols].sort(byLine),
    imports: [...outer.imports, ...inner.imports].sort(byLine),
    references: [...outer.references, ...inner.references].sort(byLine),
    docs: [...outer.docs, ...inner.docs].sort(byLine),
    ...partial(outer.partialReason ?? inner.partialReason),
  };
}

function partial(reason: PartialReason | undefined): Pick<FileFacts, "isPartial" | "partialReason"> {
  return reason === undefined ? { isPartial: false } : { isPartial: true, partialReason: reason };
}
