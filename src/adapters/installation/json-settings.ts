/**
 * Settings files that are JSON: members and items put in and taken out without changing another byte. A file that cannot be
 * read for certain is refused and stays as it is.
 */
import {
  applyEdits,
  type Node as JsonNode,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { type DomainError, invalidInput, messageOf } from "../../contract/index.ts";

export type { JsonNode };
export type Json = Readonly<Record<string, unknown>>;

export function readSettings(text: string, file: string): Json {
  if (text.includes("\u{fffd}")) throw refused(file, "holds bytes that are not UTF-8");
  let value: unknown;
  try {
    value = parseJsonWithComments(text);
  } catch (cause) {
    throw refused(file, `is not valid JSON (${messageOf(cause)})`, cause);
  }
  if (!isObject(value)) throw refused(file, "is not a JSON object");
  return value;
}

/** Clients read comments and a last comma in their settings, so they are no reason to refuse a file. */
export function parseJsonWithComments(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const line = text.slice(0, first.offset).split("\n").length;
  throw new SyntaxError(`${printParseErrorCode(first.error)} in line ${line}`);
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refused(file: string, what: string, cause?: unknown): DomainError {
  return invalidInput(file, what, { sentence: `${file} ${what}; it was not changed. Fix it, then repeat`, cause });
}

/** The text must be one that `readSettings` takes. */
export function treeOf(text: string): JsonNode {
  const root = parseTree(text);
  if (root === undefined) throw new Error("the settings hold no value");
  return root;
}

/** The value of a member. The last of a name counts, as for JSON.parse. */
export function memberOf(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return membersOf(node).findLast((member) => member.name === name)?.value;
}

export function membersOf(node: JsonNode | undefined): readonly { readonly name: string; readonly value: JsonNode }[] {
  const properties = node?.type === "object" ? (node.children ?? []) : [];
  return properties.map(({ children }) => ({ name: String(children![0]!.value), value: children![1]! }));
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

/** With one more member, as the last, in the style of those that are there. */
export function withLastMember(text: string, object: JsonNode, name: string, value: unknown): string {
  return withLast(text, object, `${JSON.stringify(name)}: ${pretty(value)}`);
}

export function withLastItem(text: string, list: JsonNode, value: unknown): string {
  return withLast(text, list, pretty(value));
}

/** Without a member or an item, and its comma. A container that held nothing else goes with it. */
export function withoutNode(text: string, node: JsonNode): string {
  const own = node.parent?.type === "property" ? node.parent : node;
  const container = own.parent!;
  const inside = container.children!;
  if (inside.length === 1 && container.parent !== undefined) return withoutNode(text, container);
  const at = inside.indexOf(own);
  const [before, after] = [inside[at - 1], inside[at + 1]];
  if (before !== undefined) return replaced(text, endOf(before), endOf(own), "");
  if (after !== undefined) return replaced(text, own.offset, after.offset, "");
  return replaced(text, container.offset + 1, endOf(container) - 1, "");
}

function withLast(text: string, container: JsonNode, addition: string): string {
  const inside = container.children ?? [];
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined) {
    const outer = indentAt(text, container.offset);
    const body = indented(addition, `${outer}  `);
    const comments = text.slice(container.offset + 1, endOf(container) - 1).trimEnd();
    return replaced(text, container.offset + 1, endOf(container) - 1, `${comments}\n${outer}  ${body}\n${outer}`);
  }
  const isOneLine = !text.slice(container.offset, first.offset).includes("\n");
  const indent = indentAt(text, last.offset);
  return replaced(
    text,
    endOf(last),
    endOf(last),
    isOneLine ? `, ${addition}` : `,\n${indent}${indented(addition, indent)}`,
  );
}

function replaced(text: string, start: number, end: number, content: string): string {
  return applyEdits(text, [{ offset: start, length: end - start, content }]);
}

function endOf({ offset, length }: JsonNode): number {
  return offset + length;
}

/** The white space that the line of a place begins with. */
function indentAt(text: string, place: number): string {
  const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
  return /^[ \t]*/.exec(line)![0];
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
