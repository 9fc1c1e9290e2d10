/**
 * The engine of the races suite and of `npm run campaign:races`.
 *
 *   8 processes x 8 agents on a connection each -> a real daemon -> every call with its instants -> a verdict per key
 *
 * In a wave all agents go for the same few items and paths; its verdicts are found while the next wave runs.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { type Random, seededRandom } from "../crash/random.ts";
import { judgeWave, type RaceFigures, type RaceResult } from "./judge-wave.ts";
import type { RacerIdentity } from "./racer.ts";
import type { RacerPlan, WaveOrder, WaveReport } from "./racer-process.ts";

export type RaceTerms = {
  readonly races: number;
  readonly seed: number;
  readonly processes?: number;
  readonly onWave?: (soFar: RaceFigures) => void;
};
const agentsPerProcess = 8;
const keysPerWave = { items: 4, paths: 4 };
/** A store of its own for so many: a million must not grow one without end. */
const racesPerHome = 100_000;
const noLimits = {
  SYLK_RESERVATIONS_MAX_PER_AGENT: "1000",
  SYLK_WORK_MAX_CLAIMS_PER_AGENT: "100000",
  SYLK_RESERVATIONS_TTL_MS: "1800000",
};
const noFigures: RaceFigures = {
  races: 0,
  calls: 0,
  keys: 0,
  fewestRacers: Infinity,
  mostAtOnce: 0,
  grants: 0,
  problems: 0,
};

export async function runRaces({ races, seed, processes = 8, onWave }: RaceTerms): Promise<RaceResult> {
  const random = seededRandom(seed);
  const problems: string[] = [];
  let figures = noFigures;
  while (figures.races < races && problems.length === 0) {
    const upTo = Math.min(races, figures.races + racesPerHome);
    await using field = await openField(processes);
    let last: Promise<WaveReport> | undefined;
    for (;;) {
      const report = await last;
      const goesOn = problems.length === 0 && figures.races + (report?.attempts ?? 0) < upTo;
      last = goesOn ? field.race(random) : undefined;
      if (report !== undefined) {
        const wave = judgeWave(report, field.tokens);
        problems.push(...wave.problems);
        figures = sum(figures, wave.figures);
        onWave?.(figures);
      }
      if (last === undefined) break;
    }
  }
  return { figures, problems };
}

type Field = AsyncDisposable & {
  /** Reservation tokens granted so far: none may be granted twice. */
  readonly tokens: Set<number>;
  race(random: Random): Promise<WaveReport>;
};

async function openField(processes: number): Promise<Field> {
  const daemon = await openScratchDaemon({ env: noLimits });
  const children: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(children.map(endOf));
    await daemon[Symbol.asyncDispose]();
  };
  try {
    const { client: creator } = await daemon.register("creator");
    for (let index = 0; index < processes; index++) children.push(await startRacers(daemon, index));
    let waves = 0;
    return {
      tokens: new Set(),
      async race(random) {
        const wave = ++waves;
        const titles = Array.from({ length: keysPerWave.items }, (_, index) => `race ${wave}.${index}`);
        const items: string[] = [];
        for (const title of titles) items.push((await creator.call("work-item.create", { title })).workItem.id);
        const paths = Array.from({ length: keysPerWave.paths }, (_, index) => `src/${wave}/${index}.ts`);
        const reports = await Promise.all(
          children.map((child) => reportOf(child, { items, paths, seed: random.between(0, 2 ** 31) })),
        );
        return {
          attempts: reports.reduce((total, { attempts }) => total + attempts, 0),
          claims: reports.flatMap(({ claims }) => claims),
          reserves: reports.flatMap(({ reserves }) => reserves),
        };
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startRacers(daemon: ScratchDaemon, index: number): Promise<ChildProcess> {
  const agents: RacerIdentity[] = [];
  for (let number = 0; number < agentsPerProcess; number++) {
    const { agent, token } = await daemon.register(`racer-${index}-${number}`);
    agents.push({ id: agent.id, token });
  }
  const plan: RacerPlan = { socket: daemon.paths.socket, agents };
  const child = fork(join(import.meta.dirname, "racer-process.ts"), [JSON.stringify(plan)], {
    serialization: "advanced",
    execArgv: [],
    env: daemon.env,
  });
  await answerOf(child);
  return child;
}

function reportOf(child: ChildProcess, order: WaveOrder): Promise<WaveReport> {
  const answer = answerOf(child) as Promise<WaveReport>;
  child.send(order);
  return answer;
}

/** Its next message; fails when it ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]) => message as unknown),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`a process of racers ended with ${String(code)}`);
      }),
    ]);
  } finally {
    listening.abort();
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  if (child.connected) child.disconnect();
  await gone;
}

function sum(a: RaceFigures, b: RaceFigures): RaceFigures {
  return {
    races: a.races + b.races,
    calls: a.calls + b.calls,
    keys: a.keys + b.keys,
    fewestRacers: Math.min(a.fewestRacers, b.fewestRacers),
    mostAtOnce: Math.max(a.mostAtOnce, b.mostAtOnce),
    grants: a.grants + b.grants,
    problems: a.problems + b.problems,
  };
}
