/**
 * Codex: counters of a session that only grow. A call is the difference to the count before; the same count again is no
 * call; a smaller one means that the counter began anew. The first count of a file may include what another file already
 * told (a fork), so of that one only its last call counts. Cached tokens are part of the input they are reported with.
 */
import { asCount, asLoose, asText, asTime, type Loose, parseLoose } from "../transcripts/index.ts";
import type {
  LineResult,
  ReaderState,
  Totals,
  TranscriptPlace,
  TranscriptReader,
} from "../../oversight/ledger/index.ts";

export const codexReader: TranscriptReader = {
  client: "codex",
  marks: ['"token_count"', '"turn_context"', '"session_meta"'],
  read(line, state, place) {
    const row = parseLoose(line);
    const payload = asLoose(row?.payload);
    if (row === undefined) return "unreadable";
    if (payload === undefined) return { state, record: undefined };
    if (row.type === "session_meta") return { state: learned(state, "session", payload.id), record: undefined };
    if (row.type === "turn_context") return { state: learned(state, "model", payload.model), record: undefined };
    const info = asLoose(payload.info);
    if (payload.type !== "token_count" || info === undefined) return { state, record: undefined };
    return count(row, info, state, place);
  },
};

function learned(state: ReaderState, what: "session" | "model", value: unknown): ReaderState {
  const text = asText(value);
  return text === undefined ? state : { ...state, [what]: text };
}

function count(row: Loose, info: Loose, state: ReaderState, place: TranscriptPlace): LineResult {
  const total = totalsOf(info.total_token_usage);
  const last = totalsOf(info.last_token_usage);
  const spent = spentSince(state.totals, total, last);
  if (spent === undefined) return "unreadable";
  const next = total === undefined ? state : { ...state, totals: total };
  if (isNothing(spent)) return { state: next, record: undefined };
  return {
    state: next,
    record: {
      // Copied into another file this line stays the same, and it is the same call.
      key: `cx:${asText(row.timestamp) ?? state.session ?? place.session}:${JSON.stringify([total, last])}`,
      client: "codex",
      session: state.session ?? place.session,
      agent: place.agent,
      model: state.model,
      at: asTime(row.timestamp),
      input: freshInput(spent),
      output: spent.output,
      cacheRead: spent.cached,
      cacheWrite: spent.cacheWrite,
      cacheWriteLong: undefined,
      context: last?.input,
    },
  };
}

function totalsOf(value: unknown): Totals | undefined {
  const usage = asLoose(value);
  const input = asCount(usage?.input_tokens);
  const output = asCount(usage?.output_tokens);
  if (usage === undefined || input === undefined || output === undefined) return undefined;
  return {
    input,
    output,
    cached: asCount(usage.cached_input_tokens),
    cacheWrite: asCount(usage.cache_write_input_tokens),
  };
}

function spentSince(
  before: Totals | undefined,
  total: Totals | undefined,
  last: Totals | undefined,
): Totals | undefined {
  if (total === undefined || before === undefined) return last ?? total;
  if (total.input < before.input || total.output < before.output) return last ?? total;
  return {
    input: total.input - before.input,
    output: total.output - before.output,
    cached: grown(before.cached, total.cached),
    cacheWrite: grown(before.cacheWrite, total.cacheWrite),
  };
}

function grown(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined || now < before ? undefined : now - before;
}

function isNothing({ input, output }: Totals): boolean {
  return input === 0 && output === 0;
}

function freshInput({ input, cached = 0, cacheWrite = 0 }: Totals): number {
  return Math.max(0, input - cached - cacheWrite);
}
