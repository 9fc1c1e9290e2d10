/**
 * Rules for tests: requirement ids in titles exist and are at most four, titles are plain English, nothing is focused,
 * nothing is skipped without a reason that the run can print.
 *
 * An id proves something only where the product does it: none by interpolation without a row of its own, none over a
 * subject that the test makes, none shared by a test that may be skipped.
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
    const files = listSources(root, ["src", "dashboard/src", "test"])
      .map((file) => parseSource(root, file))
      .filter(usesVitest);
    const problems = files.flatMap((source) => findProblems(source, known));
    return Promise.resolve([...problems, ...sharedBySkipped(files.flatMap(findCarriers))]);
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
    checkSubject(node).forEach(report);
  });
  return problems;
}

/** What a role, a skill or a store is made by; a test of such a subject shows that the test's own works. */
const SUBJECT_MAKERS = new Set(["defineRole", "defineSkill"]);
const SUBJECT_NAMES = new Set(["role", "skill", "store", "archive"]);

function checkSubject(call: ts.CallExpression): string[] {
  const body = call.arguments.slice(1).at(-1);
  if (body === undefined || idsOf(titleOf(call)).length === 0) return [];
  const made = new Set(makersIn(body, call.getSourceFile(), new Set()));
  walk(body, (node) => {
    if (!ts.isPropertyAssignment(node) || !SUBJECT_NAMES.has(node.name.getText())) return;
    if (hasMethods(node.initializer)) made.add(`a ${node.name.getText()} of its own`);
  });
  return [...made].map((what) => `the subject is made in the test (${what}); an id needs the product's own`);
}

/** Makers that a node calls, by itself or by what it uses of its own file. */
function makersIn(node: ts.Node, source: ts.SourceFile, seen: Set<string>): string[] {
  const found: string[] = [];
  walk(node, (inner) => {
    if (!ts.isIdentifier(inner)) return;
    const isMaker = SUBJECT_MAKERS.has(inner.text) && !source.fileName.endsWith(testOf(inner.text));
    if (isMaker && ts.isCallExpression(inner.parent)) found.push(inner.text);
    if (seen.has(inner.text)) return;
    const declared = declarationOf(inner.text, source);
    seen.add(inner.text);
    if (declared !== undefined) found.push(...makersIn(declared, source, seen));
  });
  return found;
}

/** The maker's own test: there it is the subject. */
function testOf(maker: string): string {
  return `/${maker.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.test.ts`;
}

function declarationOf(name: string, source: ts.SourceFile): ts.Node | undefined {
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement.body;
    if (!ts.isVariableStatement(statement)) continue;
    const found = statement.declarationList.declarations.find((each) => each.name.getText() === name);
    if (found !== undefined) return found.initializer;
  }
  return undefined;
}

function hasMethods(value: ts.Expression): boolean {
  return (
    ts.isObjectLiteralExpression(value) &&
    value.properties.some(
      (each) => ts.isMethodDeclaration(each) || (ts.isPropertyAssignment(each) && ts.isArrowFunction(each.initializer)),
    )
  );
}

type Carrier = { readonly id: string; readonly place: string; readonly skippable: boolean };

/** Tests and describes with ids of their own, and whether they skip themselves on some machines. */
function findCarriers(source: ts.SourceFile): Carrier[] {
  const carriers: Carrier[] = [];
  walk(source, (node) => {
    if (!ts.isCallExpression(node) || testCallWords(node) === undefined) return;
    let skippable = false;
    walk(node, (inner) => {
      if (ts.isCallExpression(inner) && /^(context\.)?skip$/.test(inner.expression.getText())) skippable = true;
    });
    for (const id of idsOf(titleOf(node))) carriers.push({ id, place: placeOf(node), skippable });
  });
  return carriers;
}

function sharedBySkipped(carriers: readonly Carrier[]): string[] {
  const count = Map.groupBy(carriers, ({ id }) => id);
  return carriers
    .filter(({ id, skippable }) => skippable && count.get(id)!.length > 1)
    .map(({ id, place }) => `${place}: may be skipped, and another test carries ${id}; one of them must not`);
}

/** `[$id]`, `[%s]` and `[${id}]` stand for ids only where the table's literal names one in each row. */
function checkInterpolation(call: ts.CallExpression, title: string): string[] {
  const isFilledIn = /\[[^\]]*(%s|\$\{|\$[a-zA-Z])[^\]]*\]\W*$/.test(title);
  if (!isFilledIn) return [];
  const rows = ts.isCallExpression(call.expression) ? rowsOf(call.expression.arguments[0]) : undefined;
  const isNamed = rows?.every((row) => idsInText(row.getText()).length > 0) ?? false;
  return isNamed ? [] : ["an id by interpolation needs a row of its own in the table that the test is given"];
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
    ...checkInterpolation(call, title),
    ...groups.filter((group) => !ID_LIST.test(group)).map((group) => `write ids as [A-1, B-2], not [${group}]`),
    ...ids.filter((id) => !known.has(id)).map((id) => `${id} is not in docs/requirements`),
    ...(ids.length > 0 && all.length > MAX_IDS
      ? [`${all.length} ids in one title; a test proves at most ${MAX_IDS}`]
      : []),
  ];
}

/** The rows of a table that is written out: in place, under a name of the file, or mapped from one. */
function rowsOf(table: ts.Expression | undefined): readonly ts.Expression[] | undefined {
  if (table === undefined) return undefined;
  if (ts.isArrayLiteralExpression(table)) return table.elements;
  if (ts.isAsExpression(table)) return rowsOf(table.expression);
  if (ts.isCallExpression(table) && ts.isPropertyAccessExpression(table.expression))
    return table.expression.name.text === "map" ? rowsOf(table.expression.expression) : undefined;
  if (!ts.isIdentifier(table)) return undefined;
  let found: ts.Expression | undefined;
  walk(table.getSourceFile(), (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === table.text) found = node.initializer;
  });
  return found === undefined || found === table ? undefined : rowsOf(found);
}

function idsOf(title: string): string[] {
  return [...title.matchAll(/\[([^\]]*)\]/g)].flatMap((match) => idsInText(match[1] ?? ""));
}

function idsInText(text: string): string[] {
  return text.match(ID) ?? [];
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
