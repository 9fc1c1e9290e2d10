/**
 * A pattern in a language's own syntax: `fetch($URL, $$$)`.
 *
 *   pattern -> read in each language of the tree -> its fixed texts -> trigrams -> candidate files
 *           -> parse threads read and compare them, in the order of paths -> places
 *
 * Bounded in files and time. What was not looked at is said: a language in which the pattern is not code, a file that
 * could not be parsed, the rest after the bound.
 */
import { type CodeMatch, type InputOf, invalidInput } from "../../contract/index.ts";
import type { ReadPattern } from "./facts.ts";
import { candidates } from "./search-text.ts";
import { type Answered, filesOf, type QuestionPorts, type Rests, type View } from "./view.ts";

type Question = Pick<InputOf<"code.search">, "text" | "language" | "files" | "limit">;
type Ports = Pick<QuestionPorts, "matcher" | "parser" | "clock">;
type Looked = { readonly items: CodeMatch[]; readonly failed: Rests["failed"] & object };

const mostFiles = 5_000;
const mostMs = 10_000;

export async function searchAst(
  { text, language, files, limit }: Question,
  view: View,
  ports: Ports,
): Promise<Answered<{ items: CodeMatch[]; more: boolean }>> {
  const fits = files === undefined ? () => true : ports.matcher(files, "files");
  const languageOf = new Map(
    filesOf(view)
      .filter(({ path }) => fits(path))
      .map((file) => [file.path, file.language]),
  );
  const counts = countBy(language === undefined ? [...languageOf.values()] : [language]);
  const read = new Map<string, ReadPattern>();
  for (const name of counts.keys()) read.set(name, await ports.parser.readPattern(text, name));
  if (language === undefined) refuseUnreadable(read);
  else refuse(language, read.get(language)!);
  const paths = [...read]
    .flatMap(([name, reading]) =>
      reading.state === "read" ? candidates(reading.texts, view).filter((path) => languageOf.get(path) === name) : [],
    )
    .sort((a, b) => (a < b ? -1 : 1));
  const { items, failed } = await look(
    paths,
    (path) => ({ pattern: text, language: languageOf.get(path)!, most: limit + 1 }),
    limit,
    view,
    ports,
  );
  return {
    items: items.slice(0, limit),
    more: items.length > limit,
    rests: { provider: "syntax", confidence: "exact", failed, notes: notRead(read, counts) },
  };
}

/** So many at once as there are threads, in the order of paths, until the limit. */
async function look(
  paths: readonly string[],
  wanted: (path: string) => Parameters<QuestionPorts["parser"]["findPattern"]>[0],
  limit: number,
  { root }: View,
  { parser, clock }: Ports,
): Promise<Looked> {
  const items: CodeMatch[] = [];
  const troubles: string[] = [];
  const until = clock.monotonic() + mostMs;
  const step = parser.width * 2;
  let at = 0;
  for (; at < Math.min(paths.length, mostFiles) && items.length <= limit && clock.monotonic() < until; at += step) {
    const some = paths.slice(at, Math.min(at + step, mostFiles));
    const found = await Promise.all(some.map((path) => parser.findPattern(wanted(path), { tree: root, path })));
    for (const [index, one] of found.entries()) {
      const path = some[index]!;
      if (one.state === "failed") troubles.push(`${path} ${one.reason}`);
      else items.push(...one.places.map((place) => ({ path, ...place })));
    }
  }
  const left = items.length > limit ? 0 : paths.length - Math.min(at, paths.length);
  return { items, failed: [...unread(troubles), ...unreached(left, paths.length)] };
}

function unread([first, ...others]: readonly string[]): Looked["failed"] {
  if (first === undefined) return [];
  return [{ provider: "syntax", reason: `${first}${others.length === 0 ? "" : ` (and ${others.length} more)`}` }];
}

function unreached(left: number, all: number): Looked["failed"] {
  if (left === 0) return [];
  const way = "narrow it by files, or write more names into the pattern";
  return [{ provider: "syntax", reason: `${left} of ${all} files that may match were not looked at; ${way}` }];
}

function refuse(language: string, reading: ReadPattern): void {
  if (reading.state === "unknown")
    throw invalidInput("language", `"${language}" has no patterns; choose one of ${reading.known.join(", ")}`);
  if (reading.state === "invalid") throw invalidInput("text", reading.reason);
}

/** Where the pattern is code in none of the tree's languages, the most frequent one says why. */
function refuseUnreadable(read: ReadonlyMap<string, ReadPattern>): void {
  const readings = [...read.values()];
  const invalid = readings.find((reading) => reading.state === "invalid");
  if (invalid !== undefined && !readings.some(({ state }) => state === "read"))
    throw invalidInput("text", `${invalid.reason}; "language" names the one you mean`);
}

function notRead(read: ReadonlyMap<string, ReadPattern>, counts: ReadonlyMap<string, number>): string[] {
  const others = [...read].filter(([, { state }]) => state !== "read").map(([name]) => name);
  if (others.length === 0) return [];
  const files = others.reduce((sum, name) => sum + counts.get(name)!, 0);
  return [`not looked at: files in which the pattern is not code: ${files} (${others.join(", ")})`];
}

/** The most frequent first. */
function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}
