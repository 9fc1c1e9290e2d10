/**
 * A simple search over a working tree: files whose path or text shares words with the question, best first. The Librarian's
 * own part replaces it with a real index behind the same function.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

export type FoundFile = { readonly path: string; readonly score: number; readonly excerpt: string };

type Terms = {
  readonly tree: string;
  readonly files: readonly string[];
  readonly question: string;
  readonly limit: number;
};

const mostFiles = 2_000;
const largestFile = 65_536;
const excerptLength = 1_500;
const pathWeight = 5;

export async function searchFiles({ tree, files, question, limit }: Terms): Promise<readonly FoundFile[]> {
  const words = wordsOf(question);
  const found: FoundFile[] = [];
  for (const path of files.slice(0, mostFiles)) {
    const text = await readText(join(tree, path));
    if (text === undefined) continue;
    const score = pathWeight * shared(words, wordsOf(path)) + shared(words, wordsOf(text));
    if (score > 0) found.push({ path, score, excerpt: text.slice(0, excerptLength) });
  }
  return found.sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1)).slice(0, limit);
}

/** Words of three letters or more; `checkoutTotal` and `checkout-total` are both two words. */
function wordsOf(text: string): ReadonlySet<string> {
  const split = text.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return new Set(split.match(/[a-z]{3,}/g));
}

function shared(wanted: ReadonlySet<string>, present: ReadonlySet<string>): number {
  return [...wanted].filter((word) => present.has(word)).length;
}

/** Undefined for a file that is not text: gone, large, or binary. */
async function readText(file: string): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
    if (size > largestFile) return undefined;
    const text = await readFile(file, "utf8");
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
