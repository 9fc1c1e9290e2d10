/**
 * A text or a regular expression in the content of files.
 *
 *   literal parts -> trigrams -> candidate files -> read from the disk -> matching lines
 *
 * What is shown was read from the file just now; the index only says where to look.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { type CodePlace, DomainError, type InputOf, invalidInput, messageOf } from "../../contract/index.ts";
import { literalParts } from "./literal-parts.ts";
import { matchAll } from "./trigrams.ts";
import type { Answered, QuestionPorts, View } from "./view.ts";

type Question = Pick<InputOf<"code.search">, "text" | "regex" | "ignoreCase" | "files" | "limit">;
type FoundIn = (text: string) => readonly { readonly index: number }[];

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const largestRead = 4 * 1_048_576;
const longestLine = 400;
const filesBetweenPauses = 50;
const regexMs = 500;

export async function searchText(
  question: Question,
  view: View,
  { matcher, pause }: Pick<QuestionPorts, "matcher" | "pause">,
): Promise<Answered<{ items: CodePlace[]; more: boolean }>> {
  const { text, regex, ignoreCase, files, limit } = question;
  const fits = files === undefined ? () => true : matcher(files, "files");
  const foundIn = regex ? byRegex(text, ignoreCase, limit) : byText(text, ignoreCase);
  const items: CodePlace[] = [];
  const paths = candidates(regex ? literalParts(text) : [text], view).filter(fits);
  for (const [index, path] of paths.entries()) {
    if (index % filesBetweenPauses === filesBetweenPauses - 1) await pause();
    const content = readNow(view.root, path);
    if (content !== undefined) items.push(...placesOf(path, content, foundIn(content), limit + 1 - items.length));
    if (items.length > limit) break;
  }
  return {
    items: items.slice(0, limit),
    more: items.length > limit,
    rests: { provider: "text", confidence: "exact" },
  };
}

/** The files that may contain all these texts, by path. */
export function candidates(texts: readonly string[], { sql, tree }: View): readonly string[] {
  const match = matchAll(texts);
  const rows =
    match === undefined
      ? sql.all(
          `SELECT p.text AS path FROM tree_file f JOIN path p ON p.id = f.path JOIN blob b ON b.id = f.blob
           WHERE f.tree = ? AND b.state = 'indexed' ORDER BY 1`,
          tree,
        )
      : sql.all(
          `SELECT p.text AS path FROM trigram t CROSS JOIN tree_file f ON f.blob = t.rowid AND f.tree = ? JOIN path p ON p.id = f.path
           WHERE trigram MATCH ? ORDER BY 1`,
          tree,
          match,
        );
  return rows.map(({ path }) => path as string);
}

/** Undefined for a file that went meanwhile, or that a link has replaced. */
export function readNow(root: string, path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(join(root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= largestRead ? readFileSync(descriptor, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function byText(text: string, ignoreCase: boolean): FoundIn {
  const wanted = ignoreCase ? text.toLowerCase() : text;
  return (content) => {
    const within = ignoreCase ? content.toLowerCase() : content;
    const found: { index: number }[] = [];
    for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + wanted.length))
      found.push({ index: at });
    return found;
  };
}

/** In a context of its own, because only there an expression that never ends can be stopped. */
function byRegex(source: string, ignoreCase: boolean, limit: number): FoundIn {
  const flags = `gm${ignoreCase ? "i" : ""}`;
  try {
    void new RegExp(source, flags);
  } catch (error) {
    throw invalidInput("text", messageOf(error), { cause: error });
  }
  const context = createContext({ source, flags, most: limit + 1, content: "" });
  const script = new Script(
    `{ const found = []; for (const { index } of content.matchAll(new RegExp(source, flags))) { found.push(index); if (found.length >= most) break; } found.join(" "); }`,
  );
  return (content) => {
    context.content = content;
    try {
      const found = script.runInContext(context, { timeout: regexMs }) as string;
      return found === "" ? [] : found.split(" ").map((index) => ({ index: Number(index) }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new DomainError(
        "input.invalid",
        `text: the expression takes too long on one file; make it simpler, without repeats inside repeats`,
        {
          details: { problems: [{ path: "text", message: "takes too long" }] },
          cause: error,
        },
      );
    }
  };
}

/** A line once, however often it matches. */
function placesOf(
  path: string,
  content: string,
  found: readonly { readonly index: number }[],
  most: number,
): CodePlace[] {
  const places: CodePlace[] = [];
  let line = 1;
  let lineStart = 0;
  let last = -1;
  for (const { index } of found) {
    for (let at = content.indexOf("\n", lineStart); at !== -1 && at < index; at = content.indexOf("\n", lineStart)) {
      line++;
      lineStart = at + 1;
    }
    if (lineStart === last) continue;
    last = lineStart;
    const end = content.indexOf("\n", lineStart);
    const text = content.slice(lineStart, end === -1 ? undefined : end);
    places.push({ path, line, column: index - lineStart + 1, text: text.slice(0, longestLine).trimEnd() });
    if (places.length >= most) break;
  }
  return places;
}
