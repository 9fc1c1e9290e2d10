/**
 * Reads facts out of source text: one parser for each language, loaded when its first file comes.
 *
 *   text -> limits -> grammar (tree) -> query (captures) -> symbols, imports, references, docs
 *
 * Invariants: `extract` never throws over a text; a tree is freed before it returns; a parse or a query that takes too
 * long is stopped.
 */
import { Parser, Query, type QueryMatch, type Tree } from "web-tree-sitter";
import type { FileFacts, PartialReason, Syntax, SyntaxLimits } from "../../knowledge/code-index/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { readShippedFile } from "../../platform/shipped-files.ts";
import { collectCaptures } from "./collect-captures.ts";
import { languageOf } from "./language-of.ts";
import { type Language, languages } from "./languages.ts";
import { loadGrammar, startParser } from "./load-grammar.ts";
import { readDocs } from "./read-docs.ts";
import { readImports } from "./read-imports.ts";
import { readReferences } from "./read-references.ts";
import { readSymbols } from "./read-symbols.ts";
import { sourceText } from "./source-text.ts";
import { whyNotParsed } from "./why-not-parsed.ts";

type Reader = { readonly parser: Parser; readonly query: Query };
type Ports = { readonly clock: Pick<Clock, "monotonic"> };

export const defaultLimits: SyntaxLimits = {
  maxLength: 1_000_000,
  timeMs: 2_000,
  maxSymbols: 20_000,
  maxReferences: 50_000,
};

export async function openSyntax({ clock }: Ports): Promise<Syntax> {
  await startParser();
  const readers = new Map<string, Reader>();

  function readerOf(language: Language): Reader {
    const known = readers.get(language.name);
    if (known !== undefined) return known;
    const grammar = loadGrammar(language.grammar);
    const source = language.queries.map((name) => readShippedFile(`adapters/syntax/queries/${name}.scm`)).join("\n");
    const reader = { parser: new Parser().setLanguage(grammar), query: new Query(grammar, source) };
    readers.set(language.name, reader);
    return reader;
  }

  function extract(path: string, text: string, wanted: Partial<SyntaxLimits> = {}): FileFacts {
    const limits = { ...defaultLimits, ...wanted };
    const name = languageOf(path, text.slice(0, 200).split("\n", 1)[0]);
    const language = languages.get(name);
    if (language === undefined) return emptyFacts(name);
    const reason = whyNotParsed(text, limits);
    if (reason !== undefined) return emptyFacts(name, reason);
    const deadline = clock.monotonic() + limits.timeMs;
    return readFacts(readerOf(language), language, text, limits, () => clock.monotonic() >= deadline);
  }

  return { languageOf, extract };
}

function emptyFacts(language: string, reason?: PartialReason): FileFacts {
  const none = { language, symbols: [], imports: [], references: [], docs: [] };
  return reason === undefined ? { ...none, isPartial: false } : { ...none, isPartial: true, partialReason: reason };
}

function readFacts(
  { parser, query }: Reader,
  language: Language,
  text: string,
  limits: SyntaxLimits,
  isLate: () => boolean,
): FileFacts {
  let tree: Tree | null = null;
  try {
    tree = parser.parse(text, null, { progressCallback: isLate });
    if (tree === null) {
      parser.reset();
      return emptyFacts(language.name, "time");
    }
    const root = tree.rootNode;
    const matches: QueryMatch[] = query.matches(root, { progressCallback: isLate });
    const cut = isLate() ? "time" : undefined;
    return factsOf(matches, language, text, limits, cut ?? (root.hasError ? "syntax" : undefined));
  } finally {
    tree?.delete();
  }
}

function factsOf(
  matches: readonly QueryMatch[],
  language: Language,
  text: string,
  limits: SyntaxLimits,
  reason: PartialReason | undefined,
): FileFacts {
  const source = sourceText(text);
  const captures = collectCaptures(matches);
  const found = readSymbols(captures, source, language);
  const { docs, symbols } = readDocs(captures, source, found.slice(0, limits.maxSymbols));
  const imports = readImports(captures, source, language.separator);
  const references = readReferences(captures, source, found, imports, limits.maxReferences);
  const isCut = found.length > limits.maxSymbols || references.length >= limits.maxReferences;
  const partialReason = reason ?? (isCut ? ("limit" as const) : undefined);
  return {
    language: language.name,
    symbols: symbols.map(({ fact }) => fact),
    imports,
    references,
    docs,
    ...(partialReason === undefined ? { isPartial: false } : { isPartial: true, partialReason }),
  };
}
