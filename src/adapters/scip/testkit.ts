/** Writes small SCIP indexes by hand, field by field, as an indexer would. */
import { Buffer } from "node:buffer";

type Occurrence = {
  readonly range: readonly number[];
  readonly symbol: string;
  readonly roles?: number;
  /** Written as messages of later versions do. */
  readonly typed?: boolean;
};
export type WrittenDocument = {
  readonly path: string;
  readonly encoding?: number;
  readonly occurrences: readonly Occurrence[];
  readonly symbols?: readonly { readonly symbol: string; readonly text: string }[];
};

export function writeIndex(documents: readonly WrittenDocument[], root = "file:///elsewhere"): Buffer {
  const tool = join(bytes(1, "by-hand"), bytes(2, "1.0.0"));
  const metadata = join(bytes(2, tool), bytes(3, root));
  return join(bytes(1, metadata), ...documents.map((document) => bytes(2, documentOf(document))));
}

function documentOf({ path, encoding = 2, occurrences, symbols = [] }: WrittenDocument): Buffer {
  return join(
    bytes(1, path),
    ...occurrences.map((one) => bytes(2, occurrenceOf(one))),
    ...symbols.map(({ symbol, text }) => bytes(3, join(bytes(1, symbol), bytes(3, text)))),
    number(6, encoding),
  );
}

function occurrenceOf({ range, symbol, roles = 0, typed = false }: Occurrence): Buffer {
  const members = join(...range.map((value, index) => (value === 0 ? Buffer.of() : number(index + 1, value))));
  const place = typed ? bytes(range.length === 3 ? 8 : 9, members) : bytes(1, join(...range.map(varint)));
  return join(place, bytes(2, symbol), number(3, roles));
}

function number(field: number, value: number): Buffer {
  return join(varint(field * 8), varint(value));
}

function bytes(field: number, value: Buffer | string): Buffer {
  const body = Buffer.from(value as string);
  return join(varint(field * 8 + 2), varint(body.length), body);
}

function varint(value: number): Buffer {
  const digits: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...digits, rest]);
    digits.push((rest % 128) + 128);
  }
}

function join(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}
