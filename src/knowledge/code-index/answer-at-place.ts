/**
 * Answers questions about a place in a file: by the first precise tool that can, else by syntax, from the name at the place.
 * The index is asked first in any case: it knows of which tree and revision the answer speaks, and files that it finds
 * changed are told to language servers before they are asked.
 */
import type { CodeAbout, CodeDiagnosis, CodeSpot, CodeSymbol, InputOf } from "../../contract/index.ts";
import { DomainError, invalidInput } from "../../contract/index.ts";
import type { CodeIndex } from "./code-index.ts";
import { askPrecise, type PreciseOutcome, type PrecisePlaces, type PreciseProvider } from "./precise-provider.ts";
import { createLineReader, type LineReader, nameAt } from "./read-lines.ts";

export type PlacePorts = {
  readonly index: Pick<CodeIndex, "ask">;
  /** The surest first. */
  readonly providers: readonly PreciseProvider[];
};
type Choice = InputOf<"position.hover">["provider"];
type Spots = { readonly items: CodeSpot[]; readonly more: boolean; readonly about: CodeAbout };

const waitMs = 10_000;

export async function hoverAt(input: InputOf<"position.hover">, tree: string, ports: PlacePorts) {
  const { name } = await placeIn(tree, input);
  const { items, about } = await symbolsNamed(name, tree, ports);
  const outcome = await precisely(input.provider, ports, (provider) => provider.hover({ ...input, tree }));
  if (outcome.answer !== undefined)
    return { text: outcome.answer.found.text, about: merged(about, outcome, input.provider) };
  const text = items
    .map(({ signature, doc }) => (doc === undefined ? signature : `${signature}\n\n${doc}`))
    .join("\n\n");
  return { text, about: merged(bySyntax(about, items), outcome, input.provider) };
}

export async function definitionAt(
  input: InputOf<"position.definition">,
  tree: string,
  ports: PlacePorts,
): Promise<Spots> {
  const { name, lines } = await placeIn(tree, input);
  const { items, about } = await symbolsNamed(name, tree, ports);
  const outcome = await precisely(input.provider, ports, (provider) => provider.definition({ ...input, tree }));
  if (outcome.answer !== undefined) return preciseSpots(outcome, about, input, lines);
  const spots = await Promise.all(items.map((symbol) => spotOf(symbol, true, lines)));
  return limited(spots, input.limit, false, merged(bySyntax(about, items), outcome, input.provider));
}

export async function referencesAt(
  input: InputOf<"position.references">,
  tree: string,
  ports: PlacePorts,
): Promise<Spots> {
  const { name, lines } = await placeIn(tree, input);
  const { about: now } = await symbolsNamed(name, tree, ports);
  const outcome = await precisely(input.provider, ports, (provider) => provider.references({ ...input, tree }));
  if (outcome.answer !== undefined) return preciseSpots(outcome, now, input, lines);
  if (name === undefined) return limited([], input.limit, false, merged(now, outcome, input.provider));
  const question = { symbol: name, provider: "syntax", limit: input.limit, waitMs } as const;
  const { definitions, items, more, about } = await ports.index.ask("code.usages", tree, question);
  const spots = [
    ...(await Promise.all(definitions.map((symbol) => spotOf(symbol, true, lines)))),
    ...items.map(({ path, line, column, text }) => ({ path, inTree: true, line, column, text, definition: false })),
  ];
  return limited(spots, input.limit, more, merged(about, outcome, input.provider));
}

/** Syntax knows nothing of it: where no tool answers, there is no answer. */
export async function diagnosticsOf(input: InputOf<"position.diagnostics">, tree: string, ports: PlacePorts) {
  await placeIn(tree, { path: input.path, line: 1, column: 1 });
  const { about } = await symbolsNamed(undefined, tree, ports);
  const outcome = await precisely("auto", ports, (provider) => provider.diagnostics({ tree, path: input.path }));
  const { answer } = outcome;
  if (answer === undefined) {
    const reasons = [...outcome.failed, ...outcome.notCovered].map(({ provider, reason }) => ({ provider, reason }));
    const said = (outcome.failed[0] ?? outcome.notCovered.at(-1))?.reason ?? "no tool is set up";
    throw new DomainError("code.unanswered", `No diagnostics of ${input.path} are known: ${said}`, {
      details: { reasons },
    });
  }
  const { diagnostics, more } = answer.found;
  const items = diagnostics
    .slice(0, input.limit)
    .map(({ line, column, severity, message, code, source }): CodeDiagnosis => ({
      line,
      column,
      severity,
      message,
      ...(code === undefined ? {} : { code }),
      ...(source === undefined ? {} : { source }),
    }));
  return {
    items,
    more: more || diagnostics.length > input.limit,
    about: merged(about, { ...outcome, notCovered: [] }, "auto"),
  };
}

