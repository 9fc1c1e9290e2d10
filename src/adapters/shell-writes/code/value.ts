/** What is known of a value in code: the texts that it can be. A list is taken for all its members: an upper bound. */
import { type Field, joined, plain } from "../field.ts";

export type Value = {
  readonly fields: readonly Field[];
  readonly isKnown: boolean;
  /** The members of a list, one by one, where that is known. */
  readonly items?: readonly Value[] | undefined;
  /** The whole text of a file; its words are its members. */
  readonly content?: string | undefined;
  /** It is this module: `require("fs")`. */
  readonly module?: string | undefined;
  /** It names a file, such as a Path of Python. */
  readonly isPath?: boolean | undefined;
  /** Named values: an object, or named arguments. */
  readonly named?: ReadonlyMap<string, Value> | undefined;
};

export const nothing: Value = { fields: [], isKnown: true };
export const unknown: Value = { fields: [], isKnown: false };

export function texts(...list: readonly (string | Field)[]): Value {
  return { fields: list.map((one) => (typeof one === "string" ? plain(one) : one)), isKnown: true };
}

export function listOf(items: readonly Value[]): Value {
  return { ...anyOf(items), items };
}

export function anyOf(values: readonly Value[]): Value {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return only;
  return {
    fields: values.flatMap(membersOf),
    isKnown: values.every(({ isKnown }) => isKnown),
    isPath: values.some(({ isPath }) => isPath === true),
  };
}

const mostWords = 200;

/** A file's text stands for the words in it. */
export function membersOf({ fields, content }: Value): readonly Field[] {
  if (content === undefined) return fields;
  const words = content.split(/[\s"',;]+/).filter((word) => word !== "");
  return words.slice(0, mostWords).map(plain);
}

const mostAlternatives = 50;

export function concatenated(left: Value, right: Value, between = ""): Value {
  const fields = membersOf(left).flatMap((one) =>
    membersOf(right).map((other) => joined(between === "" ? one : joined(one, plain(between)), other)),
  );
  return {
    fields: fields.slice(0, mostAlternatives),
    isKnown: left.isKnown && right.isKnown && fields.length > 0 && fields.length <= mostAlternatives,
    isPath: left.isPath === true || right.isPath === true,
  };
}

/** `a`, `/b` -> `/b`, as path functions join. */
export function joinedPath(parts: readonly Value[]): Value {
  const [first = texts("."), ...rest] = parts;
  return rest.reduce((all, part) => {
    const isAbsolute = part.fields.some(({ text }) => text.startsWith("/"));
    return { ...(isAbsolute ? part : concatenated(all, part, "/")), isPath: true };
  }, first);
}
