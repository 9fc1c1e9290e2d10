/**
 * A word of the grammar -> the arguments it becomes: braces, tilde, variables, splitting; globs are kept as globs.
 *
 *   {a,b}.ts -> a.ts, b.ts    "$dir/x" -> the literal value, or unknown    *.ts -> one field that is a glob
 */
import { type ArithmeticExpression, parse, type ParsedScript, type Word, type WordPart } from "unbash";
import { braceAlternatives } from "./expand-braces.ts";
import { type Field, joined, opaque, pattern, plain } from "./field.ts";
import { expandParameter } from "./expand-parameter.ts";
import { wordsBetween } from "./split-words.ts";
import type { Values } from "./values.ts";

const mostAlternatives = 200;
const longestBraceWord = 4000;

export function expandWord(word: Word, values: Values): readonly Field[] {
  const brace = word.parts?.find((part) => part.type === "BraceExpansion");
  if (brace !== undefined) {
    const alternatives = expandBraces(word);
    if (alternatives === undefined) return [opaque(word.text.slice(0, 80))];
    return alternatives.flatMap((one) => fieldsOf(one, values));
  }
  return fieldsOf(word, values);
}

/** As one text, without splitting: an assignment, a redirect's target. */
export function expandText(word: Word, values: Values): Field {
  const fields = expandWord(word, values);
  return fields.length === 1 ? fields[0]! : fields.length === 0 ? plain("") : opaque(word.text.slice(0, 80));
}

function expandBraces(word: Word): readonly Word[] | undefined {
  const done: Word[] = [];
  const open = [word];
  for (let rounds = 0; open.length > 0; rounds++) {
    if (rounds > mostAlternatives * 4 || done.length > mostAlternatives) return undefined;
    const next = open.pop()!;
    const brace = next.parts?.find((part) => part.type === "BraceExpansion");
    if (brace === undefined) {
      done.push(next);
      continue;
    }
    const alternatives =
      next.text.length > longestBraceWord ? undefined : braceAlternatives(brace.text, mostAlternatives);
    if (alternatives === undefined || alternatives.length > mostAlternatives) return undefined;
    const [head, tail] = [next.text.slice(0, brace.pos - next.pos), next.text.slice(brace.end - next.pos)];
    for (const one of alternatives.toReversed()) open.push(...wordOf(head + one + tail));
  }
  return done;
}

function wordOf(source: string): readonly Word[] {
  const [statement] = parse(`: ${source}`).commands;
  if (statement?.command.type !== "Command") return [];
  return statement.command.args.flatMap((one) => (one.type === "Word" ? [one] : []));
}

/** Collects fields from left to right; an unquoted list ends one field and begins the next. */
type Collected = { readonly done: Field[]; current: Field | undefined };

function fieldsOf(word: Word, values: Values): readonly Field[] {
  const { parts } = word;
  if (parts === undefined) return [tilde(word.text, plain(word.value), values)];
  const collected: Collected = { done: [], current: undefined };
  for (const [index, part] of parts.entries()) addPart(part, index === 0, collected, values);
  return collected.current === undefined ? collected.done : [...collected.done, collected.current];
}

function add(collected: Collected, fields: readonly Field[]): void {
  const [first, ...rest] = fields;
  if (first === undefined) return;
  collected.current = collected.current === undefined ? first : joined(collected.current, first);
  for (const field of rest) {
    collected.done.push(collected.current);
    collected.current = field;
  }
}

function addPart(part: WordPart, isFirst: boolean, collected: Collected, values: Values): void {
  switch (part.type) {
    case "Literal":
      return add(collected, [isFirst ? tilde(part.text, plain(part.value), values) : plain(part.value)]);
    case "SingleQuoted":
    case "AnsiCQuoted":
      return add(collected, [plain(part.value)]);
    case "Glob":
      return add(collected, [pattern(part.text)]);
    case "DoubleQuoted":
    case "LocaleString":
      return addQuoted(part.parts, collected, values);
    case "SimpleExpansion":
    case "ParameterExpansion":
      return add(
        collected,
        split(
          expandParameter(part, values, (word) => expandText(word, values)),
          values,
        ),
      );
    case "CommandExpansion":
      return add(collected, split(outputOf(part, values, false), values));
    case "ProcessSubstitution":
      return add(collected, [part.script === undefined ? opaque(part.text) : values.fileOf(part.script)]);
    case "ArithmeticExpansion":
      return add(collected, [numberOf(part, values)]);
    case "ExtendedGlob":
      return add(collected, [extended(part)]);
    case "BraceExpansion":
      return add(collected, [opaque(part.text)]);
  }
}

