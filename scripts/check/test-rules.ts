/**
 * Rules for tests: requirement ids in titles exist and are at most four, titles are plain English, nothing is focused,
 * nothing is skipped without a reason that the run can print.
 */
import ts from "typescript";
import { readRequirements } from "../requirements.ts";
import type { Check } from "./check.ts";
import { hiddenSubjects } from "./plain-english.ts";
import { listSources, parseSource, placeOf, walk } from "./sources.ts";

const MAX_IDS = 4;
const ID = /[A-Z]+-\d+/g;
const ID_LIST = /^[A-Z]+-\d+(, [A-Z]+-\d+)*$/;
const REFUSED: Record<string, string> = {
  only: "remove .only: it silences every other test",
  todo: "a test that does not exist is an id without a test; remove .todo",
  skip: 'skip inside the test, with its reason: it("...", ({ skip }) => { skip(condition, "reason"); })',
};

export const testRules: Check = {
  name: "tests",
  run: (root) => {
    const known = new Set(readRequirements(root).map((requirement) => requirement.id));
    const files = listSources(root, ["src", "test"]).map((file) => parseSource(root, file));
    return Promise.resolve(files.filter(usesVitest).flatMap((source) => findProblems(source, known)));
  },
};

function usesVitest(source: ts.SourceFile): boolean {
  return /from "vitest"/.test(source.text);
}

function findProblems(source: ts.SourceFile, known: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  walk(source, (node) => {
    if (!ts.isCallExpression(node)) return;
    const report = (problem: string): unknown => problems.push(`${placeOf(node)}: ${problem}`);
    if (isBareSkip(node)) report("skip() needs its reason as the last argument");
    const words = testCallWords(node);
    if (words === undefined) return;
    for (const word of words) {
      const advice = REFUSED[word === "skipIf" || word === "runIf" ? "skip" : word];
      if (advice !== undefined) report(advice);
    }
    checkTitle(node, known).forEach(report);
  });
  return problems;
}

/** `it.each(rows)(title, ...)` and `it.only(title, ...)` both give the words after `it`; other calls give nothing. */
function testCallWords(call: ts.CallExpression): string[] | undefined {
  const words: string[] = [];
  let callee: ts.Expression = call.expression;
  while (!ts.isIdentifier(callee)) {
    if (ts.isPropertyAccessExpression(callee)) words.push(callee.name.text);
    else if (!ts.isCallExpression(callee) && !ts.isTaggedTemplateExpression(callee)) return undefined;
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
  }
  const title = call.arguments[0];
  const titled = title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title));
  return titled && ["it", "test", "describe"].includes(callee.text) ? words : undefined;
}

function checkTitle(call: ts.CallExpression, known: ReadonlySet<string>): string[] {
  const title = titleOf(call);
  const groups = [...title.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? "").filter((text) => text.match(ID));
  const ids = groups.flatMap((group) => group.match(ID) ?? []);
  const all = [...ids, ...enclosingTitles(call).flatMap((outer) => /\[[^\]]*\]/.exec(outer)?.[0].match(ID) ?? [])];
  return [
    ...hiddenSubjects(title),
    ...groups.filter((group) => !ID_LIST.test(group)).map((group) => `write ids as [A-1, B-2], not [${group}]`),
    ...ids.filter((id) => !known.has(id)).map((id) => `${id} is not in docs/requirements`),
    ...(ids.length > 0 && all.length > MAX_IDS
      ? [`${all.length} ids in one title; a test proves at most ${MAX_IDS}`]
      : []),
  ];
}

function titleOf(call: ts.CallExpression): string {
  const title = call.arguments[0];
  return title !== undefined && ts.isStringLiteralLike(title) ? title.text : (title?.getText() ?? "");
}

/** Titles of the describes around a test: its full name carries their ids too. */
function enclosingTitles(call: ts.CallExpression): string[] {
  const titles: string[] = [];
  for (let node: ts.Node = call.parent; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isCallExpression(node) && testCallWords(node) !== undefined) titles.push(titleOf(node));
  }
  return titles;
}

/** `skip()` or `context.skip(condition)`: the run could not say why. */
function isBareSkip(call: ts.CallExpression): boolean {
  const callee = call.expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (name !== "skip" || testCallWords(call) !== undefined) return false;
  const [first, second] = call.arguments;
  const textFirst = first !== undefined && (ts.isStringLiteralLike(first) || ts.isTemplateExpression(first));
  return second === undefined && !textFirst;
}
