/**
 * A word of the grammar -> the arguments it becomes: braces, tilde, variables, splitting; globs are kept as globs.
 *
 *   {a,b}.ts -> a.ts, b.ts    "$dir/x" -> the literal value, or unknown    *.ts -> one field that is a glob
 */
import { parse, type Word, type WordPart } from "unbash";
import { braceAlternatives } from "./expand-braces.ts";
import { type Field, joined, opaque, pattern, plain } from "./field.ts";
import { expandParameter } from "./expand-parameter.ts";
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
      return add(collected, split(expandParameter(part, values, (word) => expandText(word, values))));
    case "CommandExpansion":
      return add(collected, split(outputOf(part, values)));
    case "ProcessSubstitution":
      if (part.script !== undefined) values.outputOf(part.script);
      return add(collected, [plain("/dev/fd/63")]);
    case "ArithmeticExpansion":
    case "ExtendedGlob":
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
    else if (part.type === "CommandExpansion") add(collected, outputOf(part, values));
    else if (part.type === "SimpleExpansion" || part.type === "ParameterExpansion")
      add(
        collected,
        expandParameter(part, values, (word) => expandText(word, values)),
      );
    else add(collected, [opaque(part.text)]);
  }
}

function outputOf(part: Extract<WordPart, { type: "CommandExpansion" }>, values: Values): readonly Field[] {
  const output = part.script === undefined ? undefined : values.outputOf(part.script);
  return output === undefined || output.length === 0 ? [opaque(part.text.slice(0, 80))] : output;
}

/** Unquoted values are split at blanks, and their wildcards count. */
function split(fields: readonly Field[]): readonly Field[] {
  return fields.flatMap((field) => {
    if (field.unknown !== undefined || field.glob !== undefined) return [field];
    const words = field.text.split(/[ \t\n]+/).filter((text) => text !== "");
    return words.map((text) => (/[*?[]/.test(text) ? pattern(text) : plain(text)));
  });
}

function tilde(source: string, field: Field, values: Values): Field {
  if (!source.startsWith("~")) return field;
  const end = source.indexOf("/");
  if ((end === -1 ? source : source.slice(0, end)) !== "~") return opaque(source);
  const home = values.valuesOf("HOME")?.[0];
  if (home === undefined || home.unknown !== undefined) return opaque(source);
  return plain(home.text + field.text.slice(1));
}
