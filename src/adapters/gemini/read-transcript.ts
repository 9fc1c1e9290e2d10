/**
 * Gemini CLI: a line for each message, written again under its id when it grows. The input counts what was cached too;
 * thoughts are billed like output, and what tools brought like input.
 */
import { asCount, asLoose, asText, asTime, parseLoose } from "../transcripts/index.ts";
import { sumOf, type TranscriptReader } from "../../oversight/ledger/index.ts";

export const geminiReader: TranscriptReader = {
  client: "gemini",
  marks: ['"tokens"', '"sessionId"'],
  read(line, before, place) {
    const row = parseLoose(line);
    if (row === undefined) return "unreadable";
    const session = asText(row.sessionId);
    const state = session === undefined ? before : { ...before, session };
    const tokens = asLoose(row.tokens);
    if (tokens === undefined) return { state, record: undefined };
    const id = asText(row.id);
    if (id === undefined) return "unreadable";
    const prompt = sumOf(asCount(tokens.input), asCount(tokens.tool ?? 0));
    const cacheRead = asCount(tokens.cached);
    const belongsTo = state.session ?? place.session;
    return {
      state,
      record: {
        key: `gm:${belongsTo}:${id}`,
        client: "gemini",
        session: belongsTo,
        agent: place.agent,
        model: asText(row.model),
        at: asTime(row.timestamp),
        input: prompt === undefined ? undefined : Math.max(0, prompt - (cacheRead ?? 0)),
        output: sumOf(asCount(tokens.output), asCount(tokens.thoughts ?? 0)),
        cacheRead,
        cacheWrite: 0, // nothing is billed for writing
        cacheWriteLong: undefined,
        context: prompt,
      },
    };
  },
};
