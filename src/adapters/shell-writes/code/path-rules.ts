/** Rules of functions that make, list or change paths and texts: the values that they give back. */
import { posix } from "node:path";
import { asGlob, type Field, mapped, pattern, plain } from "../field.ts";
import type { Rule } from "./reader.ts";
import { anyOf, concatenated, joinedPath, listOf, membersOf, nothing, texts, unknown, type Value } from "./value.ts";
import { renames } from "./write-rules.ts";

export const join: Rule = ({ name, owner, args, receiver }, { language }) => {
  const isPath =
    /(?:^|\.)(?:path|posix|File|Path|filepath)$|^$/.test(owner) &&
    language !== "perl" &&
    (owner !== "" || name === "joinpath");
  if (isPath || name === "joinpath" || name === "catfile" || name === "catdir")
    return joinedPath([
      ...(name === "joinpath" && receiver ? [receiver] : []),
      ...args.flatMap((one) => one.items ?? [one]),
    ]);
  if (language === "perl" || (language === "php" && name !== "join")) return glued(args[0], args.slice(1));
  if (receiver === undefined && args.length > 1 && language !== "php") return joinedPath(args);
  if (language === "php") return glued(args[0], args.slice(1));
  return language === "python" ? glued(receiver, args) : glued(args[0], receiver === undefined ? [] : [receiver]);
};
function glued(separator: Value | undefined, parts: readonly Value[]): Value {
  const items = parts.flatMap((one) => one.items ?? [one]);
  const text = separator?.fields[0]?.text;
  if (text === undefined || items.length === 0) return unknown;
  return items.slice(1).reduce((all, item) => concatenated(all, item, text), items[0]!);
}

