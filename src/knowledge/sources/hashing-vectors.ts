/**
 * Vectors of passages, for questions in other words than the source's. The port takes any method; the one that is here hashes
 * words and their parts of three letters into 256 numbers, without a model and without the network.
 */
import { contentWords } from "./content-words.ts";

export type VectorMethod = {
  /** As answers name it. */
  readonly name: string;
  embed(text: string): Uint8Array;
  /** 0 to 1. */
  likeness(one: Uint8Array, other: Uint8Array): number;
};

const size = 256;
const wordWeight = 3;

export const hashingVectors: VectorMethod = { name: "hashing", embed, likeness };

function embed(text: string): Uint8Array {
  const sums = new Float64Array(size);
  for (const word of contentWords(text)) {
    add(sums, word, wordWeight);
    const padded = `_${word}_`;
    for (let at = 0; at + 3 <= padded.length; at++) add(sums, padded.slice(at, at + 3), 1);
  }
  const length = Math.hypot(...sums) || 1;
  const vector = new Int8Array(size);
  for (let at = 0; at < size; at++) vector[at] = Math.round((sums[at]! / length) * 127);
  return new Uint8Array(vector.buffer);
}

function add(sums: Float64Array, part: string, weight: number): void {
  let hash = 2_166_136_261;
  for (let at = 0; at < part.length; at++) hash = Math.imul(hash ^ part.charCodeAt(at), 16_777_619);
  const place = (hash >>> 1) % size;
  sums[place] = sums[place]! + (hash & 1 ? weight : -weight);
}

function likeness(one: Uint8Array, other: Uint8Array): number {
  const [a, b] = [one, other].map((bytes) => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)) as [
    Int8Array,
    Int8Array,
  ];
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    product += a[at]! * b[at]!;
    ofA += a[at]! ** 2;
    ofB += b[at]! ** 2;
  }
  return Math.max(0, product / (Math.sqrt(ofA * ofB) || 1));
}
