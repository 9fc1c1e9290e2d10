/** A graph from a YAML or JSON file, and the daemon's problems with it told by line. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { DomainError, invalidInput } from "../../../contract/errors.ts";
import { writtenEdgeProblems } from "../../../platform/dependencies/index.ts";
import type { Place } from "../../../platform/placed-yaml.ts";

export type DagFile = {
  readonly value: Readonly<Record<string, unknown>>;
  /** The same error with `file:line:column` for every problem in it, where it is about the file. */
  placed(error: unknown): Promise<unknown>;
  /** Fails with every problem of the file, if it has any. */
  check(): Promise<void>;
};
export type Problem = { readonly path: string; readonly message: string };

/** As much as the daemon takes. */
const largestBytes = 1_000_000;
const mostValues = 200_000;

/** All that can be found in the file, whatever else is wrong with it; by default of its edges alone. */
export type FindProblems = (value: DagFile["value"]) => Promise<readonly Problem[]>;

export async function readDagFile(
  file: string,
  known: readonly string[],
  findProblems: FindProblems = async ({ nodes }) => writtenEdgeProblems(nodes, false),
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
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => known.includes(key)));
  const all = (problems: readonly Problem[]): DomainError => {
    const once = new Map(problems.map(({ path, message }) => [`${path}: ${message}`, path]));
    const told = [...once].map(([message, path]) => ({ ...placeOf(path.split(".")), message }));
    return invalid(file, [...unknown, ...told]);
  };
  const check = async (): Promise<void> => {
    const problems = await findProblems(rest);
    if (problems.length > 0 || unknown.length > 0) throw all(problems);
  };
  const placed = async (error: unknown): Promise<unknown> => {
    if (!(error instanceof DomainError) || error.code !== "input.invalid") return error;
    return all([...((error.details.problems ?? []) as readonly Problem[]), ...(await findProblems(rest))]);
  };
  // A file with a strange key is never sent.
  if (unknown.length > 0) await check();
  return { value: value as DagFile["value"], placed, check };
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