export const same: Rule = ({ receiver, args }) => ({
  ...(receiver ?? args[0] ?? nothing),
  items: receiver === undefined ? undefined : receiver.items,
});
export const path: Rule = ({ args }) => ({ ...joinedPath(args), isPath: true });
export const words: Rule = ({ owner, receiver, args }) => {
  const of = owner === "shlex" ? args[0] : receiver;
  if (of === undefined) return unknown;
  const [only] = of.fields;
  // One text that is known: its words in their order, as the arguments of a program.
  if (of.content === undefined && of.isKnown && of.fields.length === 1 && only!.glob === undefined && args.length <= 1)
    return listOf(wordsIn(only!.text).map((word) => texts(word)));
  const fields = of.content === undefined ? of.fields.flatMap(wordsOf) : membersOf(of);
  return { fields, isKnown: of.isKnown };
};
function wordsIn(text: string): readonly string[] {
  const found = text.match(/"[^"]*"|'[^']*'|[^\s,"']+/g) ?? [];
  return found.map((word) => word.replace(/^(["'])(.*)\1$/s, "$2"));
}
function wordsOf(field: Field): readonly Field[] {
  return field.glob === undefined && field.unknown === undefined ? wordsIn(field.text).map(plain) : [field];
}
export const callback: Rule = ({ args, receiver }) =>
  args[0] !== undefined && args[0].isKnown && args[0].fields.length > 0
    ? { ...args[0], items: undefined }
    : (receiver ?? args.at(-1) ?? unknown);

function found(folder: Value | undefined, names: string): Value {
  const roots = folder === undefined || folder.fields.length === 0 ? [plain(".")] : folder.fields;
  return {
    fields: roots.map((root) => pattern(`${asGlob(root).replace(/\/+$/, "")}/${names}`)),
    isKnown: folder?.isKnown ?? true,
    isPath: true,
  };
}
export const globs: Rule = ({ name, owner, receiver, args }) => {
  const names = args[0];
  const isOnPath =
    receiver !== undefined &&
    receiver.isKnown &&
    receiver.fields.length > 0 &&
    !/^(?:glob|Dir|fs|fsp|File|path)$/.test(owner);
  if (names === undefined || !names.isKnown) return names === undefined ? unknown : { ...names, isKnown: false };
  const wide = name === "rglob" ? "**/" : "";
  const all = names.fields.map((one) => pattern(wide + (one.glob ?? one.text)));
  if (!isOnPath) return { fields: all, isKnown: true, isPath: true };
  return {
    fields: receiver.fields.flatMap((root) => all.map((one) => pattern(`${asGlob(root)}/${one.glob!}`))),
    isKnown: true,
    isPath: true,
  };
};
export const listed: Rule = ({ args }) => {
  const isDeep = args[1]?.named?.has("recursive") === true;
  return { fields: [pattern(isDeep ? "**" : "*")], isKnown: args[0]?.isKnown !== false };
};
export const children: Rule = ({ receiver, args }) => found(receiver ?? args[0], "*");
export const walk: Rule = ({ args, receiver }) => {
  const root = args[0] ?? receiver;
  const any = texts(pattern("**"));
  return listOf([anyOf([root ?? unknown, found(root, "**")]), any, any]);
};
export const replaced: Rule = ({ receiver, args, owner }, reader) => {
  if (owner === "os" || (receiver?.isPath === true && args.length === 1))
    return renames({ name: "replace", owner, receiver, args, named: new Map() }, reader);
  const [from, to] = [args[0]?.fields[0]?.text, args[1]?.fields[0]?.text];
  if (receiver === undefined || receiver.content !== undefined) return receiver === undefined ? unknown : nothing;
  if (from === undefined || to === undefined) return { ...receiver, isKnown: false };
  return {
    ...receiver,
    fields: receiver.fields.map((field) => mapped(field, (text) => text.replaceAll(from, () => to))),
  };
};
export const suffixed: Rule = ({ name, receiver, args }) => {
  const to = args[0]?.fields[0]?.text;
  if (receiver === undefined || to === undefined) return unknown;
  return {
    ...receiver,
    fields: receiver.fields.map((field) =>
      mapped(field, (text) =>
        name === "with_suffix" ? text.replace(/(?:\.[^./]*)?$/, to) : posix.join(posix.dirname(text), to),
      ),
    ),
  };
};
export const formats: Rule = ({ receiver, args, named, name }) => {
  const format = (name === "format" ? receiver : args[0])?.fields[0]?.text;
  if (format === undefined) return unknown;
  const values = name === "format" ? args : args.slice(1);
  const pieces = format.split(name === "format" ? /\{(\w*)\}/ : /%([sd])/);
  let [value, next] = [texts(pieces[0]!), 0];
  for (let at = 1; at < pieces.length; at += 2) {
    const key = pieces[at]!;
    const one = name === "format" && key !== "" ? (named.get(key) ?? values[Number(key)]) : values[next++];
    value = concatenated(concatenated(value, one ?? unknown), texts(pieces[at + 1]!));
  }
  return value;
};
export const sliced: Rule = ({ receiver, args }) => {
  const from = Number(args[0]?.fields[0]?.text ?? 0);
  if (receiver?.items === undefined || !Number.isInteger(from)) return receiver ?? unknown;
  return listOf(receiver.items.slice(from));
};
export const address: Rule = ({ args }) => {
  const [to, base] = args;
  if (base === undefined || to === undefined) return to ?? unknown;
  return {
    ...joinedPath([{ ...base, fields: base.fields.map((one) => mapped(one, (text) => posix.dirname(text))) }, to]),
    isKnown: base.isKnown && to.isKnown,
  };
};
export const folderOf: Rule = ({ args, receiver }) => {
  const of = args[0] ?? receiver ?? unknown;
  return { ...of, fields: of.fields.map((one) => mapped(one, (text) => posix.dirname(text))) };
};
export const nameOf: Rule = ({ args, receiver }) => {
  const of = args[0] ?? receiver ?? unknown;
  const ending = args[1]?.fields[0]?.text;
  return { ...of, fields: of.fields.map((one) => mapped(one, (text) => posix.basename(text, ending))) };
};
export const content: Rule = ({ args, receiver, name }, { contentOf, input }) => {
  const file = args[0] ?? receiver;
  const text = file?.fields[0]?.text;
  if (text !== undefined && /^(?:0|\/dev\/stdin|php:\/\/stdin|\/dev\/fd\/0)$/.test(text)) return input();
  if (/^(?:load|parse)/.test(name)) return args[0] ?? unknown;
  if (receiver?.content !== undefined) return receiver;
  return contentOf(file);
};

/** `path.parent`, `path.name`: a part of a path, asked for without a call. */
export function partOfPath(path: Value, name: string): Value | undefined {
  const change = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (change === undefined) return undefined;
  return { ...path, items: undefined, fields: path.fields.map((one) => mapped(one, change)) };
}
const parts: Readonly<Record<string, (text: string) => string>> = {
  parent: (text) => (/^(?:\.\.?(?:\/\.\.)*)?$/.test(text) ? posix.join(text, "..") : posix.dirname(text)),
  name: (text) => posix.basename(text),
  stem: (text) => posix.basename(text, posix.extname(text)),
  suffix: (text) => posix.extname(text),
};
