/** opencode: one row of its database for each message; an answer under way has only zeros, which say nothing yet. */
import { sumOf, type UsageRecord } from "../../oversight/ledger/index.ts";
import { asCount, asLoose, asText, asTime, parseLoose } from "../transcripts/index.ts";

export type OpencodeMessage = { readonly id: string; readonly session: string; readonly data: string };

export function readOpencodeMessage({ id, session, data }: OpencodeMessage): UsageRecord | "unreadable" | undefined {
  const message = parseLoose(data);
  if (message === undefined) return "unreadable";
  const tokens = asLoose(message.tokens);
  if (message.role !== "assistant" || tokens === undefined) return undefined;
  const cache = asLoose(tokens.cache);
  const input = asCount(tokens.input);
  const output = sumOf(asCount(tokens.output), asCount(tokens.reasoning ?? 0));
  const cacheRead = asCount(cache?.read);
  const cacheWrite = asCount(cache?.write);
  if ([input, output, cacheRead, cacheWrite].every((count) => count === 0)) return undefined;
  return {
    key: `oc:${id}`,
    client: "opencode",
    session,
    agent: undefined,
    model: asText(message.modelID),
    at: asTime(asLoose(message.time)?.created),
    input,
    output,
    cacheRead,
    cacheWrite,
    cacheWriteLong: undefined,
    context: sumOf(input, cacheRead, cacheWrite),
  };
}
