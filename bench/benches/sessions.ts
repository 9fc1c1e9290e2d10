/** What a switch costs that puts one session down and takes another up, and what an idle session holds. */
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Engine, openEngine } from "../../src/app/library/engine.ts";
import type { Bench } from "../bench.ts";
import { switchSessions } from "../load/session-switches.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, percentile } from "../statistics.ts";

const rounds = 3;
const among = 20;
const switches = 300;
const idleSessions = 1_000;

export const sessions: Bench = {
  name: "sessions",
  method: `One client switches ${switches} times among ${among} sessions with 2 KB of notes each, in an engine on this disk, ${rounds} rounds; each switch saves the session it leaves. The floor is one durable transaction of one row, as often. Then ${idleSessions.toLocaleString("en")} unused sessions, memory after a collection.`,
  async run() {
    const p99s: number[] = [];
    const p50s: number[] = [];
    const floors: number[] = [];
    const slowFloors: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await using engine = await scratchEngine();
      const { latenciesMs } = await switchSessions(engine.engine, { among, switches });
      p99s.push(percentile(latenciesMs, 99));
      p50s.push(median(latenciesMs));
      const bare = await bareTransactions(engine.engine);
      floors.push(median(bare));
      slowFloors.push(percentile(bare, 99));
    }
    const kilobytes = await idleKilobytes();
    const floor = { what: "one durable row", value: median(floors), unit: "ms" } as const;
    const p99 = median(p99s);
    return [
      { what: "switch, half within", value: median(p50s), unit: "ms", rounds: p50s, floor },
      {
        what: "switch, 99 % within",
        value: p99,
        unit: "ms",
        rounds: p99s,
        floor: { ...floor, value: median(slowFloors) },
        target: { text: "< 10 ms (asked 100)", met: p99 < 10 },
      },
      {
        what: "memory of an idle session",
        value: kilobytes,
        unit: "KB",
        rounds: [],
        target: { text: "< 100 KB", met: kilobytes < 100 },
      },
    ];
  },
};

async function scratchEngine() {
  const scratch = scratchFolder();
  const settings = { "sessions.max": 10_000 };
  const engine = await openEngine({
    directory: join(scratch.path, "engine"),
    agents: ["architect", "engineer"],
    settings,
  });
  return {
    engine,
    async [Symbol.asyncDispose]() {
      await engine.close();
      scratch[Symbol.dispose]();
    },
  };
}

async function bareTransactions({ sessions: all, project }: Engine): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let turn = 0; turn < switches; turn++) {
    const begin = performance.now();
    const { id } = await all.create({ project, name: "floor" });
    latencies.push(performance.now() - begin);
    if (turn === switches - 1) await all.get(id);
  }
  return latencies;
}

async function idleKilobytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await using at = await scratchEngine();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < idleSessions; index++)
    await at.engine.sessions.create({ project: at.engine.project, name: `idle ${index}` });
  collect();
  return (process.memoryUsage().heapUsed - before) / idleSessions / 1024;
}
