/** A graph from a YAML or JSON file, and the daemon's problems with it told by line. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { DomainError, invalidInput } from "../../../contract/errors.ts";
import { cycleProblems, dependencyProblems, indexGraph } from "../../../platform/dependencies/index.ts";
import type { Place } from "../../../platform/placed-yaml.ts";

export type DagFile = {
  readonly value: Readonly<Record<string, unknown>>;
  /** The same error with `file:line:column` for every problem in it, where it is about the file. */
  placed(error: unknown): unknown;
};
type Problem = { readonly path: string; readonly message: string };

/** As much as the daemon takes. */
const largestBytes = 1_000_000;
const mostValues = 200_000;

/** `isWhole`: the file is the whole graph, so a dependency on a node that it does not have is a problem. */
type Terms = { readonly check?: CheckFile; readonly isWhole?: boolean };

export async function readDagFile(
  file: string,
  known: readonly string[],
  { check = async () => {}, isWhole = false }: Terms = {},
): Promise<DagFile> {
  const text = await readText(file);
  const { parsePlacedYaml } = await import("../../../platform/placed-yaml.ts");
  const parsed = parsePlacedYaml(text, { mostValues });
  if ("problems" in parsed) throw invalid(file, parsed.problems);
  const { value, placeOf } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(file, [{ ...placeOf([]), message: `must be a map with ${known.join(", ")}` }]);
  const strange = Object.keys(value).filter((key) => !known.includes(key));
  const unknown = strange.map((key) => ({
    ...placeOf([key]),
    message: `Unknown key "${key}"; use one of ${known.join(", ")}`,
  }));
  const placed = (error: unknown): unknown => {
    if (!(error instanceof DomainError) || error.code !== "input.invalid") return error;
    const problems = ((error.details.problems ?? []) as readonly Problem[]).filter(
      ({ path }) => !strange.includes(path.split(".")[0]!),
    );
    // A value that the schema refuses keeps the daemon from looking at the edges.
    const edges = edgeProblems((value as DagFile["value"]).nodes, isWhole);
    const all = new Map([...problems, ...edges].map(({ path, message }) => [`${path}: ${message}`, path]));
    const told = [...all].map(([message, path]) => ({ ...placeOf(path.split(".")), message }));
    return invalid(file, [...unknown, ...told]);
  };
  const read: DagFile = { value: value as DagFile["value"], placed };
  // A file with a strange key is never sent; what else is wrong with it is found here, so that all is told at once.
  if (unknown.length > 0) throw await withOtherProblems(read, check);
  return read;
}

/** Of the nodes as they were written, whatever else is wrong with them. */
function edgeProblems(nodes: unknown, isWhole: boolean): readonly Problem[] {
  if (typeof nodes !== "object" || nodes === null) return [];
  const written = Object.entries(nodes).map(([id, terms]) => ({ id, dependsOn: namesIn(terms) }));
  const index = indexGraph(written);
  const found = [
    ...dependencyProblems(written, (id) => !isWhole || index.position.has(id)),
    ...cycleProblems(written, index),
  ];
  return found.map(({ message, nodes: [node] }) => ({ path: `nodes.${node}.dependsOn`, message }));
}

function namesIn(terms: unknown): readonly string[] {
  const { dependsOn } = (terms ?? {}) as { readonly dependsOn?: unknown };
  return Array.isArray(dependsOn) ? dependsOn.filter((name) => typeof name === "string") : [];
}

/** Checks the rest of the file as the daemon would. */
export type CheckFile = (value: DagFile["value"]) => Promise<void>;

async function withOtherProblems({ value, placed }: DagFile, check: CheckFile): Promise<unknown> {
  try {
    await check(value);
    return placed(new DomainError("input.invalid", "unknown keys", { details: { problems: [] } }));
  } catch (error) {
    return placed(error);
  }
}

function invalid(file: string, problems: readonly (Place & { readonly message: string })[]): DomainError {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const told = sorted.map(({ line, column, message }) => ({ path: `${file}:${line}:${column}`, message }));
  return new DomainError("input.invalid", told.map(({ path, message }) => `${path}: ${message}`).join("\n"), {
    details: { problems: told },
  });
}

/** Opened without blocking, and read no further than the limit: the path may name a pipe or a device. */
async function readText(file: string): Promise<string> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size } = await handle.stat();
    if (size > largestBytes) throw new Error(`it is larger than ${largestBytes / 1_000} KB; split the graph`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await handle.readFile());
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : message;
    throw invalidInput(file, why, { sentence: `${file} cannot be read: ${why}`, cause });
  }
}
