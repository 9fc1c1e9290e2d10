/**
 * Markdown by its lines: headings are symbols, paragraphs are documentation, names and paths in backticks are references,
 * links to files are imports. Code between fences is left out: it is an example, not a statement about the code.
 */
import type { DocFact, FileFacts, ImportFact, ReferenceFact, SymbolFact } from "../../knowledge/code-index/index.ts";
import { oneLine } from "./source-text.ts";

type Heading = { readonly fact: SymbolFact; readonly level: number };

const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;
const underline = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const inlineCode = /(`+)([^`](?:.*?[^`])?)\1(?!`)/g;
const link = /\]\(\s*<?([^()\s<>]+)/g;
const expression = /^[A-Za-z_$@][\w$]*[?!]?(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*[?!]?)*(\(.*\))?$/;
const path = /^\.{0,2}[\w@.-]*(?:\/[\w@.*-]+)+\/?$/;
const longestDoc = 4_000;
const longestLine = 2_000;

export function readMarkdown(text: string): Omit<FileFacts, "language" | "isPartial"> {
  const lines = text.split(/\r?\n/);
  const headings: Heading[] = [];
  const imports: ImportFact[] = [];
  const references: ReferenceFact[] = [];
  const docs: DocFact[] = [];
  let paragraph: string[] = [];
  let start = 0;

  const flush = (end: number): void => {
    const words = paragraph.join("\n").trim().slice(0, longestDoc);
    const symbol = headings.at(-1)?.fact.name;
    if (words !== "")
      docs.push({ line: start + 1, endLine: end, text: words, ...(symbol === undefined ? {} : { symbol }) });
    paragraph = [];
  };
  const open = (row: number, level: number, title: string, indent: number): void => {
    const name = oneLine(title, 200);
    if (name === "") return;
    const parent = headings.findLast((other) => other.level < level)?.fact.name;
    const container = parent === undefined ? {} : { container: parent };
    headings.push({
      level,
      fact: {
        name,
        kind: "heading",
        line: row + 1,
        column: indent + 1,
        endLine: row + 1,
        ...container,
        signature: `${"#".repeat(level)} ${name}`.slice(0, 200),
        exported: true,
      },
    });
  };

  let row = skipFrontMatter(lines);
  let closing: string | undefined;
  for (; row < lines.length; row += 1) {
    const line = lines[row]!.slice(0, longestLine);
    const mark = fence.exec(line)?.[1];
    if (closing !== undefined) {
      if (mark?.startsWith(closing) === true && line.trim() === mark) closing = undefined;
      continue;
    }
    const title = heading.exec(line);
    if (mark !== undefined || title !== null || line.trim() === "") {
      flush(row);
      closing = mark;
      if (title !== null && mark === undefined) open(row, title[1]!.length, title[2]!, line.indexOf("#"));
    } else if (paragraph.length === 1 && underline.test(line)) {
      const [words] = paragraph;
      paragraph = [];
      open(row - 1, line.includes("=") ? 1 : 2, words!, 0);
    } else {
      if (paragraph.length === 0) start = row;
      paragraph.push(line);
    }
    if (mark === undefined) {
      references.push(...referencesIn(line, row));
      imports.push(...linksIn(line, row));
    }
  }
  flush(row);
  return { symbols: withEnds(headings, lines.length), imports, references, docs };
}

function skipFrontMatter(lines: readonly string[]): number {
  if (lines[0] !== "---") return 0;
  const end = lines.indexOf("---", 1);
  return end === -1 ? 0 : end + 1;
}

function referencesIn(line: string, row: number): readonly ReferenceFact[] {
  return Array.from(line.matchAll(inlineCode)).flatMap((span) => {
    const code = span[2]!.trim();
    const at = span.index + span[0].indexOf(code) + 1;
    const place = { line: row + 1, column: at };
    if (path.test(code)) return [{ name: code.slice(0, 200), ...place, kind: "use" as const }];
    const isCall = expression.exec(code)?.[1] !== undefined;
    if (!isCall && !expression.test(code)) return [];
    const names = code.replace(/\(.*$/, "").split(/\.|::|->|#/);
    return names.map((name, index) => ({
      name: name.slice(0, 200),
      ...place,
      kind: isCall && index === names.length - 1 ? ("call" as const) : ("use" as const),
    }));
  });
}

function linksIn(line: string, row: number): readonly ImportFact[] {
  return Array.from(line.matchAll(link), ([, target]) => target!.split("#", 1)[0]!)
    .filter((target) => target !== "" && !/^[a-z][\w+.-]*:/i.test(target))
    .map((module) => ({ module: module.slice(0, 400), names: [], line: row + 1 }));
}

/** A section ends before the next heading that is not below it. */
function withEnds(headings: readonly Heading[], lastLine: number): readonly SymbolFact[] {
  const open: { level: number; index: number }[] = [];
  const ends = headings.map(() => lastLine);
  headings.forEach(({ level, fact }, index) => {
    while (open.length > 0 && open.at(-1)!.level >= level) ends[open.pop()!.index] = fact.line - 1;
    open.push({ level, index });
  });
  return headings.map(({ fact }, index) => ({ ...fact, endLine: Math.max(fact.line, ends[index]!) }));
}
