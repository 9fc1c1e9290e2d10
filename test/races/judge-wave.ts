/** The verdict on a wave, key by key: calls on different keys need no common order. */
import { type ClaimCall, claimModel } from "./claim-model.ts";
import { linearize, type Timed, type Verdict } from "./linearize.ts";
import type { Keyed } from "./racer.ts";
import type { WaveReport } from "./racer-process.ts";
import { numberGrants, type ReserveCall, reserveModel } from "./reserve-model.ts";

export type RaceFigures = {
  /** Attempts to claim or to reserve. */
  readonly races: number;
  readonly calls: number;
  readonly keys: number;
  /** On the key with the fewest. */
  readonly fewestRacers: number;
  /** Calls on one key under way at the same instant, at the most. */
  readonly mostAtOnce: number;
  /** Attempts that changed hands. */
  readonly grants: number;
  readonly problems: number;
};
export type RaceResult = { readonly figures: RaceFigures; readonly problems: readonly string[] };

/** `granted` are the reservation tokens of the project so far: one counter gives them all, and none twice. */
export function judgeWave({ attempts, claims, reserves }: WaveReport, granted: Set<number>): RaceResult {
  const items = histories(claims).map(([key, calls]) => {
    const tokens = calls.flatMap((call) => (call.do === "claim" ? tokenIn(call.said) : []));
    return { key, calls, tokens, verdict: linearize(calls, claimModel) };
  });
  const paths = histories(reserves).map(([key, calls]) => {
    const tokens = calls.flatMap((call) => (call.do === "acquire" ? tokenIn(call.said) : []));
    return { key, calls, tokens, verdict: linearize(numberGrants(calls), reserveModel) };
  });
  const problems = [...items, ...paths].flatMap(({ key, verdict }) => explain(key, verdict));
  for (const { key, tokens } of paths) {
    for (const token of new Set(tokens)) {
      if (granted.has(token)) problems.push(`${key}: token ${token} was granted twice`);
      granted.add(token);
    }
  }
  const all = [...items, ...paths];
  const figures = {
    races: attempts,
    calls: claims.length + reserves.length,
    keys: all.length,
    fewestRacers: Math.min(...all.map(({ calls }) => new Set((calls as readonly Call[]).map((c) => c.agent)).size)),
    mostAtOnce: Math.max(...all.map(({ calls }) => mostAtOnce(calls))),
    grants: all.reduce((total, { tokens }) => total + new Set(tokens).size, 0),
    problems: problems.length,
  };
  return { figures, problems };
}

type Call = ClaimCall | ReserveCall;

function histories<One>(calls: readonly Keyed<One>[]): readonly (readonly [string, readonly One[]])[] {
  return [...Map.groupBy(calls, ({ key }) => key)].map(([key, found]) => [key, found.map(({ call }) => call)] as const);
}

function tokenIn(said: object | string): readonly number[] {
  return typeof said === "object" && "token" in said ? [said.token as number] : [];
}

function explain(key: string, verdict: Verdict<Call>): readonly string[] {
  if (verdict.ok) return [];
  const shown = (call: Call): string => JSON.stringify(call);
  return [
    `${key}: after ${verdict.order.length} calls it was "${verdict.state}", and none of these fits:\n  ${verdict.stuckAt.map(shown).join("\n  ")}\n  the last that fitted:\n  ${verdict.order.slice(-5).map(shown).join("\n  ")}`,
  ];
}

function mostAtOnce(calls: readonly Timed[]): number {
  const turns = calls.flatMap(({ calledAt, answeredAt }) => [
    { at: calledAt, by: 1 },
    { at: answeredAt, by: -1 },
  ]);
  let [now, most] = [0, 0];
  for (const { by } of turns.sort((a, b) => a.at - b.at || a.by - b.by)) most = Math.max(most, (now += by));
  return most;
}
