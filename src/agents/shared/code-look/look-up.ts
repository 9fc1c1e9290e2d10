/**
 * Questions in words about the code, answered by the index.
 *
 *   question -> definitions and uses of the symbols it names, else ranked places -> for a person: file:line and the line
 *            -> for a role: files with their outlines
 */
import type { CodeAbout, CodePlace, PayloadOf } from "../../../contract/index.ts";
import type { CodeLook } from "../../../knowledge/code-index/index.ts";
import { symbolsNamedIn } from "./named-symbols.ts";
import { searchWords } from "./search-words.ts";

const mostFound = 8;
const mostListed = 500;
const mostSymbols = 40;
const longestExcerpt = 1_500;
const longestLine = 160;
const asksForUses = /\b(?:call|use|import|depend)(?:s|e?d|e?rs?)?\b/i;

/** The best places, and the same in words. `files` is a pattern of paths. */
export async function searchPlaces(
  question: string,
  look: CodeLook,
  files?: string,
): Promise<PayloadOf<"USER_RESPONSE">> {
  const among = files === undefined ? {} : { files };
  const { items, about } = await look("code.search", {
    text: searchWords(question),
    ranked: true,
    limit: mostFound,
    ...among,
  });
  const named = files === undefined ? await placesNamedIn(question, look) : [];
  const found = named.length === 0 ? items : named;
  const data = { files: found.map(briefly), fileCount: about.files, about };
  if (found.length === 0) return { text: nothingIn(about), data };
  return { text: found.map(inOneLine).join("\n"), data };
}

type Place = Pick<CodePlace, "path" | "line" | "text">;

/** Of each symbol of the question its definition and its uses; the callers first where the question asks for them. */
async function placesNamedIn(question: string, look: CodeLook): Promise<readonly Place[]> {
  const found: Place[] = [];
  for (const symbol of symbolsNamedIn(question)) {
    const { definitions, items } = await look("code.usages", { symbol, limit: mostFound });
    const defined = definitions.map(({ path, line, signature }) => ({ path, line, text: signature }));
    const uses = items.filter((use) => !defined.some(({ path, line }) => path === use.path && line === use.line));
    if (defined.length > 0) found.push(...(asksForUses.test(question) ? [...uses, ...defined] : [...defined, ...uses]));
  }
  return found.slice(0, mostFound);
}

/** What a role needs before it plans: which files there are, and what the best ones have in them. */
export async function contextFor(question: string, look: CodeLook): Promise<PayloadOf<"CONTEXT_RESPONSE">> {
  const { items, about } = await look("code.search", { text: searchWords(question), ranked: true, limit: mostFound });
  const { items: files } = await look("code.files", { pattern: "**", limit: mostListed });
  const found = [];
  for (const [index, place] of items.entries())
    found.push({ path: place.path, score: items.length - index, excerpt: await excerptOf(place, look) });
  return { files: files.map(({ path }) => path), fileCount: about.files, found };
}

async function excerptOf(place: CodePlace, look: CodeLook): Promise<string> {
  const { symbols } = await look("code.outline", { path: place.path, limit: mostSymbols });
  const lines = symbols.map(({ line, signature }) => `${line}: ${signature}`);
  return [`${place.line}: ${place.text}`, ...lines].join("\n").slice(0, longestExcerpt);
}

function briefly({ path, line, text }: Place) {
  return { path, line, text: text.slice(0, longestLine) };
}

function inOneLine({ path, line, text }: Place): string {
  return `${path}:${line}  ${text.slice(0, longestLine)}`;
}

function nothingIn({ files, notIndexed: { waiting } }: CodeAbout): string {
  const unread = waiting === 0 ? "" : `; ${waiting} more are still to be read, ask again`;
  return `Nothing in ${files} files shares a word with the question${unread}; name a file, a function or a word that occurs in the code`;
}
