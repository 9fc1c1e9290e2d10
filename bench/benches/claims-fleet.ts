/** How long a claim takes while two hundred agents make one operation a second each. */
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import type { OpenLoopResult } from "../load/open-loop.ts";
import { upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";
import { requireClaims } from "../store/count-claims.ts";

const agents = 200;
const rounds = 3;
const warmUpSeconds = 10;
const seconds = 15;
const mostP99Ms = 10;
const load = { connections: agents, perSecond: agents, skip: 0 };
const claims = agents * (warmUpSeconds + seconds);

export const claimsFleet: Bench = {
  name: "claims-fleet",
  method: `${agents} agents on a connection each, one claim a second each, ${seconds} s (after ${warmUpSeconds} s to warm up), over the unix socket, latency from the scheduled time; ${rounds} rounds, each with a fresh daemon, claims and /healthz in turn.`,
  async run() {
    using scratch = scratchFolder();
    const fleet = join(scratch.path, "fleet.json");
    const prepared = join(scratch.path, "prepared");
    await runChild("prepare-store", { home: prepared, fleet, agents, items: claims });
    const claimed: OpenLoopResult[] = [];
    const healthz: OpenLoopResult[] = [];
    for (let round = 0; round < rounds; round++) {
      const home = homeWithStore(join(scratch.path, "home"), prepared);
      {
        await using daemon = await upDaemon(home);
        const plan = { ...load, address: daemon.unix, fleet };
        claimed.push(await runChild("open-loop", { ...plan, what: "claims", warmUpSeconds, seconds }));
        healthz.push(await runChild("open-loop", { ...plan, what: "healthz", warmUpSeconds: 0, seconds: 5 }));
      }
      requireClaims(home, claims);
    }
    const figure = (what: string, field: keyof OpenLoopResult): Figure => {
      const values = claimed.map((result) => result[field]);
      const floor = { what: "/healthz", value: median(healthz.map((result) => result[field])), unit: "ms" } as const;
      return { what, value: median(values), unit: "ms", rounds: values, floor };
    };
    const p99 = figure("p99 of a claim", "p99");
    return [
      figure("p50 of a claim", "p50"),
      { ...p99, target: { text: `< ${mostP99Ms} ms`, met: p99.value < mostP99Ms } },
      figure("slowest claim of a round", "max"),
    ];
  },
};
