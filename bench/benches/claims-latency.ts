/** How long a claim takes at a steady rate, counted from the moment it was due. */
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import type { OpenLoopResult } from "../load/open-loop.ts";
import { upDaemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { median } from "../statistics.ts";
import { requireClaims } from "../store/count-claims.ts";

const rounds = 3;
const agents = 1_000;
const mostP99Ms = 10;
const load = { connections: 64, perSecond: 1_000, warmUpSeconds: 2, skip: 0 };
const claimSeconds = 10;
const healthzSeconds = 5;
const claims = load.perSecond * (load.warmUpSeconds + claimSeconds);

export const claimsLatency: Bench = {
  name: "claims-latency",
  method: `Open loop on the unix socket: ${load.perSecond} requests a second for ${claimSeconds} s (after ${load.warmUpSeconds} s to warm up) over at most ${load.connections} connections, latency from the scheduled time (no coordinated omission, the generator's own lateness included); ${rounds} rounds, each with a fresh daemon, claims and /healthz in turn.`,
  async run() {
    using scratch = scratchFolder();
    const prepared = join(scratch.path, "prepared");
    const fleet = join(scratch.path, "fleet.json");
    await runChild("prepare-store", { home: prepared, fleet, agents, items: claims });

    const claimed: OpenLoopResult[] = [];
    const healthz: OpenLoopResult[] = [];
    for (let round = 0; round < rounds; round++) {
      const home = homeWithStore(join(scratch.path, "home"), prepared);
      {
        await using daemon = await upDaemon(home);
        const plan = { ...load, address: daemon.unix, fleet };
        claimed.push(await runChild("open-loop", { ...plan, what: "claims", seconds: claimSeconds }));
        healthz.push(await runChild("open-loop", { ...plan, what: "healthz", seconds: healthzSeconds }));
      }
      requireClaims(home, claims);
    }
    return [
      figure("p50 of a claim", "p50", claimed, healthz),
      {
        ...figure("p99 of a claim", "p99", claimed, healthz),
        target: { text: `< ${mostP99Ms} ms`, met: median(claimed.map(({ p99 }) => p99)) < mostP99Ms },
      },
      figure("slowest claim of a round", "max", claimed, healthz),
      figure("p99 of the generator's own lateness", "lateP99", claimed, healthz),
    ];
  },
};

function figure(
  what: string,
  field: keyof OpenLoopResult,
  claimed: readonly OpenLoopResult[],
  healthz: readonly OpenLoopResult[],
): Figure {
  const rounds = claimed.map((result) => result[field]);
  const floor = { what: "/healthz", value: median(healthz.map((result) => result[field])), unit: "ms" } as const;
  return { what, value: median(rounds), unit: "ms", rounds, floor };
}
