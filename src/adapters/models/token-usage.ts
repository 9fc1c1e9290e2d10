/**
 * Reads the tokens that a provider reports for an answer. The SDK reports 0 where a provider said nothing; the raw usage beside it
 * tells the two apart, because unknown is not zero.
 */
import type { LanguageModelUsage } from "ai";
import type { TokenUsage } from "../../orchestration/models/index.ts";

const inputNames = ["input_tokens", "prompt_tokens", "promptTokenCount"];
const outputNames = ["output_tokens", "completion_tokens", "candidatesTokenCount", "totalTokenCount"];
const cacheReadNames = ["cache_read_input_tokens", "cached_tokens", "cachedContentTokenCount"];
const cacheWriteNames = ["cache_creation_input_tokens", "cache_write_tokens"];

export const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Undefined when input or output are unknown: half a price is no price. */
export function tokenUsage({
  inputTokens,
  outputTokens,
  inputTokenDetails,
  raw,
}: LanguageModelUsage): TokenUsage | undefined {
  const said = (names: readonly string[], tokens: number | undefined) => (says(raw, names) ? tokens : undefined);
  const input = said(inputNames, inputTokens);
  const output = said(outputNames, outputTokens);
  if (input === undefined || output === undefined) return undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    cacheReadTokens: said(cacheReadNames, inputTokenDetails.cacheReadTokens),
    cacheWriteTokens: said(cacheWriteNames, inputTokenDetails.cacheWriteTokens),
  };
}

export function addUsage(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (a === undefined || b === undefined) return undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: sum(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: sum(a.cacheWriteTokens, b.cacheWriteTokens),
  };
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Cache counts stand in the usage itself or, at OpenAI, one level down in its details. */
function says(raw: unknown, names: readonly string[]): boolean {
  if (typeof raw !== "object" || raw === null) return false;
  return Object.entries(raw).some(([name, value]) =>
    typeof value === "number" ? names.includes(name) : name.endsWith("_details") && says(value, names),
  );
}
