/** The parts of a SCIP index that answers need: who made it, and for each document its occurrences and symbols. */
import { bytesOf, type Field, fieldsOf, numberOf, numbersOf, ScipRefused, textOf } from "./read-fields.ts";

/** Lines and columns from 0; a column counts units of the document's encoding. */
export type ScipOccurrence = {
  readonly range: readonly [line: number, column: number, endLine: number, endColumn: number];
  readonly symbol: string;
  readonly isDefinition: boolean;
};
export type ScipSymbol = { readonly symbol: string; readonly text: string };
export type ScipDocument = {
  readonly path: string;
  readonly encoding: "utf-8" | "utf-16" | "utf-32";
  readonly occurrences: readonly ScipOccurrence[];
  readonly symbols: readonly ScipSymbol[];
};
export type ScipMetadata = { readonly tool: string; readonly root: string };

const longestName = 4_096;
const longestDoc = 8_000;
const mostLines = 100_000_000;
const encodings = ["utf-8", "utf-16", "utf-32"] as const;
const definitionRole = 1;

export function decodeMetadata(message: Uint8Array): ScipMetadata {
  let tool = "unknown";
  let root = "";
  for (const field of fieldsOf(message)) {
    if (field.number === 2) tool = toolOf(bytesOf(field));
    if (field.number === 3) root = textOf(field, longestName);
  }
  return { tool, root };
}

function toolOf(message: Uint8Array): string {
  const [name = "unknown", version = ""] = [1, 2].map((number) => {
    const field = firstOf(message, number);
    return field && textOf(field, 200);
  });
  return `${name} ${version}`.trim();
}

export function decodeDocument(message: Uint8Array): ScipDocument {
  let path = "";
  let encoding: ScipDocument["encoding"] = "utf-16";
  const occurrences: ScipOccurrence[] = [];
  const symbols: ScipSymbol[] = [];
  for (const field of fieldsOf(message)) {
    if (field.number === 1) path = textOf(field, longestName);
    if (field.number === 2) occurrences.push(...occurrenceOf(bytesOf(field)));
    if (field.number === 3) symbols.push(decodeSymbol(bytesOf(field)));
    if (field.number === 6) encoding = encodings[numberOf(field) - 1] ?? "utf-16";
  }
  return { path, encoding, occurrences, symbols };
}

/** None where it has no symbol: it only colours. */
function occurrenceOf(message: Uint8Array): readonly ScipOccurrence[] {
  const numbers: number[] = [];
  let typed: readonly number[] | undefined;
  let symbol = "";
  let roles = 0;
  for (const field of fieldsOf(message)) {
    if (field.number === 1) numbers.push(...numbersOf(field).slice(0, 5));
    if (field.number === 2) symbol = textOf(field, longestName);
    if (field.number === 3) roles = numberOf(field);
    if (field.number === 8) typed = membersOf(field, 3);
    if (field.number === 9) typed = membersOf(field, 4);
  }
  if (symbol === "") return [];
  const isDefinition = roles % 2 === definitionRole;
  return [{ range: rangeOf(typed ?? numbers), symbol, isDefinition }];
}

/** A message of numbers; those that are 0 are not written. */
function membersOf(field: Field, count: number): readonly number[] {
  const members = Array.from({ length: count }, () => 0);
  for (const one of fieldsOf(bytesOf(field))) if (one.number <= count) members[one.number - 1] = numberOf(one);
  return members;
}

function rangeOf(numbers: readonly number[]): ScipOccurrence["range"] {
  const [line = -1, column = 0, third = 0, fourth] = numbers;
  const range =
    fourth === undefined ? ([line, column, line, third] as const) : ([line, column, third, fourth] as const);
  if (numbers.length < 3 || numbers.length > 4 || range.some((number) => number < 0 || number > mostLines))
    throw new ScipRefused("this SCIP index has a place that no file can have");
  return range;
}

export function decodeSymbol(message: Uint8Array): ScipSymbol {
  let symbol = "";
  const texts: string[] = [];
  for (const field of fieldsOf(message)) {
    if (field.number === 1) symbol = textOf(field, longestName);
    if (field.number === 3 && texts.length < 10) texts.push(textOf(field, longestDoc));
    if (field.number === 7) {
      const text = firstOf(bytesOf(field), 5);
      if (text !== undefined) texts.unshift(textOf(text, longestDoc));
    }
  }
  return { symbol, text: texts.join("\n\n").slice(0, longestDoc) };
}

function firstOf(message: Uint8Array, number: number): Field | undefined {
  for (const field of fieldsOf(message)) if (field.number === number) return field;
  return undefined;
}
