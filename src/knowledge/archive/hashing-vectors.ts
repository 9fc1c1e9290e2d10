/** Vectors without a model: three letters at a time, hashed into a fixed number of places. Similar spellings come near. */
import type { Embedder } from "./similar-entries.ts";

const places = 256;

export const hashingVectors: Embedder = { embed: async (texts) => texts.map(vectorOf) };

function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: places }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    for (const part of trigrams(` ${word} `)) vector[placeOf(part)]! += 1;
  return vector;
}

function trigrams(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, start) => text.slice(start, start + 3));
}

function placeOf(text: string): number {
  let value = 2_166_136_261;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  return (value >>> 0) % places;
}
