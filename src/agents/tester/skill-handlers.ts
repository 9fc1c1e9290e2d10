/** The Tester's skills with what they do. */
import { type DomainError, invalidInput, type Run } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { callable, type CallableSkill } from "../skills/index.ts";
import type { CheckHere } from "../shared/checks/index.ts";
import { findFiles as findFilesIn, inLines, type KnownFiles, type Lines } from "../shared/known-files/index.ts";
import { catFile, findFiles, getResults, grepOutput, runTests } from "./skills.ts";

export type TesterPorts = {
  readonly files: KnownFiles;
  readonly check: CheckHere;
  /** The named one, or the latest. */
  run(id?: string): Promise<Run>;
};

const mostMatches = 100;

export function testerCallables({ files, check, run }: TesterPorts): readonly CallableSkill[] {
  return [
    callable(runTests, "change", ({ path = ".", verbose = false }, { signal }) =>
      check("tests", { path, verbose, signal }),
    ),
    callable(getResults, "read", async ({ run_id: id }) => resultsOf(await run(id))),
    callable(catFile, "read", async ({ path, head, tail }) => inLines(await files.read(path), range(head, tail))),
    callable(grepOutput, "read", async ({ pattern, path, case_insensitive: either = false }) =>
      linesWith(pattern, await files.read(path), either),
    ),
    findFilesIn(findFiles, files),
  ];
}

export function resultsOf({ id, session, status, reason, checks }: Run) {
  return { run: id, session, status, reason, checks: checks.filter(({ kind }) => kind === "tests") };
}

function range(head: number | undefined, tail: number | undefined): Pick<Partial<Lines>, "from" | "to"> {
  if ([head, tail].some((lines) => lines !== undefined && lines < 1))
    throw invalid("head and tail are numbers of lines, from 1");
  if (head !== undefined && tail !== undefined) throw invalid("give head or tail, not both");
  return { ...defined({ to: head }), ...(tail === undefined ? {} : { from: -tail }) };
}

function linesWith(pattern: string, { path, text }: { readonly path: string; readonly text: string }, either: boolean) {
  if (pattern === "") throw invalid("pattern: say what to find");
  const plain = (line: string): string => (either ? line.toLowerCase() : line);
  const found = text.split("\n").flatMap((line, index) => {
    return plain(line).includes(plain(pattern)) ? [{ line: index + 1, text: line.slice(0, 500) }] : [];
  });
  return { path, matches: found.slice(0, mostMatches), count: found.length };
}

function invalid(message: string): DomainError {
  return invalidInput("input", message, { sentence: message });
}
