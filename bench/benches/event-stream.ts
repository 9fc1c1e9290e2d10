/**
 * How soon a subscriber sees an event, and what subscribers cost the writers.
 *
 *   one daemon per round: no subscriber -> all reading -> all stalled, with the same claims each time
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Bench, Figure } from "../bench.ts";
import type { SubscribersResult } from "../load/event-subscribers.ts";
import { upDaemon, type Daemon } from "../processes/daemon.ts";
import { memoryOf } from "../processes/process-usage.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";
import { requireClaims } from "../store/count-claims.ts";

const rounds = 3;
const subscribers = 200;
const load = { perSecond: 100, warmUpSeconds: 2, seconds: 8 };
const perSide = load.perSecond * (load.warmUpSeconds + load.seconds);
const mostP99Ms = 20;

type Side = "alone" | "reading" | "stalled";
type Round = Record<Side, SubscribersResult> & { readonly grownMb: number };

export const eventStream: Bench = {
  name: "event-stream",
  method: `${load.perSecond} claims a second for ${load.seconds} s (after ${load.warmUpSeconds} s to warm up) over the unix socket, watched by no subscriber, by ${subscribers} subscribers that read, and by ${subscribers} that never read, in turn on one daemon; ${rounds} rounds, each with a fresh one. Latency from the moment a claim was due, to its answer and to each subscriber; every reading subscriber must have each event once.`,
  async run() {
    using scratch = scratchFolder();
    const prepared = join(scratch.path, "prepared");
    const fleet = join(scratch.path, "fleet.json");
    await runChild("prepare-store", { home: prepared, fleet, agents: 100, items: 3 * perSide });
    const results: Round[] = [];
    for (let round = 0; round < rounds; round++) {
      const home = homeWithStore(join(scratch.path, "home"), prepared);
      {
        await using daemon = await upDaemon(home);
        results.push(await measure(daemon, fleet));
      }
      requireClaims(home, 3 * perSide);
    }
    return figuresOf(results);
  },
};

async function measure(daemon: Daemon, fleet: string): Promise<Round> {
  const side = (index: number, counts: { readonly reading: number; readonly stalled: number }) =>
    runChild("event-subscribers", {
      ...load,
      ...counts,
      address: daemon.unix,
      userToken: daemon.userToken,
      fleet,
      skip: index * perSide,
      after: lastSequence(daemon.home),
    });
  const alone = await side(0, { reading: 0, stalled: 0 });
  const reading = await side(1, { reading: subscribers, stalled: 0 });
  const before = memoryOf(daemon.pid).rssMb;
  const stalled = await side(2, { reading: 0, stalled: subscribers });
  return { alone, reading, stalled, grownMb: memoryOf(daemon.pid).rssMb - before };
}

function figuresOf(results: readonly Round[]): readonly Figure[] {
  const claims = (side: Side, field: "p50" | "p99") => results.map((round) => round[side].claims[field]);
  const delivery = (field: "p50" | "p99" | "max") => results.map(({ reading }) => reading.delivery![field]);
  const floor = { what: "a claim's answer, no subscriber", unit: "ms" } as const;
  const latency = (what: string, rounds: readonly number[], field: "p50" | "p99"): Figure => ({
    what,
    value: median(rounds),
    unit: "ms",
    rounds,
    floor: { ...floor, value: median(claims("alone", field)) },
  });
  const p99 = latency(`p99, event to each of ${subscribers} subscribers`, delivery("p99"), "p99");
  const slowed = ratios(claims("stalled", "p99"), claims("alone", "p99"));
  return [
    latency(`p50, event to each of ${subscribers} subscribers`, delivery("p50"), "p50"),
    { ...p99, target: { text: `< ${mostP99Ms} ms`, met: p99.value < mostP99Ms } },
    latency("slowest delivery of a round", delivery("max"), "p99"),
    latency(`p99 of a claim, ${subscribers} subscribers reading`, claims("reading", "p99"), "p99"),
    latency(`p99 of a claim, ${subscribers} subscribers stalled`, claims("stalled", "p99"), "p99"),
    { what: "p99 of a claim, all stalled / no subscriber", value: median(slowed), unit: "x", rounds: slowed },
    memoryFigure(results.map(({ grownMb }) => grownMb)),
  ];
}

function memoryFigure(rounds: readonly number[]): Figure {
  return {
    what: `resident memory gained beside ${subscribers} stalled subscribers`,
    value: median(rounds),
    unit: "MB",
    rounds,
  };
}

function lastSequence(home: string): number {
  const store = new Database(join(home, "sylk.db"), { readonly: true });
  const last = store.prepare("SELECT max(sequence) FROM events").pluck().get() as number;
  store.close();
  return last;
}
