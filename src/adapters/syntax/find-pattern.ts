/**
 * Where a pattern occurs in a text of its language. In a component it is looked for in the script.
 *
 *   pattern -> readPattern (kept until the next one) -> tree of the text -> matchPattern -> places
 */
import type { Node, Parser } from "web-tree-sitter";
import type {
  FoundPattern,
  PartialReason,
  PatternPlace,
  Syntax,
  SyntaxLimits,
} from "../../knowledge/code-index/index.ts";
import { collectCaptures } from "./collect-captures.ts";
import { scriptAlone } from "./embedded-script.ts";
import { type Language, languages } from "./languages.ts";
import { matchPattern } from "./match-pattern.ts";
import type { Question, ReadTree } from "./read-facts.ts";
import { fixedTexts, type Pattern, type PatternReading, readPattern } from "./read-pattern.ts";
import { sourceText } from "./source-text.ts";
import { whyNotParsed } from "./why-not-parsed.ts";

type Ports = {
  readonly limits: SyntaxLimits;
  readonly treeOf: (question: Question, isQueried: boolean) => ReadTree | PartialReason;
  readonly parserOf: (language: Language) => Parser;
  readonly stopwatch: (timeMs: number) => Question["whyStop"];
};

const longestLine = 400;
const components = new Set(["vue", "svelte"]);

export function createPatternSearch(ports: Ports): Pick<Syntax, "readPattern" | "findPattern"> {
  const kept = new Map<string, { readonly source: string; readonly reading: PatternReading }>();

  function reading(source: string, name: string): PatternReading {
    const language = languages.get(codeLanguage(name));
    if (language === undefined) return { state: "unknown", known: [...languages.keys()] };
    const last = kept.get(language.name);
    if (last?.source === source) return last.reading;
    const read = readPattern(source, language.name, ports.parserOf(language));
    kept.set(language.name, { source, reading: read });
    return read;
  }

  function placesIn(question: Question, pattern: Pattern, most: number): FoundPattern {
    const read = ports.treeOf(question, false);
    if (typeof read === "string") return failed(read);
    try {
      const nodes = matchPattern(pattern, read.tree, () => question.whyStop() !== undefined);
      return nodes === undefined ? failed("time") : { state: "found", places: placesOf(nodes, question.text, most) };
    } finally {
      read.tree.delete();
    }
  }

  /** The text, or the scripts of a component. */
  function codeIn(question: Question): readonly Question[] | PartialReason {
    if (!components.has(question.language.name)) return [question];
    const read = ports.treeOf(question, true);
    if (typeof read === "string") return read;
    const places = collectCaptures(read.matches)
      .named("embedded")
      .map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex }));
    read.tree.delete();
    return places.map((place) => scriptAlone(question, place));
  }

  return {
    readPattern(source, language) {
      const read = reading(source, language);
      return read.state === "read" ? { state: "read", texts: fixedTexts(read.pattern) } : read;
    },
    findPattern({ pattern, language: name, most }, text, given) {
      const limits = { ...ports.limits, ...given };
      const language = languages.get(name);
      const read = reading(pattern, name);
      if (language === undefined || read.state !== "read") return failed("parser-failed");
      const why = whyNotParsed(text, limits);
      if (why !== undefined) return failed(why);
      const code = codeIn({ text, language, limits, whyStop: ports.stopwatch(limits.timeMs) });
      if (typeof code === "string") return failed(code);
      return code.map((one) => placesIn(one, read.pattern, most)).reduce(joined, { state: "found", places: [] });
    },
  };
}

function codeLanguage(name: string): string {
  return components.has(name) ? "typescript" : name;
}

const whys: Readonly<Record<PartialReason, string>> = {
  time: "took too long",
  memory: "needs too much memory",
  "too-large": "is too large",
  minified: "is minified",
  binary: "is not a text file",
  "parser-failed": "the parser failed on it",
  syntax: "is not valid code",
  limit: "has too many matches",
};

function failed(why: PartialReason): FoundPattern {
  return { state: "failed", reason: whys[why] };
}

function joined(one: FoundPattern, other: FoundPattern): FoundPattern {
  if (one.state === "failed" || other.state === "failed") return one.state === "failed" ? one : other;
  return { state: "found", places: [...one.places, ...other.places] };
}

function placesOf(nodes: readonly Node[], text: string, most: number): readonly PatternPlace[] {
  const { line } = sourceText(text);
  return nodes.slice(0, most).map(({ startPosition, endPosition }) => ({
    line: startPosition.row + 1,
    column: startPosition.column + 1,
    endLine: endPosition.row + 1,
    text: line(startPosition.row).slice(0, longestLine).trimEnd(),
  }));
}
