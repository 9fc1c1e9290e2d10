/** Signs and words between two values: the texts that the whole can be. */
import { plain } from "../field.ts";
import type { Language } from "./language.ts";
import type { Token } from "./read-tokens.ts";
import { anyOf, concatenated, joinedPath, texts, unknown, type Value } from "./value.ts";

export type Step = { readonly value: Value; readonly next: number };

/** The place in the code, as an operator sees it. */
export type Cursor = {
  readonly language: Language;
  readonly tokens: readonly Token[];
  readonly signAt: (at: number) => string;
  readonly nameAt: (at: number) => string;
  readonly term: (from: number) => Step;
  readonly expression: (from: number) => Step;
  readonly bind: (name: string, value: Value) => void;
};

/** Their result is a number, or a truth value. */
const calculating = new Set("&& === == != !== < > <= >= - * ** % / =~ !~ <=> | & ^ += .=".split(" "));

/** Undefined: no operator is there. */
export function applyOperator(left: Value, at: number, cursor: Cursor): Step | undefined {
  const { language, tokens, signAt, nameAt, term, expression, bind } = cursor;
  const [sign, name] = [signAt(at), nameAt(at)];
  const right = (): Step => term(at + 1);
  const isJoin =
    sign === "+" || (sign === "." && ["perl", "php"].includes(language)) || (sign === ".." && language === "lua");
  if (isJoin) {
    const step = right();
    const isList = left.items !== undefined || step.value.items !== undefined;
    return { value: isList ? anyOf([left, step.value]) : concatenated(left, step.value), next: step.next };
  }
  if (sign === "/" && language === "python") {
    const step = right();
    return { value: joinedPath([left, step.value]), next: step.next };
  }
  if (sign === "%" && language === "python") {
    const step = right();
    return { value: formatted(left, step.value), next: step.next };
  }
  if (["||", "??", "||=", "??="].includes(sign) || (name === "or" && language !== "perl")) {
    const step = right();
    return { value: left.isKnown && left.fields.length > 0 ? left : anyOf([left, step.value]), next: step.next };
  }
  if (sign === "?") {
    const yes = expression(at + 1);
    if (signAt(yes.next) !== ":") return yes;
    const no = expression(yes.next + 1);
    return { value: anyOf([yes.value, no.value]), next: no.next };
  }
  if (
    name === "if" &&
    language === "python" &&
    tokens.slice(at, at + 60).some((one) => one.kind === "name" && one.text === "else")
  ) {
    const test = expression(at + 1);
    if (nameAt(test.next) !== "else") return { value: left, next: test.next };
    const no = expression(test.next + 1);
    return { value: anyOf([left, no.value]), next: no.next };
  }
  if (name === "as" && nameAt(at + 1) !== "") {
    bind(nameAt(at + 1), left);
    return { value: left, next: at + 2 };
  }
  if (sign === "=" || sign === ":=" || sign === "=>") {
    const step = expression(at + 1);
    return step;
  }
  if (calculating.has(sign)) {
    const step = right();
    const both = sign === "|" ? anyOf([left, step.value]) : texts("0");
    return { value: sign === "&&" ? step.value : both, next: step.next };
  }
  return undefined;
}

/** `src/%s.ts` with the values behind it. */
function formatted(format: Value, values: Value): Value {
  const [only] = format.fields;
  if (only === undefined || format.fields.length !== 1) return unknown;
  const pieces = only.text.split(/%[sd]/);
  const parts = values.items ?? [values];
  return pieces
    .slice(1)
    .reduce(
      (all, piece, index) => concatenated(concatenated(all, parts[index] ?? unknown), texts(piece)),
      texts(plain(pieces[0]!)),
    );
}
