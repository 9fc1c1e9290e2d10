/** One minute of what `npm run campaign:soak` does for ten: agents at the rhythm of real ones. */
import type { Bench } from "../bench.ts";
import { runSoak } from "../processes/run-soak.ts";

const agents = 300;
const seconds = 60;
const mostP99Ms = 50;
const mostRssMb = 250;

export const soak: Bench = {
  name: "soak",
  method: `${agents} agents for ${seconds} s on a connection each, over the unix socket, all in one other process; each per minute 6 edits (check, renew), 1 reserve and release, 0.2 claim and close, 1 inbox, 0.5 message, and 5 % lose their process and come back. Latency from the instant a call was due; memory of the daemon every second.`,
  async run() {
    const { p50, p99, max, calls, failed, errors, highestRssMb, rssMbPerMinute } = await runSoak({
      agents,
      seconds,
      seed: 1,
    });
    if (failed > 0) throw new Error(`${failed} of ${calls} calls were refused: ${JSON.stringify(errors)}`);
    return [
      { what: "p50 of a call", value: p50, unit: "ms", rounds: [p50] },
      {
        what: `p99 of a call (${calls.toLocaleString("en")} calls, 0 errors)`,
        value: p99,
        unit: "ms",
        rounds: [p99],
        target: { text: `< ${mostP99Ms} ms`, met: p99 < mostP99Ms },
      },
      { what: "slowest call", value: max, unit: "ms", rounds: [max] },
      {
        what: "highest resident memory",
        value: highestRssMb,
        unit: "MB",
        rounds: [highestRssMb],
        target: { text: `< ${mostRssMb} MB`, met: highestRssMb < mostRssMb },
      },
      { what: "memory gained per minute, second half", value: rssMbPerMinute, unit: "MB", rounds: [rssMbPerMinute] },
    ];
  },
};
