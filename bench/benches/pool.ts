/** Fair shares under load, how fast a free slot is taken, and that more sessions mean more work done (D40). */
import { systemClock } from "../../src/platform/clock/index.ts";
import type { Bench } from "../bench.ts";
import { type AgentFigures, simulateAgents } from "../load/simulated-agents.ts";
import { median, percentile } from "../statistics.ts";

const rounds = 3;
const workMs = 20;
const agents = 1_000;
const sessions = 100;
const workers = 200;
const perSession = 2;

export const pool: Bench = {
  name: "pool",
  method: `${agents.toLocaleString("en")} simulated agents in ${sessions} sessions (5 to 15 each), ${workers} slots, ${workMs} ms of simulated work a job, in this process, ${rounds} rounds; fairness is Jain's index of what the sessions had got, the worst of nine looks on the way. Scaling: ${perSession} agents a session and a slot for each, 10 sessions against 100.`,
  async run() {
    const saturated: AgentFigures[] = [];
    const [few, many]: [AgentFigures[], AgentFigures[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      saturated.push(await measure(sessions, agents, workers, 20_000));
      few.push(await measure(10, 10 * perSession, 10 * perSession, 2_000));
      many.push(await measure(100, 100 * perSession, 100 * perSession, 20_000));
    }
    const worst = saturated.map(({ fairness }) => Math.min(...fairness));
    const dispatch = saturated.map(({ dispatchMs }) => percentile(dispatchMs, 99));
    const rate = ({ done, seconds }: AgentFigures): number => done / seconds;
    const gains = many.map((figures, round) => rate(figures) / rate(few[round]!));
    const gain = median(gains);
    return [
      {
        what: "fairness, the worst look (Jain)",
        value: Math.min(...worst),
        unit: "x",
        rounds: worst,
        target: { text: "≥ 0.99", met: Math.min(...worst) >= 0.99 },
      },
      {
        what: "free slot to start, 99 % within",
        value: median(dispatch),
        unit: "ms",
        rounds: dispatch,
        target: { text: "< 20 ms", met: median(dispatch) < 20 },
      },
      { what: "jobs with 10 sessions", value: median(few.map(rate)), unit: "/s", rounds: few.map(rate) },
      { what: "jobs with 100 sessions", value: median(many.map(rate)), unit: "/s", rounds: many.map(rate) },
      {
        what: "100 sessions against 10",
        value: gain,
        unit: "x",
        rounds: gains,
        target: { text: "≥ 8 x (D40)", met: gain >= 8 },
      },
      {
        what: "waiting with 100 sessions, 95 % within",
        value: median(many.map(({ p95WaitMs }) => p95WaitMs)),
        unit: "ms",
        rounds: many.map(({ p95WaitMs }) => p95WaitMs),
      },
    ];
  },
};

function measure(ofSessions: number, ofAgents: number, slots: number, jobs: number): Promise<AgentFigures> {
  const fineNow = (): number => performance.now();
  const clock = systemClock();
  return simulateAgents({ clock, fineNow, sessions: ofSessions, agents: ofAgents, workers: slots, workMs, jobs });
}
