/**
 * Reads which tests or rules failed out of a checker's output.
 *
 *   output -> the reporter whose marks it carries -> one failure per mark, with its place and its own lines
 *          `-> no known marks: places written as "file:line: message" -> none either: the last lines as one failure
 *
 * Output is written by code of a model, so all of it is bounded: failures, lines and their length.
 */
import { stripVTControlCharacters } from "node:util";
import type { CheckFailure } from "../../contract/index.ts";

const mostFailures = 50;
/** Of all failures together. Those beyond it keep their name and place. */
const mostCharacters = 16_000;
const mostLines = 30;
const longestLine = 300;
const fallbackLines = 25;
/** Reporters write failures at the end. */
const readLines = 20_000;

type Mark = {
  /** Opens a failure. Groups: name, and file where the line says it. */
  readonly open: RegExp;
  /** Opens a failure only after this line. */
  readonly after?: RegExp;
  /** Ends the lines of a failure. */
  readonly close: RegExp;
  /** A failure that only repeats others, such as a suite whose tests failed. */
  readonly repeats?: RegExp;
};

const marks: readonly Mark[] = [
  // node:test, reporter spec
  { after: /^✖ failing tests:$/, open: /^✖ (?<name>.+?)(?: \([\d.]+ms\))?$/, close: /^test at / },
  // node:test, reporter tap, and every other program that writes TAP
  {
    open: /^\s*not ok \d+(?: - (?<name>.*?))?\s*$/,
    close: /^\s*(\.\.\.|#|ok \d|\d+\.\.\d+)/,
    repeats: /failureType: 'subtestsFailed'/,
  },
  // vitest
  { open: /^\s*FAIL\s{1,2}(?<name>(?<file>\S+) > .+)$/, close: /^⎯+/ },
  // jest
  { open: /^\s{2}● (?<name>.+)$/, close: /^(FAIL|PASS|Test Suites:)\s/ },
  // pytest
  { after: /^=+ (FAILURES|ERRORS) =+$/, open: /^_{3,} (?<name>.+?) _{3,}$/, close: /^=+ / },
  // unittest
  { open: /^(?:FAIL|ERROR): (?<name>\w+ \(.+\))$/, close: /^(={10,}|Ran \d+ tests?)/ },
  // go test
  { open: /^\s*--- FAIL: (?<name>\S+)/, close: /^(FAIL|ok|PASS|exit status)\b/ },
  // cargo test
  { open: /^---- (?<name>.+?) stdout ----$/, close: /^failures:$/ },
  // mocha
  { after: /^\s*\d+ failing$/, open: /^\s{2}\d+\) (?<name>.+?):?$/, close: /^npm / },
];

