/** How soon a daemon answers again, with a large store and with an empty one. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "../bench.ts";
import { serveDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { scratchFolder } from "../processes/scratch-home.ts";
import { median, ratios } from "../statistics.ts";

const rounds = 7;
const items = 100_000;
const mostMs = 500;

export const restart: Bench = {
  name: "restart",
  method: `From the start of the process (bin/sylk.cjs serve) to the first 200 of /healthz, asked every 2 ms: a store with ${items.toLocaleString("en")} work items and their events, and an empty one; ${rounds} interleaved rounds.`,
  async run() {
    using scratch = scratchFolder();
    const large = join(scratch.path, "large");
    const empty = join(scratch.path, "empty");
    mkdirSync(empty, { mode: 0o700 });
    await runChild("prepare-store", { home: large, fleet: join(scratch.path, "fleet.json"), agents: 100, items });
    const times = { large: [] as number[], empty: [] as number[] };
    for (let round = -1; round < rounds; round++) {
      const [largeMs, emptyMs] = [await readyAfter(large), await readyAfter(empty)];
      if (round < 0) continue; // creates the empty store and fills the file cache
      times.large.push(largeMs);
      times.empty.push(emptyMs);
    }
    const value = median(times.large);
    const perRound = ratios(times.large, times.empty);
    return [
      {
        what: `restart with ${items.toLocaleString("en")} work items`,
        value,
        unit: "ms",
        rounds: times.large,
        floor: { what: "empty store", value: median(times.empty), unit: "ms" },
        target: { text: `< ${mostMs} ms`, met: value < mostMs },
      },
      { what: "restart, large store / empty store", value: median(perRound), unit: "x", rounds: perRound },
    ];
  },
};

async function readyAfter(home: string): Promise<number> {
  const { readyAfterMs, stop } = await serveDaemon(home);
  await stop();
  return readyAfterMs;
}
