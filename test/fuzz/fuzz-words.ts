/**
 * Command lines made from the real command table: known words and flags, misspelt ones, texts nobody would type.
 *
 * What must hold: arguments, help, or an error of the family "invalid" with exit code 2; an unknown flag is named.
 */
import fc from "fast-check";
import { DomainError } from "../../src/contract/index.ts";
import { complete } from "../../src/surfaces/cli/complete.ts";
import { type Command, commonFlags } from "../../src/surfaces/cli/command.ts";
import { commandTable, findCommand } from "../../src/surfaces/cli/command-table.ts";
import type { Output } from "../../src/surfaces/cli/output.ts";
import { parseArguments } from "../../src/surfaces/cli/parse-arguments.ts";
import { runTopLevel } from "../../src/surfaces/cli/top-level.ts";
import { type Figures, newFigures, pairsOf, type Problem } from "./figures.ts";

const oddWords = [
  "",
  " ",
  "-",
  "--",
  "---",
  "-x",
  "--=",
  "--json=1",
  "--no-json",
  "-h",
  "--help",
  "--project",
  "-C",
  "-1",
  "1e9",
  "NaN",
  "\u0000",
  "__proto__",
  "constructor",
  "--__proto__",
  "--constructor",
  "--to-string",
  "é😀",
  "../..",
  "a=b",
  "-jC/",
  "@file",
  "y".repeat(5_000),
];
const anyText = fc.string({ unit: "binary", maxLength: 20 });

export async function fuzzWords({ cases, seed }: { readonly cases: number; readonly seed: number }): Promise<Figures> {
  const figures = newFigures();
  const commands = await Promise.all(commandTable.map(({ load }) => load()));
  for (const argv of fc.sample(wordsOf(commands), { numRuns: cases, seed })) {
    const { where, ok, problem } = await tryWords(argv);
    figures.cases++;
    pairsOf(figures, where)[ok ? "accepted" : "refused"]++;
    if (problem !== undefined)
      figures.problems.push({ kind: problem, where, input: JSON.stringify(argv).slice(0, 600) });
  }
  return figures;
}

function wordsOf(commands: readonly Command[]): fc.Arbitrary<readonly string[]> {
  const lines = commands.map((command) => {
    const flags = Object.entries({ ...command.flags, ...commonFlags });
    const flag = fc
      .constantFrom(...flags)
      .chain(([name, { choices = ["5", "src/a.ts", "x"] }]) =>
        fc.constantFrom(
          ...choices.flatMap((value) => [[`--${name}`, value], [`--${name}=${value}`], [`--${name}`], [`--${name}x`]]),
        ),
      );
    const word = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom("wrk_01jd8q3m7k4x9t2v5b8n1c", "src/a.ts", "A title").map((text) => [text]),
      },
      { weight: 4, arbitrary: flag },
      { weight: 1, arbitrary: fc.constantFrom(...oddWords).map((text) => [text]) },
      { weight: 1, arbitrary: anyText.map((text) => [text]) },
    );
    return fc.array(word, { maxLength: 6 }).map((words) => [...command.words.split(" "), ...words.flat()]);
  });
  const known = commands.flatMap(({ words }) => words.split(" "));
  const scattered = fc.array(fc.oneof(fc.constantFrom(...known, ...oddWords), anyText), { maxLength: 5 });
  // The worker's own word starts a worker's life; no person types it.
  return fc.oneof(
    { weight: 5, arbitrary: fc.oneof(...lines) },
    { weight: 1, arbitrary: scattered.filter(([first]) => first !== "__worker") },
  );
}

type Outcome = { readonly where: string; readonly ok: boolean; readonly problem?: Problem["kind"] | undefined };

async function tryWords(argv: readonly string[]): Promise<Outcome> {
  const found = findCommand(argv);
  const where = found?.row.words ?? "no command";
  try {
    await complete(argv);
    if (found === undefined) await runTopLevel(argv, silent);
    else parseArguments(await found.row.load(), found.rest);
    return { where, ok: true };
  } catch (error) {
    if (!(error instanceof DomainError)) return { where, ok: false, problem: "crash" };
    if (error.family !== "invalid" || error.exitCode !== 2) return { where, ok: false, problem: "undeclared" };
    const [, unknown] = /unknown option '([^']*)'/.exec(error.message) ?? [];
    const isNamed =
      unknown === undefined || argv.some((word) => word.startsWith("-") && word.includes(unknown.slice(1)));
    return { where, ok: false, problem: isNamed && /\w/.test(error.message) ? undefined : "unnamed" };
  }
}

const silent: Output = {
  width: 80,
  paragraph: () => {},
  line: () => {},
  note: () => {},
  table: () => {},
  json: () => {},
  jsonLine: () => {},
  paint: (_tone, text) => text,
  progress: (_label, work) => work,
};
