/** Goes through a parsed script as the shell would, in every branch it may take. */
import {
  type AndOr,
  type Case,
  type CompoundList,
  type For,
  forEachChild,
  type If,
  parse,
  type ParsedScript,
  type Pipeline,
  type Select,
  type Statement,
  type SyntaxNode,
  type Word,
} from "unbash";
import { both, decide } from "./decide-condition.ts";
import { expandWord } from "./expand-word.ts";
import { type Field, opaque, plain } from "./field.ts";
import { outputOf, together } from "./outputs.ts";
import type { Input } from "./program.ts";
import { readRedirects } from "./redirects.ts";
import type { Report } from "./report.ts";
import { runCommand } from "./run-command.ts";
import { copyOf, deepest, merge, readIn, rootOf, type Scope, separatorsIn, setVariable, valuesIn } from "./scope.ts";
import type { Shell } from "./shell.ts";
import { isTooTangled } from "./tangled.ts";
import type { Values } from "./values.ts";

type Node = Statement["command"] | CompoundList;

const mostRounds = 200;

export function walkText(text: string, scope: Scope, report: Report): void {
  if (isTooTangled(text)) return report.doubt("the command", "it is too tangled to be followed");
  const script = parse(text);
  if (script.errors?.length) report.doubt("the command", `syntax: ${script.errors[0]!.message}`);
  walkScript(script, scope, report);
}

function walkScript(script: ParsedScript, scope: Scope, report: Report): void {
  if (scope.depth > deepest) return report.doubt("the command", "it is nested too deeply");
  for (const statement of script.commands) walkStatement(statement, scope, report);
}

function walkList(list: CompoundList, scope: Scope, report: Report, input?: Input): void {
  for (const statement of list.commands) walkStatement(statement, scope, report, input);
}

function walkStatement({ command, background }: Statement, scope: Scope, report: Report, input?: Input): void {
  walk(command, background === true ? copyOf(scope) : scope, report, input);
}

function walk(node: Node | SyntaxNode, scope: Scope, report: Report, input: Input = {}): void {
  if (!report.canContinue()) return;
  if (scope.depth > deepest) return report.doubt("the command", "it is nested too deeply");
  switch (node.type) {
    case "CompoundList":
      return walkList(node, scope, report, input);
    case "Command":
      return runCommand(node, scope, shellFor(scope, report), input);
    case "Pipeline":
      return walkPipeline(node, scope, report, input);
    case "AndOr":
      return walkAndOr(node, scope, report, input);
    case "Redirected":
      return walk(node.command, scope, report, readRedirects(node.redirects, scope, shellFor(scope, report)) ?? input);
    case "Subshell":
      return walkList(node.body, copyOf(scope), report, input);
    case "BraceGroup":
      return walkList(node.body, scope, report, input);
    case "If":
      return walkIf(node, scope, report, input);
    case "While":
      walkList(node.clause, scope, report, input);
      return walkBranch(node.body, scope, report, input);
    case "For":
    case "Select":
      return walkFor(node, scope, report);
    case "ArithmeticFor":
      return walkBranch(node.body, scope, report, input);
    case "Case":
      return walkCase(node, scope, report, input);
    case "Function":
      scope.functions.set(node.name.value, node.body);
      return;
    case "Coproc":
      return walk(node.body, copyOf(scope), report);
    case "TestCommand":
    case "ArithmeticCommand":
      return walkSubstitutions(node, scope, report);
    default:
  }
}

function walkPipeline({ commands }: Pipeline, scope: Scope, report: Report, input: Input): void {
  if (commands.length === 1) return walk(commands[0]!, scope, report, input);
  let piped = input;
  for (const [index, command] of commands.entries()) {
    const own = copyOf(scope);
    walk(command, own, report, piped);
    if (index < commands.length - 1) piped = outputOf(command, valuesFor(own, undefined), piped);
  }
}

/**
 * `a && b`: both are taken to succeed. Behind a test, the rest of the chain may not run: it gets a scope of its own. Behind
 * `||`, the left side has failed: its `cd` did not happen. What certainly does not run is not walked.
 */
