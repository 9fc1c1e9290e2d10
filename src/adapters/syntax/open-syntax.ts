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
import { scriptAlone } from "./embedded-script.ts";
import { createPatternSearch } from "./find-pattern.ts";
import { languageOf } from "./language-of.ts";
import { type Language, languages } from "./languages.ts";
import { loadGrammar, startParser, withoutOptimizing } from "./load-grammar.ts";
import { emptyFacts, joinFacts, type Question, readFacts, type ReadTree } from "./read-facts.ts";
import { readGoMod } from "./read-go-mod.ts";
import { readMarkdown } from "./read-markdown.ts";
import { whyNotParsed } from "./why-not-parsed.ts";

type Reader = { readonly parser: Parser; readonly query: Query; readonly isOptimized: boolean };

const defaultLimits: SyntaxLimits = {
  maxLength: 1_000_000,
  timeMs: 2_000,
  maxSymbols: 20_000,
  maxReferences: 50_000,
};

/** Read without a grammar. */
const byLines = new Map([
  ["markdown", readMarkdown],
  ["go-mod", readGoMod],
]);

/** What a parse may take of the parser's memory, which is freed for the next text and never given back. */
const mostMemory = 256 * 1024 * 1024;
const leastGrowth = 64 * 1024 * 1024;

/** Never used again and never freed: freeing a deep stack, or anything after a trap, breaks the parser of the thread. */
const abandoned: unknown[] = [];
let hasTrapped = false;

export async function openSyntax({ clock }: { readonly clock: Pick<Clock, "monotonic"> }): Promise<Syntax> {
  const memory = await startParser();
  const readers = new Map<string, Reader>();

  function extract(path: string, text: string, wanted: Partial<SyntaxLimits> = {}): FileFacts {
    const limits = { ...defaultLimits, ...wanted };
    const name = languageOf(path, text.slice(0, 200).split("\n", 1)[0]);
    const language = languages.get(name);
    const readLines = byLines.get(name);
    if (language === undefined && readLines === undefined) return emptyFacts(name);
    const reason = whyNotParsed(text, limits);
    if (reason !== undefined) return emptyFacts(name, reason);
    if (language === undefined) return { language: name, ...readLines!(text), isPartial: false };
    if (!hasTrapped) readerOf(language); // the first file of a language does not pay for its grammar
    return parse({ text, language, limits, whyStop: stopwatch(limits.timeMs) });
  }

  function stopwatch(timeMs: number): () => "time" | "memory" | undefined {
    const deadline = clock.monotonic() + timeMs;
    const most = Math.max(mostMemory, memory.buffer.byteLength + leastGrowth);
    return () => (clock.monotonic() >= deadline ? "time" : memory.buffer.byteLength > most ? "memory" : undefined);
  }

  function parse(question: Question): FileFacts {
    const { language } = question;
    const read = treeOf(question);
    if (typeof read === "string") return emptyFacts(language.name, read);
    try {
      const { facts, embedded } = readFacts(read.tree, read.matches, question);
      return embedded.map((place) => parse(scriptAlone(question, place))).reduce(joinFacts, facts);
    } finally {
      if (!hasTrapped) read.tree.delete();
    }
  }

  function treeOf({ text, language, whyStop }: Question, isQueried = true): ReadTree | PartialReason {
    if (hasTrapped) return "parser-failed";
    const reader = readerOf(language);
    const progressCallback = (): boolean => whyStop() !== undefined;
    let tree: Tree | null;
    let matches: readonly QueryMatch[];
    try {
      const read = (): Tree | null => reader.parser.parse(text, null, { progressCallback });
      tree = reader.isOptimized ? read() : withoutOptimizing(read);
      matches = tree === null || !isQueried ? [] : reader.query.matches(tree.rootNode, { progressCallback });
    } catch {
      // A trap of the machine, or an assertion of a grammar. Its words name neither the file nor a way out.
      hasTrapped = true;
      abandoned.push(...readers.values());
      return "parser-failed";
    }
    if (tree !== null) return { tree, matches };
    abandoned.push(reader);
    readers.delete(language.name);
    return whyStop() ?? "time";
  }

  function readerOf(language: Language): Reader {
    const known = readers.get(language.name);
    if (known !== undefined) return known;
    const { grammar, isOptimized } = loadGrammar(language.grammar);
    const source = language.queries.map((name) => readShippedFile(`adapters/syntax/queries/${name}.scm`)).join("\n");
    const reader = { parser: new Parser().setLanguage(grammar), query: new Query(grammar, source), isOptimized };
    readers.set(language.name, reader);
    return reader;
  }

  const patterns = createPatternSearch({
    limits: defaultLimits,
    treeOf,
    parserOf: (language) => readerOf(language).parser,
    stopwatch,
  });
  return { languageOf, extract, ...patterns, isWorn: () => abandoned.length > 0 };
}
