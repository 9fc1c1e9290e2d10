/**
 * Places that fit some words best: BM25 over the words of files, where names weigh more than comments and comments more
 * than the rest; words of the path count too. Identifiers are split, endings do not matter.
 */
import type { CodePlace, InputOf } from "../../contract/index.ts";
import { isTestFile } from "../../platform/is-test-file.ts";
import { wordsOfQuestion } from "./identifier-words.ts";
import { readNow } from "./search-text.ts";
import type { Answered, QuestionPorts, View } from "./view.ts";

type Question = Pick<InputOf<"code.search">, "text" | "docs" | "files" | "limit">;
type Ranked = { readonly path: string; readonly blob: number; readonly score: number };

const mostFiles = 200;
const longestLine = 400;
const pathWeight = 4;
/** Tests repeat the words of what they test; they come after it, unless the question is about tests. */
const testShare = 0.6;
const asksForTests: ReadonlySet<string> = new Set(["test", "tests", "spec", "specs", "tested", "testing"]);
/** Words that any question has. */
const empty: ReadonlySet<string> = new Set(
  "a an and are as at be by can do does for from how i in is it its me of on or show that the this to we what when where which who why with".split(
    " ",
  ),
);

export function searchRanked(
  { text, docs, files, limit }: Question,
  view: View,
  { matcher }: Pick<QuestionPorts, "matcher">,
): Answered<{ items: CodePlace[]; more: boolean }> {
  const fits = files === undefined ? () => true : matcher(files, "files");
  const words = tellingWords(text);
  const ranked = rankFiles(words, view, docs).filter(({ path }) => fits(path));
  const items: CodePlace[] = [];
  for (const { path, blob } of ranked.slice(0, limit)) {
    const place = docs ? bestDoc(path, blob, words, view) : bestLine(path, words, view);
    if (place !== undefined) items.push(place);
  }
  return { items, more: ranked.length > limit, rests: { provider: "text", confidence: "likely" } };
}

export function tellingWords(text: string): readonly string[] {
  const words = wordsOfQuestion(text);
  const telling = words.filter((word) => !empty.has(word));
  return telling.length === 0 ? words : telling;
}

/** The best first; equal ones by path. */
function rankFiles(words: readonly string[], { sql, tree }: View, docsOnly = false): readonly Ranked[] {
  if (words.length === 0) return [];
  const any = words.map((word) => `"${word}"`).join(" OR ");
  const rows = sql.all(
    `SELECT p.text AS path, w.rowid AS blob, bm25(words, 8.0, 3.0, 1.0) AS score FROM words w
     CROSS JOIN tree_file f ON f.blob = w.rowid AND f.tree = ? JOIN path p ON p.id = f.path
     WHERE words MATCH ? ORDER BY score LIMIT ?`,
    tree,
    docsOnly ? `docs : (${any})` : any,
    mostFiles,
  );
  const share = words.some((word) => asksForTests.has(word)) ? 1 : testShare;
  return rows
    .map(({ path, blob, score }) => ({ path: path as string, blob: blob as number, score: -(score as number) }))
    .map(({ path, blob, score }) => ({
      path,
      blob,
      score: ((docsOnly ? 0 : pathWeight * shared(words, path)) + score) * (isTestFile(path) ? share : 1),
    }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function shared(words: readonly string[], path: string): number {
  const present = new Set(wordsOfQuestion(path));
  return words.filter((word) => present.has(word)).length / words.length;
}

/** The line with most of the words; of equal ones the first. */
function bestLine(path: string, words: readonly string[], { root }: View): CodePlace | undefined {
  const content = readNow(root, path);
  if (content === undefined) return undefined;
  let best = { count: -1, line: 1, text: "" };
  for (const [index, text] of content.split("\n").entries()) {
    const lower = text.toLowerCase();
    const count = words.filter((word) => lower.includes(stemOf(word))).length;
    if (count > best.count) best = { count, line: index + 1, text };
    if (count === words.length) break;
  }
  const at = Math.max(0, ...words.slice(0, 1).map((word) => best.text.toLowerCase().indexOf(stemOf(word))));
  return { path, line: best.line, column: at + 1, text: best.text.slice(0, longestLine).trim() };
}

function bestDoc(path: string, blob: number, words: readonly string[], { sql }: View): CodePlace | undefined {
  const docs = sql.all("SELECT line, text FROM doc WHERE blob = ? ORDER BY ord", blob).map((row) => {
    const lower = (row.text as string).toLowerCase();
    return {
      line: row.line as number,
      text: row.text as string,
      count: words.filter((word) => lower.includes(stemOf(word))).length,
    };
  });
  const best = docs.reduce<(typeof docs)[number] | undefined>(
    (a, b) => (a === undefined || b.count > a.count ? b : a),
    undefined,
  );
  if (best === undefined) return undefined;
  return { path, line: best.line, column: 1, text: best.text.replaceAll(/\s+/g, " ").slice(0, longestLine) };
}

/** Enough to find the line of a word whose ending the ranking ignored. */
function stemOf(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|es|s|ions?)$/, "") : word;
}
