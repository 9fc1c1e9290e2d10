import * as fc from "fast-check";
import { expect, it } from "vitest";
import { codexReader } from "./read-transcript.ts";
import type { ReaderState, UsageRecord } from "../../oversight/ledger/index.ts";

type Call = { readonly input: number; readonly cached: number; readonly output: number };

const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc
    .record({
      input: fc.integer({ min: 1, max: 100_000 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      output: fc.nat({ max: 9_000 }),
    })
    .map(({ input, share, output }) => ({ input, cached: Math.floor(input * share), output })),
  { maxLength: 12 },
);

const usage = ({ input, cached, output }: Call) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: input + output,
});

function countLine(total: Call, last: Call | undefined, at: number): string {
  const info = {
    total_token_usage: usage(total),
    ...(last && { last_token_usage: usage(last) }),
    model_context_window: 1,
  };
  return JSON.stringify({
    timestamp: new Date(at).toISOString(),
    type: "event_msg",
    payload: { type: "token_count", info },
  });
}

const opening = [
  JSON.stringify({ type: "session_meta", payload: { id: "thread-1" } }),
  JSON.stringify({ type: "turn_context", payload: { model: "gpt-5" } }),
];

function read(lines: readonly string[], place = { session: "file", agent: undefined }): readonly UsageRecord[] {
  const found = new Map<string, UsageRecord>();
  let state: ReaderState = {};
  for (const line of lines) {
    const result = codexReader.read(line, state, place);
    if (result === "unreadable") continue;
    state = result.state;
    if (result.record !== undefined) found.set(result.record.key, result.record);
  }
  return [...found.values()];
}

/** What the session used, said by the calls themselves and not by any counter. */
function used(all: readonly Call[]): Call {
  const sum = { input: 0, cached: 0, output: 0 };
  for (const { input, cached, output } of all) {
    sum.input += input - cached;
    sum.cached += cached;
    sum.output += output;
  }
  return sum;
}

function told(records: readonly UsageRecord[]): Call {
  const sum = { input: 0, cached: 0, output: 0 };
  for (const { input, cacheRead, output } of records) {
    sum.input += input!;
    sum.cached += cacheRead!;
    sum.output += output!;
  }
  return sum;
}

const plus = (a: Call, b: Call): Call => ({
  input: a.input + b.input,
  cached: a.cached + b.cached,
  output: a.output + b.output,
});
const zero: Call = { input: 0, cached: 0, output: 0 };

function rollout(all: readonly Call[], repeats: readonly number[], start = zero): readonly string[] {
  let total = start;
  return all.flatMap((call, index) => {
    total = plus(total, call);
    const line = countLine(total, call, 1_760_000_000_000 + index * 1_000);
    return Array.from({ length: 1 + (repeats[index] ?? 0) }, () => line);
  });
}

const repeats = fc.array(fc.nat({ max: 2 }), { maxLength: 12 });

it("takes a counter that only grows apart into its calls, each once however often it is repeated [COST-1]", () => {
  fc.assert(
    fc.property(calls, repeats, (all, again) => {
      const records = read([...opening, ...rollout(all, again)]);
      expect(told(records)).toEqual(used(all));
      expect(records.every(({ session, model }) => session === "thread-1" && model === "gpt-5")).toBe(true);
      expect(records.map(({ context }) => context)).toEqual(all.map(({ input }) => input));
    }),
  );
});

it("continues when the counter begins anew, and does not count what a fork inherited [COST-1]", () => {
  fc.assert(
    fc.property(calls, calls, repeats, (first, second, again) => {
      const inherited = { input: 1_000_000, cached: 0, output: 1_000_000 };
      const forked = rollout(first, again, inherited);
      const anew = rollout(second, []).map((line) => line.replaceAll("2025-", "2024-"));
      expect(told(read([...opening, ...forked, ...anew]))).toEqual(used([...first, ...second]));
    }),
  );
});

it("says unknown where a counter is missing, and survives any line [COST-2]", () => {
  const line = JSON.stringify({
    timestamp: "2025-10-09T08:53:20.000Z",
    type: "event_msg",
    payload: { type: "token_count", info: { last_token_usage: { input_tokens: 5, output_tokens: 2 } } },
  });
  expect(read([line])).toMatchObject([
    { input: 5, output: 2, cacheRead: undefined, cacheWrite: undefined, model: undefined },
  ]);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(() => read([text])).not.toThrow();
    }),
  );
});
