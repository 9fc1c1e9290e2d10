/** `$x`, `${x:-y}`, `${x%.ts}`, `${list[@]}` -> values, where the variable was set literally. */
import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word } from "unbash";
import { type Field, mapped, opaque, pattern } from "./field.ts";
import type { Values } from "./values.ts";

type TextOf = (word: Word) => Field;

export function expandParameter(
  part: SimpleExpansionPart | ParameterExpansionPart,
  values: Values,
  textOf: TextOf,
): readonly Field[] {
  const unknown = [opaque(part.text.slice(0, 80))];
  if (part.type === "SimpleExpansion") return values.valuesOf(part.text.slice(1)) ?? unknown;
  const { parameter, prefix, index, operation } = part;
  if (prefix === "#") return [pattern("*")];
  if (prefix === "!") {
    const [name] = values.valuesOf(parameter) ?? [];
    const isName = name !== undefined && name.unknown === undefined && operation === undefined && index === undefined;
    return (isName ? values.valuesOf(name.text) : undefined) ?? unknown;
  }
  const all = values.valuesOf(parameter);
  const chosen = index === undefined || all === undefined ? all : atIndex(all, index.text);
  if (operation === undefined) return chosen ?? unknown;
  const result = changed(chosen, operation, textOf);
  const [only] = result ?? [];
  if (operation.type === "Default" && operation.operator.includes("=") && only !== undefined && chosen === undefined)
    values.assign(parameter, only);
  return result ?? unknown;
}

function atIndex(all: readonly Field[], index: string): readonly Field[] | undefined {
  if (index === "@" || index === "*") return all;
  // By a name, or counted from the end: any of them.
  return /^\d+$/.test(index) ? all.slice(Number(index), Number(index) + 1) : all;
}

function changed(
  fields: readonly Field[] | undefined,
  operation: ParameterOperation,
  textOf: TextOf,
): readonly Field[] | undefined {
  switch (operation.type) {
    case "Default":
      return withDefault(fields, operation, textOf);
    case "Remove": {
      const cut = textOf(operation.operand);
      if (fields === undefined || cut.unknown !== undefined) return undefined;
      return allOrNone(
        fields.map((field) => without(field, cut.glob ?? cut.text, operation.operator, cut.glob !== undefined)),
      );
    }
    case "Replace": {
      const [from, to] = [textOf(operation.pattern), textOf(operation.replacement)];
      const isPlain = [from, to].every((one) => one.unknown === undefined && one.glob === undefined);
      if (fields === undefined || !isPlain || !operation.operator.startsWith("/")) return undefined;
      if (operation.operator === "/#" || operation.operator === "/%") return undefined;
      const isEvery = operation.operator === "//";
      return fields.map((field) =>
        mapped(field, (text) =>
          isEvery ? text.replaceAll(from.text, to.text) : text.replace(from.text, () => to.text),
        ),
      );
    }
    case "Slice": {
      const [from, length] = [
        Number(operation.offset.text),
        operation.length === undefined ? undefined : Number(operation.length.text),
      ];
      const isPlain =
        Number.isInteger(from) && from >= 0 && (length === undefined || (Number.isInteger(length) && length >= 0));
      if (fields === undefined || !isPlain) return undefined;
      if (fields.length !== 1) return fields.slice(from, length === undefined ? undefined : from + length);
      return allOrNone(
        fields.map((field) =>
          field.glob === undefined
            ? mapped(field, (text) => text.slice(from, length === undefined ? undefined : from + length))
            : undefined,
        ),
      );
    }
    case "CaseModification":
      return (
        fields &&
        allOrNone(
          fields.map((field) =>
            operation.operand === undefined && field.glob === undefined
              ? mapped(field, (text) => inCase(text, operation.operator))
              : undefined,
          ),
        )
      );
    case "Transform":
      return fields;
    default:
      return undefined;
  }
}

function inCase(text: string, operator: string): string {
  const change = (part: string): string => (operator.startsWith("^") ? part.toUpperCase() : part.toLowerCase());
  return operator.length === 2 ? change(text) : change(text.slice(0, 1)) + text.slice(1);
}

/** A variable that this command did not set may be set outside: only one that was set here decides. */
function withDefault(
  fields: readonly Field[] | undefined,
  { operator, operand }: Extract<ParameterOperation, { type: "Default" }>,
  textOf: TextOf,
): readonly Field[] | undefined {
  if (fields === undefined) {
    if (operator.includes("?") || operator.includes("+")) return undefined;
    const guess = textOf(operand);
    return [guess.unknown === undefined ? { ...guess, guess: "a variable with a default" } : guess];
  }
  const isSet = fields.some(({ text, unknown }) => text !== "" || unknown !== undefined);
  if (operator.includes("+")) return isSet ? [textOf(operand)] : [];
  if (isSet) return fields;
  return operator.includes("?") ? undefined : [textOf(operand)];
}

function without(field: Field, cut: string, operator: string, isGlob: boolean): Field | undefined {
  if (field.unknown !== undefined) return field;
  if (!isGlob) {
    const isPrefix = operator.startsWith("#");
    const has = (text: string): boolean => (isPrefix ? text.startsWith(cut) : text.endsWith(cut));
    if (field.glob !== undefined && !has(field.glob)) return undefined;
    return mapped(field, (text) =>
      !has(text) ? text : isPrefix ? text.slice(cut.length) : text.slice(0, text.length - cut.length),
    );
  }
  if (field.glob !== undefined) return undefined;
  const left = wildcardCut(field.text, cut, operator);
  return left === undefined ? undefined : { text: left };
}

/** The four usual ones: `${p##*\/}` the name, `${p%/*}` the folder, `${p##*.}` the ending, `${p%.*}` all before it. */
function wildcardCut(text: string, cut: string, operator: string): string | undefined {
  const [, before] = /^\*([^*?[\]\\]+)$/.exec(cut) ?? [];
  const [, after] = /^([^*?[\]\\]+)\*$/.exec(cut) ?? [];
  if (before !== undefined && operator.startsWith("#")) {
    const at = operator === "##" ? text.lastIndexOf(before) : text.indexOf(before);
    return at === -1 ? text : text.slice(at + before.length);
  }
  if (after !== undefined && operator.startsWith("%")) {
    const at = operator === "%%" ? text.indexOf(after) : text.lastIndexOf(after);
    return at === -1 ? text : text.slice(0, at);
  }
  return undefined;
}

function allOrNone(fields: readonly (Field | undefined)[]): readonly Field[] | undefined {
  return fields.every((field) => field !== undefined) ? fields : undefined;
}
