/**
 * The Librarian outside of a run: a question about the code, answered by a search over the project's tree.
 *
 *   USER_INPUT -> files that share words with the question, the line that shares most -> USER_RESPONSE
 *   CONTEXT_REQUEST of another role -> the same files with their beginnings -> CONTEXT_RESPONSE
 */
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Message, PayloadOf } from "../../../contract/index.ts";
import { type FoundFile, searchFiles } from "../../../knowledge/code-index/index.ts";
import { answerMessages, type RoleHandler } from "../../../orchestration/guide/index.ts";
import { questionWords, searchText } from "./question-words.ts";

type Ports = {
  readonly treeOf: (message: Message) => string;
  readonly listFiles: (tree: string) => Promise<readonly string[]>;
};
type Place = { readonly path: string; readonly score: number; readonly line?: number; readonly text?: string };

const mostFound = 8;
const mostListed = 500;
const mostSearched = 2_000;
const longestLine = 160;

export function answerFromCode({ treeOf, listFiles }: Ports): RoleHandler {
  return answerMessages({
    async CONTEXT_REQUEST(message) {
      const tree = treeOf(message);
      const listed = await listFiles(tree);
      const { files, found } = await look(message.payload.question, tree, listed);
      return {
        type: "CONTEXT_RESPONSE",
        payload: { files: files.slice(0, mostListed), fileCount: listed.length, found: [...found] },
      };
    },
    async USER_INPUT(message) {
      const tree = treeOf(message);
      return { type: "USER_RESPONSE", payload: await searchCode(message.payload.text, tree, await listFiles(tree)) };
    },
  });
}

/** The same search for callers that want the places themselves. */
export async function searchCode(question: string, tree: string, listed: readonly string[]) {
  const { found } = await look(question, tree, listed);
  return responseOf(await placesIn(tree, found, question), listed.length);
}

async function look(question: string, tree: string, listed: readonly string[]) {
  const files = await plainFiles(tree, listed.slice(0, mostSearched));
  return { files, found: await searchFiles({ tree, files, question: searchText(question), limit: mostFound }) };
}

function placesIn(tree: string, found: readonly FoundFile[], question: string): Promise<readonly Place[]> {
  return Promise.all(found.map((each) => placeIn(tree, each, questionWords(question))));
}

/** A link may lead out of the tree, to a file that does not belong to the repository. */
async function plainFiles(tree: string, files: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(
    files.map((path) =>
      lstat(join(tree, path)).then(
        (stats) => stats.isFile(),
        () => false,
      ),
    ),
  );
  return files.filter((_, index) => kinds[index]);
}

async function placeIn(tree: string, { path, score }: FoundFile, words: readonly string[]): Promise<Place> {
  const lines = (await readFile(join(tree, path), "utf8").catch(() => "")).split("\n");
  let best = { shared: 0, index: 0 };
  for (const [index, line] of lines.entries()) {
    const lower = line.toLowerCase();
    const shared = words.filter((word) => lower.includes(word)).length;
    if (shared > best.shared) best = { shared, index };
  }
  if (best.shared === 0) return { path, score };
  return { path, score, line: best.index + 1, text: lines[best.index]!.trim().slice(0, longestLine) };
}

function responseOf(places: readonly Place[], fileCount: number): PayloadOf<"USER_RESPONSE"> {
  const data = { files: [...places], fileCount };
  if (places.length === 0)
    return {
      text: `Nothing in ${fileCount} files shares a word with the question; name a file, a function or a word that occurs in the code`,
      data,
    };
  const lines = places.map(({ path, line, text }) => (line === undefined ? path : `${path}:${line}  ${text}`));
  return { text: lines.join("\n"), data };
}
