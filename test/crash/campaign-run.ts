/**
 * Kills runs at every one of their events, the daemon's turn and the worker's, approved in advance and by a person, and
 * prints a table:
 *
 *   npm run campaign:run -- [daemon|worker] [first] [last] [--record]
 *
 * Exit code 1 when any run did not end as if nothing had happened. `--record` keeps the result for docs/benchmarks.md.
 */
import { commit, recordCampaign } from "../../scripts/campaign/campaign-report.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { openScratchDaemon } from "../flows/scratch-daemon.ts";
import { shopEnv } from "../flows/scratch-shop.ts";
import { type Approved, killRun, type Victim, waysToApprove } from "./killed-run.ts";

const words = process.argv.slice(2).filter((word) => word !== "--record");
const [only, first = "1", last = "1000"] = words;
const victims = (["daemon", "worker"] as const).filter((victim) => only === undefined || only === victim);
const clock = systemClock();
const startedAt = new Date();
let [failed, killed] = [0, 0];
const eventCounts: string[] = [];
for (const victim of victims) for (const approved of waysToApprove) await campaign(victim, approved);
console.log(failed === 0 ? "every run ended as if nothing had happened" : `${failed} runs did not end well`);
if (process.argv.includes("--record")) record();
process.exitCode = failed === 0 ? 0 : 1;

function record(): void {
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1000);
  const text = `a run killed once at every one of its events (${eventCounts.join("; ")}): ${killed} runs, **${failed} did not end as if nothing had happened**; ${seconds} s`;
  const command = ["npm run campaign:run", ...(words.length === 0 ? [] : ["--", ...words])].join(" ");
  recordCampaign("run", { command, date: startedAt.toISOString(), commit: commit(), seed: null, text });
}

async function campaign(victim: Victim, approved: Approved): Promise<void> {
  await using daemon = await openScratchDaemon({ env: shopEnv });
  const { events } = await killRun(daemon, undefined, 0, approved);
  eventCounts.push(`${victim}, approved ${approved}: ${events.length}`);
  console.log(`${victim}, approved ${approved}: ${events.length} events`);
  for (let at = Number(first); at < Math.min(events.length, Number(last) + 1); at++) {
    const began = clock.monotonic();
    const { seen, problems, run } = await killRun(daemon, victim, at, approved).catch((error: unknown) => ({
      seen: "?",
      problems: [String(error)],
      run: { status: "unknown" },
    }));
    killed++;
    if (problems.length > 0) failed++;
    const seconds = ((clock.monotonic() - began) / 1000).toFixed(1);
    console.log([victim, String(at).padStart(3), run.status.padEnd(10), `${seconds} s`, seen, ...problems].join("  "));
  }
}
