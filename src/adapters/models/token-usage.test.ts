import type { LanguageModelUsage } from "ai";
import { expect, it } from "vitest";
import { addUsage, noTokens, tokenUsage } from "./token-usage.ts";

function usage(raw: LanguageModelUsage["raw"]): LanguageModelUsage {
  return {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    inputTokenDetails: { noCacheTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    outputTokenDetails: { textTokens: 0, reasoningTokens: 0 },
    ...(raw && { raw }),
  };
}

it("believes a zero only when the provider said it", () => {
  expect(tokenUsage(usage(undefined))).toBeUndefined();
  expect(tokenUsage(usage({ prompt_tokens: 0 }))).toBeUndefined();
  expect(tokenUsage(usage({ prompt_tokens: 0, completion_tokens: 0 }))).toEqual({
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
  });
  const details = { cached_tokens: 0, cache_write_tokens: 0 };
  expect(tokenUsage(usage({ input_tokens: 0, output_tokens: 0, input_tokens_details: details }))).toEqual(noTokens);
});

it("adds up to unknown as soon as one part is unknown", () => {
  const known = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: undefined };
  expect(addUsage(known, undefined)).toBeUndefined();
  expect(addUsage(known, { ...known, cacheReadTokens: 4 })).toEqual({
    inputTokens: 2,
    outputTokens: 4,
    cacheReadTokens: 7,
    cacheWriteTokens: undefined,
  });
});
