/**
 * What one source file says, read from its text alone: the unit that the index stores by content.
 *
 *   text -> Syntax.extract (adapters/syntax) -> FileFacts -> index
 *
 * Lines and columns begin at 1; a column counts UTF-16 units, as editors do. Every list is in the order of the text.
 * Invariant: every position lies inside the text. A file that was not read, or not to its end, says so in `partialReason`.
 */

export type FileFacts = {
  /** "typescript", "python", …; "text" for a file without a grammar. */
  readonly language: string;
  readonly symbols: readonly SymbolFact[];
  readonly imports: readonly ImportFact[];
  readonly references: readonly ReferenceFact[];
  readonly docs: readonly DocFact[];
  /** The facts may be incomplete: broken syntax, or a limit. */
  readonly isPartial: boolean;
  readonly partialReason?: PartialReason;
};

/**
 * `syntax`: the parser met text that it does not understand and read around it. `limit`: more facts than a file may have.
 * `time`, `memory`: the parser was stopped. The others mean that the file was not parsed at all.
 */
export type PartialReason =
  | "syntax"
  | "limit"
  | "time"
  | "memory"
  | "too-large"
  | "minified"
  | "binary"
  | "parser-failed";

export type SymbolKind =
  | "function"
  | "method"
  | "constructor"
  | "class"
  | "interface"
  | "struct"
  | "type"
  | "enum"
  | "enum-member"
  | "const"
  | "var"
  | "field"
  | "module"
  | "macro"
  | "heading"
  | "config";

export type SymbolFact = {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Where the name is. */
  readonly line: number;
  readonly column: number;
  /** The last line of the whole definition. */
  readonly endLine: number;
  /** The names around it, joined by dots: `Outer.Inner`. */
  readonly container?: string;
  /** One line, at most 200 characters. */
  readonly signature: string;
  /** The beginning of its documentation, at most 400 characters. */
  readonly doc?: string;
  /** Whether other files can name it. */
  readonly exported: boolean;
};

/** Names are as the module has them: `import { a as b }` names `a`; a default or whole import has its local name. */
export type ImportFact = { readonly module: string; readonly names: readonly string[]; readonly line: number };

/** One for each name and line. A `use` is every other mention of a name that is not a local variable of this file. */
export type ReferenceFact = {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly kind: "call" | "type" | "use" | "import";
};

/** A comment, docstring or paragraph, without its markers, and the symbol it stands above, beside or inside of. */
export type DocFact = {
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
  readonly symbol?: string;
};

export type SyntaxLimits = {
  /** Longer text is not parsed, in UTF-16 units. */
  readonly maxLength: number;
  readonly timeMs: number;
  readonly maxSymbols: number;
  readonly maxReferences: number;
};

/** `texts`: every match contains them. `unknown`: no grammar of this name; `known` lists those there are. */
export type ReadPattern =
  | { readonly state: "read"; readonly texts: readonly string[] }
  | { readonly state: "invalid"; readonly reason: string }
  | { readonly state: "unknown"; readonly known: readonly string[] };
export type WantedPattern = { readonly pattern: string; readonly language: string; readonly most: number };
export type PatternPlace = {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  /** The first line. */
  readonly text: string;
};
/** `failed`: the text was not looked at, or not to its end, and why. */
export type FoundPattern =
  | { readonly state: "found"; readonly places: readonly PatternPlace[] }
  | { readonly state: "failed"; readonly reason: string };

/** Synchronous: it runs in a worker thread, one file after the other. It never throws over a text. */
export type Syntax = {
  languageOf(path: string, firstLine?: string): string;
  extract(path: string, text: string, limits?: Partial<SyntaxLimits>): FileFacts;
  readPattern(pattern: string, language: string): ReadPattern;
  /** Of a pattern that `readPattern` can read; at most so many places. */
  findPattern(wanted: WantedPattern, text: string, limits?: Partial<SyntaxLimits>): FoundPattern;
  /** A parse was stopped or failed, and its memory stays taken: end this thread and open another one. */
  isWorn(): boolean;
};
