/**
 * Usages by name, made sure by a precise tool: it is asked at the symbol's definition, which syntax knows.
 *
 *   exact    places that the tool did not name have the same name only, and are left out
 *   likely   the tool may not know the whole project: places that only syntax knows stay, and say "possible"
 *
 * Unless a tool is named, only those are asked that are at hand: an imported index, a server that runs already.
 */
import type { CodeUsage, InputOf, OutputOf } from "../../contract/index.ts";
import { merged } from "./answer-at-place.ts";
import type { CodeIndex } from "./code-index.ts";
import { askPrecise, type PrecisePlace, type PrecisePlaces, type PreciseProvider } from "./precise-provider.ts";
import { createLineReader, type LineReader } from "./read-lines.ts";

type Index = Pick<CodeIndex, "ask">;
type Question = InputOf<"code.usages">;
type Usages = OutputOf<"code.usages">;
type Spot = Pick<PrecisePlace, "path" | "line" | "column">;

/** All that the index tells at once: what precise tools leave out must be among it. */
const mostUsages = 500;

export function withPrecise(index: Index, providers: readonly PreciseProvider[]): Index {
  return {
    ask: (name, tree, input) =>
      name === "code.usages"
        ? (usagesOf(input as Question, tree, index, providers) as never)
        : index.ask(name, tree, input),
  };
}

async function usagesOf(
  question: Question,
  folder: string,
  index: Index,
  providers: readonly PreciseProvider[],
): Promise<Usages> {
  const { provider: choice, limit } = question;
  if (choice === "syntax") return index.ask("code.usages", folder, question);
  const all = await index.ask("code.usages", folder, { ...question, limit: mostUsages });
  const { about } = all;
  const [definition, second] = all.definitions;
  if (definition === undefined || second !== undefined) {
    const count = all.definitions.length === 0 ? "no definition" : "several definitions";
    const reason = `the name has ${count} here; "sylk references <file>:<line>:<column>" asks about one symbol`;
    const failed = choice === "auto" ? [] : [{ provider: choice, reason }];
    return cut({ ...all, about: { ...about, failed: [...about.failed, ...failed] } }, limit);
  }
  const at = { tree: about.tree, path: definition.path, line: definition.line, column: definition.column };
  const outcome = await askPrecise(await chosen(choice, at, providers), (provider) => provider.references(at));
  const notCovered = outcome.notCovered.filter(({ isStale }) => isStale || choice !== "auto");
  const { answer } = outcome;
  if (answer === undefined) return cut({ ...all, about: merged(about, { ...outcome, notCovered }, choice) }, limit);
  const { items, notes } = await made(answer, all, await pathFilter(question, folder, index), definition);
  const said = { ...outcome, notCovered, notes: [...outcome.notes, ...notes] };
  return cut({ ...all, items, more: all.more || answer.found.more, about: merged(about, said, choice) }, limit);
}

async function chosen(
  choice: Question["provider"],
  at: Parameters<PreciseProvider["isAtHand"]>[0],
  providers: readonly PreciseProvider[],
): Promise<readonly PreciseProvider[]> {
  if (choice !== "auto") return providers.filter(({ name }) => name === choice);
  const atHand = await Promise.all(providers.map((provider) => provider.isAtHand(at)));
  return providers.filter((_provider, index) => atHand[index]);
}

/** The places of the tool first, then what only syntax knows, where the tool may not know everything. */
async function made(
  { found, confidence }: { readonly found: PrecisePlaces; readonly confidence: "exact" | "likely" },
  { items, about }: Usages,
  fits: (path: string) => boolean,
  definition: Spot,
): Promise<{ readonly items: CodeUsage[]; readonly notes: readonly string[] }> {
  const places = found.places.filter((place) => place.isInTree && fits(place.path) && !isSame(place, definition));
  const known = new Map(items.map((item) => [keyOf(item), item]));
  const lines = createLineReader(about.tree);
  const sure = await Promise.all(places.map((place) => usageOf(place, known.get(keyOf(place)), lines)));
  const named = new Set(places.map(keyOf));
  const rest = items.filter((item) => !named.has(keyOf(item)));
  if (confidence === "likely")
    return { items: [...sure, ...rest.map((item) => ({ ...item, confidence: "possible" as const }))], notes: [] };
  const count = `${rest.length} ${rest.length === 1 ? "place has" : "places have"}`;
  return { items: sure, notes: rest.length === 0 ? [] : [`${count} the same name and not this meaning`] };
}

async function usageOf(
  { path, line, column }: Spot,
  known: CodeUsage | undefined,
  lines: LineReader,
): Promise<CodeUsage> {
  if (known !== undefined) return { ...known, confidence: "exact" };
  return { path, line, column, text: await lines.lineOf(path, line), kind: "reference", confidence: "exact" };
}

/** The index knows the pattern's files; more of them than it tells at once are not told apart. */
async function pathFilter(
  { files, waitMs }: Question,
  folder: string,
  index: Index,
): Promise<(path: string) => boolean> {
  if (files === undefined) return () => true;
  const { items, more } = await index.ask("code.files", folder, { pattern: files, limit: mostUsages, waitMs });
  const paths = new Set(items.map(({ path }) => path));
  return (path) => more || paths.has(path);
}

function cut(usages: Usages, limit: number): Usages {
  return { ...usages, items: usages.items.slice(0, limit), more: usages.more || usages.items.length > limit };
}

function keyOf({ path, line, column }: Spot): string {
  return `${path}:${line}:${column}`;
}

function isSame(a: Spot, b: Spot): boolean {
  return keyOf(a) === keyOf(b);
}
