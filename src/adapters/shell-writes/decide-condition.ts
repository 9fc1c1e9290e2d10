/**
 * Decides a condition where its outcome is certain before it runs: `true`, `false`, and whether a file is there that is there.
 *
 * A file that is not there decides nothing: a program may make it before the condition is asked. Nor does one that the same
 * command line may have changed so far.
 */
import { posix } from "node:path";
import type { CompoundList, Statement, TestExpression, Word } from "unbash";
import { expandText } from "./expand-word.ts";
import type { Field } from "./field.ts";
import type { Report } from "./report.ts";
import type { Scope } from "./scope.ts";
import type { Values } from "./values.ts";

type Place = { readonly scope: Scope; readonly values: () => Values; readonly report: Report };
type Verdict = boolean | undefined;

export function decide(node: Statement["command"] | CompoundList, place: Place): Verdict {
  switch (node.type) {
    case "CompoundList":
      return node.commands.length === 1 ? decide(node.commands[0]!.command, place) : undefined;
    case "Pipeline": {
      const verdict = node.commands.length === 1 ? decide(node.commands[0]!, place) : undefined;
      const isNegated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
      return isNegated ? not(verdict) : verdict;
    }
    case "AndOr":
      return node.commands
        .map((one) => decide(one, place))
        .reduce((left, right, index) => (index === 0 ? right : both(left, node.operators[index - 1]!, right)));
    case "TestCommand":
      return tested(node.expression, place);
    case "Command": {
      const name = node.name?.value ?? "";
      if (node.redirects.length > 0 || node.prefix.length > 0 || place.scope.functions.has(name)) return undefined;
      if (name === "true" || name === ":") return true;
      if (name === "false") return false;
      if (name !== "test" && name !== "[") return undefined;
      const words = node.args.filter((one) => one.type === "Word");
      return testedWords(name === "[" ? words.slice(0, -1) : words, place);
    }
    default:
      return undefined;
  }
}

/** The outcome of `left && right`, `left || right`; a side that does not run does not count. */
export function both(left: Verdict, operator: "&&" | "||", right: Verdict): Verdict {
  const isEnd = operator === "||";
  if (left === isEnd) return left;
  return left === undefined && right !== isEnd ? undefined : right;
}

function not(verdict: Verdict): Verdict {
  return verdict === undefined ? undefined : !verdict;
}

function tested(expression: TestExpression, place: Place): Verdict {
  switch (expression.type) {
    case "TestGroup":
      return tested(expression.expression, place);
    case "TestNot": {
      const verdict = tested(expression.operand, place);
      return expression.negations.length % 2 === 1 ? not(verdict) : verdict;
    }
    case "TestLogical":
      return expression.operands
        .map((one) => tested(one, place))
        .reduce((left, right, index) => (index === 0 ? right : both(left, expression.operator, right)));
    case "TestUnary":
      return isThere(expression.operator, expression.operand, place);
    default:
      return undefined;
  }
}

function testedWords([first, ...rest]: readonly Word[], place: Place): Verdict {
  if (first?.value === "!") return not(testedWords(rest, place));
  const [operand, ...more] = rest;
  return first === undefined || operand === undefined || more.length > 0
    ? undefined
    : isThere(first.value, operand, place);
}

function isThere(operator: string, operand: Word, { scope, values, report }: Place): Verdict {
  if (!["-e", "-a", "-f", "-d"].includes(operator)) return undefined;
  const path = pathOf(expandText(operand, values()), scope);
  const kind = path === undefined || report.mayHaveChanged(path) ? undefined : scope.kindOf(path);
  if (kind === undefined) return undefined;
  return operator === "-f" ? kind === "file" : operator === "-d" ? kind === "folder" : true;
}

function pathOf({ text, unknown, glob, guess }: Field, { cwd }: Scope): string | undefined {
  const isKnown = (unknown ?? glob ?? guess) === undefined && text !== "" && cwd !== undefined;
  return isKnown ? posix.resolve(cwd, text) : undefined;
}
