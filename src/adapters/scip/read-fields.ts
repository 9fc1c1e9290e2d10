/**
 * Reads the fields of a protobuf message: numbers and byte strings, which is all that an index has.
 *
 * Invariant: whatever the bytes are, it ends with the fields or with a ScipRefused.
 */
import { DomainError } from "../../contract/index.ts";

export class ScipRefused extends DomainError {
  constructor(reason: string, cause?: unknown) {
    super("scip.refused", reason, { cause });
  }
}

export type Field = { readonly number: number; readonly value: number | Uint8Array };

const wire = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const broken = "this is not a SCIP index: its bytes are not those of the format";

export function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  while (at < message.length) {
    const tag = varintAt(message, at);
    const number = Math.floor(tag.value / 8);
    const kind = tag.value % 8;
    at = tag.next;
    if (number === 0) throw new ScipRefused(broken);
    if (kind === wire.varint) {
      const { value, next } = varintAt(message, at);
      at = next;
      yield { number, value };
    } else if (kind === wire.bytes) {
      const { value: length, next } = varintAt(message, at);
      at = next + length;
      if (at > message.length) throw new ScipRefused(broken);
      yield { number, value: message.subarray(next, at) };
    } else if (kind === wire.fixed32 || kind === wire.fixed64) {
      at += kind === wire.fixed32 ? 4 : 8; // of a later version
      if (at > message.length) throw new ScipRefused(broken);
    } else throw new ScipRefused(broken);
  }
}

/** Of the numbers that the format has none needs more than 53 bits; a negative one is beyond that. */
export function varintAt(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } {
  let value = 0;
  let factor = 1;
  for (let next = at; next < at + 10; next++) {
    const byte = bytes[next];
    if (byte === undefined) break;
    value += (byte & 0x7f) * factor;
    factor *= 128;
    if (byte < 0x80) return { value: Math.min(value, Number.MAX_SAFE_INTEGER), next: next + 1 };
  }
  throw new ScipRefused(broken);
}

export function bytesOf({ value }: Field): Uint8Array {
  if (typeof value === "number") throw new ScipRefused(broken);
  return value;
}

export function numberOf({ value }: Field): number {
  if (typeof value !== "number") throw new ScipRefused(broken);
  return value;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export function textOf(field: Field, longest: number): string {
  const bytes = bytesOf(field);
  try {
    return decoder.decode(bytes.length > longest ? bytes.subarray(0, longest) : bytes);
  } catch (cause) {
    if (bytes.length > longest) return Buffer.from(bytes.subarray(0, longest)).toString("utf8");
    throw new ScipRefused(broken, cause);
  }
}

/** A list of numbers, packed or as one of several fields. */
export function numbersOf(field: Field): readonly number[] {
  if (typeof field.value === "number") return [field.value];
  const numbers: number[] = [];
  for (let at = 0; at < field.value.length;) {
    const { value, next } = varintAt(field.value, at);
    numbers.push(value);
    at = next;
  }
  return numbers;
}
