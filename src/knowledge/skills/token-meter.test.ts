import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { createTokenMeter } from "./token-meter.ts";

it("counts as a real tokenizer does, also what looks like a special token, and each text once", async () => {
  const measure = createTokenMeter();
  const texts = ["Shows what a file depends on.", "", "größer <|endoftext|>"];
  expect(await measure(texts)).toEqual([countTokens(texts[0]!), 0, expect.any(Number)]);
  expect(await measure([])).toEqual([]);
  const [known, again] = await measure([texts[0]!, texts[0]!]);
  expect(known).toBe(again);
});
