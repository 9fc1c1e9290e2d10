/**
 * Claude Code: one answer spans several lines (one for each block, each repeating the usage), in the transcripts of
 * resumed sessions again, and while it streams with a part of its output. So a call is known by message and request across
 * all files, and the line with the most output counts. Behind a gateway there is no request id. A fork copies the answers
 * of the session it came from and names it: they stay that session's. Records of requests (`api-request-blob`) repeat whole
 * messages and are no answers.
 */
import { asCount, asLoose, asText, asTime, type Loose, parseLoose } from "../transcripts/index.ts";
import { sumOf, type TranscriptReader } from "../../oversight/ledger/index.ts";

/** The client's own notices, in the form of an answer. No model was called. */
const notACall = "<synthetic>";

export const claudeCodeReader: TranscriptReader = {
  client: "claude-code",
  marks: ['"usage"'],
  read(line, state, place) {
    const row = parseLoose(line);
    if (row === undefined) return "unreadable";
    const message = asLoose(row.message);
    const usage = asLoose(message?.usage);
    // Only answers count: a result line repeats the totals of all of them.
    if (row.type !== "assistant" || message === undefined || usage === undefined || message.model === notACall)
      return { state, record: undefined };
    const key = keyOf(row, message);
    if (key === undefined) return "unreadable";
    const input = asCount(usage.input_tokens);
    const cacheRead = asCount(usage.cache_read_input_tokens);
    const cacheWrite = asCount(usage.cache_creation_input_tokens);
    return {
      state,
      record: {
        key,
        client: "claude-code",
        session: asText(asLoose(row.forkedFrom)?.sessionId) ?? asText(row.sessionId) ?? place.session,
        agent: asText(row.agentId) ?? place.agent,
        model: asText(message.model),
        at: asTime(row.timestamp),
        input,
        output: asCount(usage.output_tokens),
        cacheRead,
        cacheWrite,
        cacheWriteLong: asCount(asLoose(usage.cache_creation)?.ephemeral_1h_input_tokens),
        context: sumOf(input, cacheRead, cacheWrite),
      },
    };
  },
};

function keyOf(row: Loose, message: Loose): string | undefined {
  const id = asText(message.id);
  const request = asText(row.requestId);
  if (id !== undefined) return request === undefined ? `cc:${id}` : `cc:${id}:${request}`;
  const line = asText(row.uuid);
  return line === undefined ? undefined : `cc-line:${line}`;
}