function walkAndOr({ commands, operators }: AndOr, scope: Scope, report: Report, input: Input): void {
  let current = scope;
  let before = scope;
  let verdict: boolean | undefined;
  for (const [index, command] of commands.entries()) {
    const left = commands[index - 1];
    const operator = operators[index - 1];
    if (operator !== undefined && verdict === (operator === "||")) continue;
    const own = decide(command, placeOf(current, report));
    verdict = operator === undefined ? own : both(verdict, operator, own);
    if (left !== undefined && operator === "||") {
      walk(command, copyOf(before), report, input);
      continue;
    }
    if (left !== undefined && current === scope && isTest(left)) current = copyOf(scope);
    // For the other side of `||`, where this one has failed.
    before = operators[index] === "||" ? copyOf(current) : current;
    walk(command, current, report, input);
  }
  if (current !== scope) merge(scope, current);
}

function placeOf(scope: Scope, report: Report): Parameters<typeof decide>[1] {
  return { scope, report, values: () => valuesFor(scope, undefined) };
}

function isTest(node: Node): boolean {
  if (node.type === "TestCommand") return true;
  return node.type === "Command" && ["test", "[", "grep"].includes(node.name?.value ?? "");
}

function walkIf(node: If, scope: Scope, report: Report, input: Input): void {
  const verdict = decide(node.clause, placeOf(scope, report));
  walkList(node.clause, scope, report, input);
  const others = [...node.elif.flatMap(({ clause, then }) => [clause, then]), ...(node.else ? [node.else] : [])];
  const bodies = [...(verdict === false ? [] : [node.then]), ...(verdict === true ? [] : others)];
  const branches = bodies.map((body) => {
    const branch = copyOf(scope);
    walkList(body, branch, report, input);
    return branch;
  });
  for (const branch of branches) merge(scope, branch);
}

function walkBranch(list: CompoundList, scope: Scope, report: Report, input: Input): void {
  const branch = copyOf(scope);
  walkList(list, branch, report, input);
  merge(scope, branch);
}

function walkFor({ name, wordlist, body }: For | Select, scope: Scope, report: Report): void {
  const values = valuesFor(scope, report);
  const items = wordlist?.flatMap((word) => expandWord(word, values)) ?? scope.positional ?? [opaque(`$${name.value}`)];
  for (const item of items.slice(0, mostRounds)) {
    setVariable(scope, name.value, [item]);
    walkBranch(body, scope, report, {});
  }
  if (items.length > mostRounds) report.doubt(`$${name.value}`, "the loop has too many rounds");
}

function walkCase(node: Case, scope: Scope, report: Report, input: Input): void {
  expandWord(node.word, valuesFor(scope, report));
  for (const { body } of node.items) walkBranch(body, scope, report, input);
}

function walkSubstitutions(node: SyntaxNode, scope: Scope, report: Report): void {
  forEachChild(node, (child) => {
    if (child.type === "Script") walkScript(child, copyOf(scope), report);
    else walkSubstitutions(child, scope, report);
  });
}

/** Without a report, words are only read: what is substituted in them has been walked before. */
function valuesFor(scope: Scope, report: Report | undefined): Values {
  const run = (script: ParsedScript): Input => {
    if (report !== undefined) walkScript(script, copyOf(scope), report);
    const quiet = valuesFor(copyOf(scope), undefined);
    return scope.depth > deepest ? {} : together(script.commands.map(({ command }) => outputOf(command, quiet, {})));
  };
  return {
    valuesOf: (name) => valuesIn(scope, name),
    assign: (name, value) => setVariable(scope, name, [value]),
    outputOf: run,
    fileOf: (script) => keepOutput(run(script), scope),
    separators: () => separatorsIn(scope),
    read: (file) => readIn(file, scope),
    root: () => rootOf(scope),
  };
}

/** As a file that only this command line can name. */
function keepOutput(output: Input, { files }: Scope): Field {
  const path = `/dev/fd/${files.size + 1000}`;
  files.set(path, output);
  return plain(path);
}

function shellFor(scope: Scope, report: Report): Shell {
  const values = valuesFor(scope, report);
  return {
    report,
    values,
    quiet: () => valuesFor(scope, undefined),
    expand: (words: readonly Word[]) => words.flatMap((word) => expandWord(word, values)),
    walkText: (text, inner) => walkText(text, inner, report),
    walkBody: (body, inner, input) => walk(body, inner, report, input),
  };
}
