/**
 * A pattern in a language's own syntax, read by that language's grammar: `fetch($URL, $$$)`.
 *
 *   pattern -> each metavariable becomes a name -> parsed, alone or inside of what it needs around it -> PatternNode
 *
 * `$A` is one node, the same text wherever it occurs again; `$_` and `$_A` are any node each time; `$$$` and `$$$A` are any
 * number of nodes. What a grammar can only repair by a semicolon, or by skipping a metavariable, is read; other errors are not.
 */
import type { Node, Parser } from "web-tree-sitter";
import type { ReadPattern } from "../../knowledge/code-index/index.ts";

export type Hole = { readonly kind: "hole"; readonly name: string | undefined; readonly isMany: boolean };
export type PatternNode =
  | Hole
  | { readonly kind: "leaf"; readonly type: string; readonly isNamed: boolean; readonly text: string }
  | { readonly kind: "inner"; readonly type: string; readonly children: readonly PatternNode[] };
export type Pattern = Extract<PatternNode, { kind: "leaf" | "inner" }>;
export type PatternReading = Exclude<ReadPattern, { state: "read" }> | { state: "read"; pattern: Pattern };

type Context = readonly [before: string, after: string];
type Written = {
  readonly text: string;
  readonly holes: ReadonlyMap<string, Hole>;
  /** Whether the grammar may fail to understand a metavariable where it is. */
  readonly mayBeSkipped: boolean;
};

/** What may be around a pattern that is not a whole file; the first that fits is taken. */
const alone: Context = ["", ""];
const inClass: Context = ["class Q { ", " }"];
const script: readonly Context[] = [alone, ["try {} ", ""], ["switch (q) { ", " }"], inClass];
const ended: readonly Context[] = [["", ";"], alone];
const contexts: Readonly<Record<string, readonly Context[]>> = {
  typescript: script,
  tsx: script,
  javascript: script,
  c: ended,
  cpp: ended,
  go: ended,
  java: [...ended, inClass],
  csharp: [...ended, inClass],
  rust: [...ended, ["fn q() { ", " }"], ["match q { ", " }"]],
  zig: [...ended, ["fn q() void { ", "; }"]],
  php: [
    ["<?php ", ";"],
    ["<?php ", ""],
    ["<?php class Q { ", " }"],
  ],
  dart: [["void q() { ", " }"], alone, inClass],
  terraform: [alone, ["q = ", ""]],
};

const metavariable = /\$\$\$(?:[A-Z_][A-Z\d_]*)?|\$\$?[A-Z_][A-Z\d_]*/g;
/** Some grammars know a name by its first letter. */
const stems = ["sylkhole", "Sylkhole"];
/** What a metavariable that ends a block needs to be a statement there. */
const ends = ["", ";", "();"];
const withoutNames = new Set(["json", "toml"]);

export function readPattern(source: string, language: string, parser: Parser): PatternReading {
  const wanted = source.trim();
  if (wanted === "" || wanted.replaceAll(metavariable, "").trim() === "")
    return { state: "invalid", reason: "a pattern needs something fixed beside metavariables, such as fetch($URL)" };
  let isSeveral = false;
  const quote = withoutNames.has(language) ? '"' : "";
  const ways = stems.flatMap((stem) => ends.map((end) => write(wanted, { stem, end, quote })));
  for (const [before, after] of contexts[language] ?? [alone])
    for (const written of ways) {
      const found = parseInside(before, written, after, parser);
      if (found === "several") isSeveral ||= before + after === "";
      else if (found !== undefined) return { state: "read", pattern: found };
    }
  return {
    state: "invalid",
    reason: isSeveral
      ? "a pattern is one expression, statement or definition, and this is several; search for each"
      : `it is not ${language} code; write one whole expression, statement or definition, such as fetch($URL, $$$)`,
  };
}

/** Texts that every match contains. */
export function fixedTexts(node: PatternNode): readonly string[] {
  if (node.kind === "hole") return [];
  return node.kind === "leaf" ? [node.text] : node.children.flatMap(fixedTexts);
}

/** With each metavariable as a name; one that ends a block may be a statement there, which needs its end. */
function write(source: string, { stem, end, quote }: Record<"stem" | "end" | "quote", string>): Written {
  const holes = new Map<string, Hole>();
  let count = 0;
  const text = source.replaceAll(metavariable, (found, at: number) => {
    const name = found.replace(/^\$+/, "");
    const hole: Hole = {
      kind: "hole",
      name: name === "" || name.startsWith("_") ? undefined : name,
      isMany: found.startsWith("$$$"),
    };
    const placeholder = `${quote}${stem}${letters(count++)}${quote}`;
    const endsBlock = end !== "" && /^\s*\}/.test(source.slice(at + found.length));
    holes.set(placeholder, hole);
    if (endsBlock) holes.set(placeholder + end, hole);
    return endsBlock ? placeholder + end : placeholder;
  });
  return { text, holes, mayBeSkipped: end === "" };
}

/** A digit would end a name in some grammars. */
function letters(count: number): string {
  const letter = String.fromCodePoint(97 + (count % 26));
  return count < 26 ? letter : letters(Math.floor(count / 26) - 1) + letter;
}

function parseInside(before: string, written: Written, after: string, parser: Parser): Pattern | "several" | undefined {
  const tree = parser.parse(before + written.text + after);
  if (tree === null) return undefined;
  try {
    if (!isSound(tree.rootNode, written)) return undefined;
    const found = nodeAt(before.length, before.length + written.text.length, tree.rootNode);
    if (found === undefined) return "several";
    const pattern = patternOf(found, written.holes);
    return pattern === undefined || pattern.kind === "hole" ? undefined : pattern;
  } finally {
    tree.delete();
  }
}

/** The node of exactly this text. One at the root may leave a semicolon behind it. */
function nodeAt(start: number, end: number, root: Node): Node | undefined {
  const node = root.descendantForIndex(start, end);
  if (node?.id !== root.id) return node?.startIndex === start && node.endIndex === end ? node : undefined;
  const [first, ...others] = root.children;
  return first?.startIndex === start && others.every((other) => other.type === ";") ? first : undefined;
}

function isSound(node: Node, written: Written): boolean {
  if (node.isMissing) return node.type === ";";
  if (!node.hasError || (written.mayBeSkipped && written.holes.has(node.text))) return true;
  if (node.isError) return false;
  return node.children.every((child) => isSound(child, written));
}

function patternOf(node: Node, holes: Written["holes"]): PatternNode | undefined {
  const hole = holes.get(node.text);
  if (hole !== undefined) return hole;
  if (node.isMissing || node.isExtra || node.text === "") return undefined;
  const children = node.children.map((child) => patternOf(child, holes)).filter((child) => child !== undefined);
  if (children.length > 0) return { kind: "inner", type: node.type, children };
  return { kind: "leaf", type: node.type, isNamed: node.isNamed, text: node.text };
}
