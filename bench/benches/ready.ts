/** What it costs to ask for work: a large store, free, beside many claims, and with nearly everything blocked. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Bench, Figure } from "../bench.ts";
import { type Daemon, upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { percentile } from "../statistics.ts";
import { type Fleet, readFleet } from "../store/fleet.ts";

const items = 100_000;
const claimed = 1_000;
const rounds = 3;
const warmUp = 100;
const measured = 300;
const mostP99Ms = 10;
const mostRatio = 1.5;
const asking = Array.from({ length: warmUp + measured }, () => ({ name: "work_item_ready", arguments: { limit: 20 } }));

export const ready: Bench = {
  name: "ready",
  method: `work_item_ready with 20 items of ${items.toLocaleString("en")} by one sequential client in another process, over HTTP on loopback TCP, ${rounds} rounds of ${measured} calls (after ${warmUp} to warm up each); percentiles over all rounds. Then beside ${claimed.toLocaleString("en")} agents that own an item each, then with a chain in which each of 97,000 items waits for the next.`,
  async run() {
    using scratch = scratchFolder();
    const fleetFile = join(scratch.path, "fleet.json");
    const prepared = join(scratch.path, "prepared");
    await runChild("prepare-store", { home: prepared, fleet: fleetFile, agents: claimed, items });
    const fleet = readFleet(fleetFile);
    const figures: Figure[] = [];
    {
      await using daemon = await upDaemon(homeWithStore(join(scratch.path, "home"), prepared));
      const alone = await measure("nothing claimed", daemon, fleet);
      const loop = { loops: 16, warmUp: 1, measured: claimed - 1, keyed: false };
      await runChild("closed-loop", { ...loop, fleet: fleetFile, address: daemon.unix });
      const beside = await measure(`beside ${claimed} claimed items`, daemon, fleet);
      figures.push(...alone, ...beside, ratioOf(beside[0]!, alone[0]!));
    }
    chain(join(prepared, "sylk.db"), fleet);
    await using daemon = await upDaemon(homeWithStore(join(scratch.path, "chained"), prepared));
    figures.push(...(await measure("97,000 of them blocked", daemon, fleet)));
    return figures;
  },
};

async function measure(what: string, { tcp }: Daemon, { agents }: Fleet): Promise<readonly Figure[]> {
  const client = { ...(tcp as { readonly port: number }), token: agents[0]!.token, warmUp };
  const [floor, calls]: [(readonly number[])[], (readonly number[])[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    floor.push(await runChild("mcp-calls", { ...client, by: "healthz", calls: asking }));
    calls.push(await runChild("mcp-calls", { ...client, by: "raw", calls: asking }));
  }
  return [50, 99].map((percent): Figure => {
    const value = percentile(calls.flat(), percent);
    return {
      what: `p${percent} of ready, ${what}`,
      value,
      unit: "ms",
      rounds: calls.map((round) => percentile(round, percent)),
      floor: { what: "/healthz, same client", value: percentile(floor.flat(), percent), unit: "ms" },
      ...(percent === 99 ? { target: { text: `< ${mostP99Ms} ms`, met: value < mostP99Ms } } : {}),
    };
  });
}

function ratioOf(beside: Figure, alone: Figure): Figure {
  const value = beside.value / alone.value;
  return {
    what: `p50 of ready, beside ${claimed} claimed items / nothing claimed`,
    value,
    unit: "x",
    rounds: [],
    target: { text: `<= ${mostRatio} x`, met: value <= mostRatio },
  };
}

function chain(file: string, fleet: Fleet): void {
  const store = new Database(file);
  const insert = store.prepare("INSERT INTO work_item_dependencies (item, depends_on) VALUES (?, ?)");
  store.transaction(() => {
    for (let index = 2_000; index < 99_000; index++) insert.run(fleet.items[index], fleet.items[index + 1]);
  })();
  store.pragma("wal_checkpoint(TRUNCATE)");
  store.close();
}