const place =
  /(?:^|[\s('"❯]|file:\/\/)(?<file>(?:\.{0,2}\/)?[\w@][\w@./-]*\.\w{1,8})(?::(?<line>\d{1,7})|", line (?<line2>\d{1,7})|\((?<line3>\d{1,7}),)/;
/** path:line[:column]: message, and TypeScript's path(line,column): message. */
const placed =
  /^\s*(?<file>[\w@./-]{1,300}\.\w{1,8})(?::(?<line>\d{1,7})(?::\d{1,7})?|\((?<line2>\d{1,7}),\d{1,7}\)):?\s+(?<name>\S.*)$/;
/** eslint writes the file on a line of its own, and its problems below it. */
const lintFile = /^(?<file>\/?[\w@./-]{1,300}\.\w{1,8})$/;
const lintProblem = /^\s+(?<line>\d{1,7}):\d{1,7}\s+(?<name>(?:error|warning)\s+\S.*)$/;

export function readFailures(output: string, tree: string): readonly CheckFailure[] {
  const lines = stripVTControlCharacters(output).split("\n").slice(-readLines);
  for (const mark of marks) {
    const found = withMark(lines, mark);
    if (found.length > 0) return bounded(found, tree);
  }
  const problems = placedProblems(lines);
  if (problems.length > 0) return bounded(problems, tree);
  const last = shownLines(lines.slice(-fallbackLines));
  return last === "" ? [] : [{ output: last }];
}

function bounded(found: readonly CheckFailure[], tree: string): readonly CheckFailure[] {
  let room = mostCharacters;
  return found.slice(0, mostFailures).map((failure) => {
    room -= failure.output.length;
    return inside(room < 0 ? { ...failure, output: "" } : failure, tree);
  });
}

function withMark(lines: readonly string[], { open, after, close, repeats }: Mark): readonly CheckFailure[] {
  const start = after === undefined ? 0 : lines.findIndex((line) => after.test(line)) + 1;
  if (after !== undefined && start === 0) return [];
  const found: { readonly name: string; readonly file: string | undefined; readonly lines: string[] }[] = [];
  let current: string[] | undefined;
  for (const [index, line] of lines.entries()) {
    if (index < start) continue;
    const { name, file } = open.exec(line.trimEnd())?.groups ?? {};
    if (name !== undefined) {
      current = [];
      found.push({ name: cut(name), file, lines: current });
      // node:test names the place on the line before.
      if (lines[index - 1]?.startsWith("test at ") === true) current.push(lines[index - 1]!);
    } else if (close.test(line)) current = undefined;
    else current?.push(line);
  }
  const told = found.filter((failure) => repeats === undefined || !failure.lines.some((line) => repeats.test(line)));
  return told.map(({ name, file, lines: own }) => ({ name, ...placeIn(own, file), output: shownLines(own) }));
}

function placeIn(lines: readonly string[], file: string | undefined): Pick<CheckFailure, "file" | "line"> {
  for (const text of lines.slice(0, mostLines)) {
    const { file: path, line, line2, line3 } = place.exec(text.slice(0, longestLine))?.groups ?? {};
    if (path === undefined || path.includes("node_modules/") || (file !== undefined && !path.endsWith(file))) continue;
    return { file: path, line: Number(line ?? line2 ?? line3) };
  }
  return file === undefined ? {} : { file };
}

function placedProblems(lines: readonly string[]): readonly CheckFailure[] {
  const found: CheckFailure[] = [];
  let file: string | undefined;
  for (const text of lines) {
    const shown = text.slice(0, longestLine).trimEnd();
    const own = placed.exec(shown)?.groups;
    if (own !== undefined)
      found.push({
        name: own.name!.trim(),
        file: own.file!,
        line: Number(own.line ?? own.line2),
        output: shown.trim(),
      });
    file = lintFile.exec(shown)?.groups?.file ?? (shown === "" ? undefined : file);
    const problem = file === undefined ? undefined : lintProblem.exec(shown)?.groups;
    if (problem !== undefined)
      found.push({ name: spaced(problem.name!), file: file!, line: Number(problem.line), output: shown.trim() });
  }
  return found;
}

/** Relative to the tree, as people name files; a place outside of it is not shown as one. */
function inside({ file, line, ...failure }: CheckFailure, tree: string): CheckFailure {
  const path = file?.startsWith(`${tree}/`) === true ? file.slice(tree.length + 1) : file;
  if (path === undefined || path.startsWith("/")) return failure;
  return { ...failure, file: path, ...(line === undefined ? {} : { line }) };
}

/** The lines around a failure without the frames of the test runner itself. */
function shownLines(lines: readonly string[]): string {
  const told = lines.filter((line) => !/^\s+at .*(node:|node_modules\/)|^test at /.test(line)).map(cut);
  while (told[0]?.trim() === "") told.shift();
  while (told.at(-1)?.trim() === "") told.pop();
  const shown =
    told.length <= mostLines ? told : [...told.slice(0, mostLines), `… ${told.length - mostLines} more lines`];
  const margin = Math.min(...shown.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)));
  return shown.map((line) => line.slice(Number.isFinite(margin) ? margin : 0)).join("\n");
}

function cut(line: string): string {
  return line.length <= longestLine ? line.trimEnd() : `${line.slice(0, longestLine)}…`;
}

function spaced(text: string): string {
  return text.replaceAll(/\s{2,}/g, " ");
}