async function placeIn(
  tree: string,
  { path, line, column }: { readonly path: string; readonly line: number; readonly column: number },
): Promise<{ readonly name: string | undefined; readonly lines: LineReader }> {
  const lines = createLineReader(tree);
  const text = await lines.linesOf(path);
  if (text === undefined)
    throw invalidInput("path", "must be a file of the tree", {
      sentence: `"${path}" is not a file of ${tree} that can be read`,
    });
  const own = text[line - 1];
  if (own === undefined || column > own.length + 1)
    throw invalidInput(own === undefined ? "line" : "column", "must be in the file", {
      sentence: `${path} has no place ${line}:${column}`,
    });
  return { name: nameAt(own, column), lines };
}

/** auto: all in order, else the one that was chosen. */
function precisely<Found>(
  choice: Choice,
  { providers }: PlacePorts,
  ask: Parameters<typeof askPrecise<Found>>[1],
): Promise<PreciseOutcome<Found>> {
  return askPrecise(choice === "auto" ? providers : providers.filter(({ name }) => name === choice), ask);
}

/** Without a name only what the answer is about. */
async function symbolsNamed(name: string | undefined, tree: string, { index }: PlacePorts) {
  const question = { exact: true, kind: "any", limit: name === undefined ? 1 : 50, waitMs } as const;
  const answer = await index.ask("code.symbols", tree, name === undefined ? question : { ...question, name });
  return { items: name === undefined ? [] : answer.items, about: answer.about };
}

/** By name alone two symbols of one name are not told apart. */
function bySyntax(about: CodeAbout, { length }: readonly CodeSymbol[]): CodeAbout {
  return { ...about, provider: "syntax", confidence: length === 1 ? "likely" : "possible" };
}

async function preciseSpots(
  outcome: PreciseOutcome<PrecisePlaces>,
  about: CodeAbout,
  { limit, provider }: { readonly limit: number; readonly provider: Choice },
  lines: LineReader,
): Promise<Spots> {
  const { places, more } = outcome.answer!.found;
  const items = places
    .slice(0, limit)
    .map(async ({ path, isInTree, line, column, isDefinition }): Promise<CodeSpot> => ({
      path,
      inTree: isInTree,
      line,
      column,
      text: isInTree ? await lines.lineOf(path, line) : "",
      ...(isDefinition === undefined ? {} : { definition: isDefinition }),
    }));
  return {
    items: await Promise.all(items),
    more: more || places.length > limit,
    about: merged(about, outcome, provider),
  };
}

async function spotOf({ path, line, column }: CodeSymbol, definition: boolean, lines: LineReader): Promise<CodeSpot> {
  return { path, inTree: true, line, column, text: await lines.lineOf(path, line), definition };
}

function limited(spots: CodeSpot[], limit: number, more: boolean, about: CodeAbout): Spots {
  return { items: spots.slice(0, limit), more: more || spots.length > limit, about };
}

/** What the answer rests on: the tool that knew it, and every tool that was asked before and why it did not. */
export function merged(about: CodeAbout, outcome: PreciseOutcome<unknown>, choice: Choice): CodeAbout {
  const { answer, failed, notCovered, notes } = outcome;
  const isChosen = choice !== "auto";
  return {
    ...about,
    ...(answer === undefined ? {} : { provider: answer.provider, confidence: answer.confidence }),
    failed: [
      ...about.failed,
      ...failed,
      ...(isChosen ? notCovered.map(({ provider, reason }) => ({ provider, reason })) : []),
    ],
    notes: [
      ...about.notes,
      ...notes,
      ...(isChosen ? [] : notCovered.map(({ provider, reason }) => `${provider}: ${reason}`)),
    ],
  };
}