function addQuoted(parts: readonly WordPart[], collected: Collected, values: Values): void {
  const isList =
    parts.length === 1 && parts[0]!.type !== "Literal" && /^\$(?:@|\{[^}]*\[@\]|\{@\})/.test(parts[0]!.text);
  if (!isList) add(collected, [plain("")]);
  for (const part of parts) {
    if (part.type === "Literal") add(collected, [plain(part.value)]);
    else if (part.type === "CommandExpansion") add(collected, outputOf(part, values, true));
    else if (part.type === "ArithmeticExpansion") add(collected, [numberOf(part, values)]);
    else if (part.type === "SimpleExpansion" || part.type === "ParameterExpansion") {
      const fields = expandParameter(part, values, (word) => expandText(word, values));
      add(collected, /^\$(?:\*|\{\*|\{[^}]*\[\*\])/.test(part.text) ? [inOne(fields, values)] : fields);
    } else add(collected, [opaque(part.text)]);
  }
}

/** `"$*"`: all of them as one text, with the first separator between them. */
function inOne(fields: readonly Field[], values: Values): Field {
  const separators = values.separators();
  if (separators === undefined) return opaque("$*");
  const between = plain(separators.slice(0, 1));
  return fields.length === 0 ? plain("") : fields.reduce((all, one) => joined(joined(all, between), one));
}

/** In quotes it is one text, else the names in it. */
function outputOf(
  part: Extract<WordPart, { type: "CommandExpansion" }>,
  values: Values,
  isQuoted: boolean,
): readonly Field[] {
  const { text, names } = part.script === undefined ? {} : values.outputOf(part.script);
  if (text !== undefined) return [plain(text.replace(/\n+$/, ""))];
  if (names === undefined || names.length === 0) return [opaque(part.text.slice(0, 80))];
  return isQuoted && names.length > 1 && names.every(({ glob }) => glob === undefined)
    ? names.map((one) => ({ ...one, guess: part.text.slice(0, 80) }))
    : names;
}

/** Some number; what it starts to find it is walked. */
function numberOf(part: Extract<WordPart, { type: "ArithmeticExpansion" }>, values: Values): Field {
  for (const script of scriptsIn(part.expression)) values.outputOf(script);
  const inside = part.text.slice(3, -2).trim();
  return /^\d+$/.test(inside) ? plain(inside) : pattern("*");
}

function scriptsIn(expression: ArithmeticExpression | undefined): readonly ParsedScript[] {
  switch (expression?.type) {
    case "ArithmeticBinary":
      return [...scriptsIn(expression.left), ...scriptsIn(expression.right)];
    case "ArithmeticUnary":
      return scriptsIn(expression.operand);
    case "ArithmeticTernary":
      return [expression.test, expression.consequent, expression.alternate].flatMap(scriptsIn);
    case "ArithmeticGroup":
      return scriptsIn(expression.expression);
    case "ArithmeticCommandExpansion":
      return expression.script === undefined ? [] : [expression.script];
    default:
      return [];
  }
}

/** `@(a|b)` is one of them; of the others any name is an upper bound. */
function extended({ operator, pattern: inside }: Extract<WordPart, { type: "ExtendedGlob" }>): Field {
  const isPlain = operator === "@" && !/[*?[\]{}()\\]/.test(inside);
  return pattern(isPlain ? `{${inside.split("|").join(",")}}` : "*");
}

/** Unquoted values are split between words, and their wildcards count. */
function split(fields: readonly Field[], values: Values): readonly Field[] {
  return fields.flatMap((field) => {
    if (field.unknown !== undefined || field.glob !== undefined) return [field];
    const separators = values.separators();
    if (separators === undefined) return [opaque(field.text.slice(0, 80))];
    const words = wordsBetween(field.text, separators).filter((text) => text !== "");
    return words.map((text) => (/[*?[]/.test(text) ? pattern(text) : plain(text)));
  });
}

function tilde(source: string, field: Field, values: Values): Field {
  if (!source.startsWith("~")) return field;
  const end = source.indexOf("/");
  const head = end === -1 ? source : source.slice(0, end);
  const name = { "~": "HOME", "~+": "PWD", "~-": "OLDPWD" }[head];
  if (name === undefined) return opaque(source);
  const home = values.valuesOf(name)?.[0];
  if (home === undefined || home.unknown !== undefined) return opaque(source);
  return plain(home.text + field.text.slice(head.length));
}
