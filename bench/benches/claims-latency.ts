/**
 * How long a claim takes at a steady rate, counted from the moment it was due.
 *
 *   a fresh daemon -> 12 s of claims ("young") -> 10 s of claims (the figure) -> 5 s of /healthz
 *
 * The young daemon has a figure of its own: every function of the request path is called once per claim, so V8 compiles
 * all of them anew at the same moment, after some 10,500 claims, beside the load generator on the same two cores.
 */
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
const load = { connections: 64, perSecond: 1_000, skip: 0, warmUpSeconds: 0 };
const youngSeconds = 12;
const claimSeconds = 10;
const healthzSeconds = 5;
const youngClaims = load.perSecond * youngSeconds;
const claims = youngClaims + load.perSecond * claimSeconds;

export const claimsLatency: Bench = {
  name: "claims-latency",
  method: `Open loop on the unix socket: ${load.perSecond} requests a second for ${claimSeconds} s (after ${youngSeconds} s of the same on the young daemon, the first 2 s of them uncounted) over at most ${load.connections} connections, latency from the scheduled time (no coordinated omission, the generator's own lateness included); ${rounds} rounds, each with a fresh daemon, claims and /healthz in turn.`,
  async run() {
    using scratch = scratchFolder();
    const prepared = join(scratch.path, "prepared");
    const fleet = join(scratch.path, "fleet.json");
    await runChild("prepare-store", { home: prepared, fleet, agents, items: claims });

    const young: OpenLoopResult[] = [];
    const claimed: OpenLoopResult[] = [];
    const healthz: OpenLoopResult[] = [];
    for (let round = 0; round < rounds; round++) {
      const home = homeWithStore(join(scratch.path, "home"), prepared);
      {
        await using daemon = await upDaemon(home);
        const plan = { ...load, address: daemon.unix, fleet };
        young.push(
          await runChild("open-loop", { ...plan, what: "claims", warmUpSeconds: 2, seconds: youngSeconds - 2 }),
        );
        claimed.push(
          await runChild("open-loop", { ...plan, what: "claims", seconds: claimSeconds, skip: youngClaims }),
        );
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
      figure("p99 of a claim, young daemon", "p99", young, healthz),
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
