/** What a person types into one box: symbols, files and text at once, and whether a thing of that name exists already. */
import { posix } from "node:path";
import type { CodeFile, CodePlace, CodeSymbol, InputOf } from "../../contract/index.ts";
import { wordsOfQuestion } from "./identifier-words.ts";
import { listSymbols } from "./list-symbols.ts";
import { viewFile } from "./outline.ts";
import { searchRanked, tellingWords } from "./search-ranked.ts";
import { searchText } from "./search-text.ts";
import { type Answered, filesOf, type QuestionPorts, type View } from "./view.ts";

type Found = {
  exists: "yes" | "similar" | "no";
  symbols: CodeSymbol[];
  files: CodeFile[];
  places: CodePlace[];
  more: boolean;
};

/** Symbols that share all words; a third of the room each, so that none crowds out the others. */
export async function findAnything(
  { text, limit }: Pick<InputOf<"code.find">, "text" | "limit">,
  view: View,
  ports: QuestionPorts,
): Promise<Answered<Found>> {
  const share = Math.max(1, Math.ceil(limit / 3));
  const symbols = listSymbols({ name: text, kind: "any", in: undefined, exact: false, limit: share }, view);
  const files = filesNamed(text, view);
  const most = share + symbols.items.length;
  const exactly = await searchText(
    { text, regex: false, ignoreCase: true, files: undefined, limit: most },
    view,
    ports,
  );
  const ranked = searchRanked({ text, docs: false, files: undefined, limit: most }, view, ports);
  const defined = new Set(symbols.items.map(lineOf));
  const others = merged(exactly.items, ranked.items).filter((place) => !defined.has(lineOf(place)));
  return {
    exists: existence(text, symbols.items, files),
    symbols: symbols.items,
    files: files.slice(0, share).map(viewFile),
    places: others.slice(0, share),
    more: symbols.more || files.length > share || exactly.more,
    rests: {
      provider: symbols.items.length > 0 ? "syntax" : "text",
      confidence: symbols.items.some(({ match }) => match === "exact") ? "exact" : "likely",
    },
  };
}

/** By its whole path, its name, a part of the path, or all the words. */
function filesNamed(text: string, view: View) {
  const lower = text.trim().toLowerCase();
  const words = tellingWords(text);
  const score = (path: string): number => {
    const whole = path.toLowerCase();
    const name = posix.basename(whole);
    if (whole === lower || name === lower || name.replace(/\.[^.]*$/, "") === lower) return 3;
    if (whole.includes(lower)) return 2;
    const present = new Set(wordsOfQuestion(path));
    return words.length > 0 && words.every((word) => present.has(word)) ? 1 : 0;
  };
  return filesOf(view)
    .map((file) => ({ ...file, score: score(file.path) }))
    .filter((file) => file.score > 0)
    .sort((a, b) => b.score - a.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
}

function existence(
  text: string,
  symbols: readonly CodeSymbol[],
  files: readonly { readonly score: number }[],
): Found["exists"] {
  const squeezed = squeeze(text);
  const isIt = ({ name, kind, match }: CodeSymbol): boolean =>
    kind !== "heading" && (match === "exact" || squeeze(name) === squeezed); // a heading speaks of a thing
  if (symbols.some(isIt) || files[0]?.score === 3) return "yes";
  return symbols.length > 0 || files.length > 0 ? "similar" : "no";
}

function squeeze(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_$-]+/g, "");
}

/** A line is shown as the symbol that it defines, or as text. */
function lineOf({ path, line }: Pick<CodePlace, "path" | "line">): string {
  return `${line} ${path}`;
}

/** A file once, what has the very text first. */
function merged(first: readonly CodePlace[], second: readonly CodePlace[]): CodePlace[] {
  const paths = new Set(first.map(({ path }) => path));
  return [...first, ...second.filter(({ path }) => !paths.has(path))];
}
