/**
 * The engine of the kill suite and of `npm run campaign:kill`.
 *
 *   load -> kill -9 at a random instant -> start again -> look -> compare with what clients were told -> go on
 *
 * Clients wait at a gate from the kill until the look is over, so what is seen is what the killed daemon left.
 */
import type { AgentId, LogEvent, Reservation, WorkItem } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import type { SylkClient } from "../../src/surfaces/client/index.ts";
import { killAndWait } from "../flows/processes.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until } from "../flows/until.ts";
import { checkHistory, type Problem } from "./check-history.ts";
import type { Call, Snapshot } from "./kill-history.ts";
import { runLoadClient, type LoadTerms } from "./load-client.ts";
import { seededRandom, type Random } from "./random.ts";

export type KillTerms = {
  readonly kills: number;
  readonly seed: number;
  readonly clients?: number;
  readonly onKill?: (soFar: KillFigures) => void;
};
export type KillFigures = {
  readonly kills: number;
  /** Of these, in the middle of a start. */
  readonly killsWhileStarting: number;
  readonly calls: number;
  readonly acknowledged: number;
  readonly refused: number;
  /** Calls without an answer when their daemon was killed, all repeated with the same key. */
  readonly unacknowledged: number;
  /** Of these, how many had taken effect. */
  readonly silentlyDone: number;
  readonly events: number;
  readonly lost: number;
  readonly doubled: number;
  readonly half: number;
};
export type KillResult = { readonly figures: KillFigures; readonly problems: readonly Problem[] };

/** A home of its own for so many kills: looking at everything stays cheap. */
const killsPerHome = 25;
/** A home mostly waits for its next daemon. */
const homesAtOnce = 2;
const noLimits = {
  SYLK_RESERVATIONS_MAX_PER_AGENT: "1000",
  SYLK_WORK_MAX_CLAIMS_PER_AGENT: "1000",
  SYLK_RESERVATIONS_TTL_MS: "1800000",
};
const clock = systemClock();

export async function runKills({ kills, seed, clients = 12, onKill }: KillTerms): Promise<KillResult> {
  const rounds = Array.from({ length: Math.ceil(kills / killsPerHome) }, (_, home) => ({
    kills: Math.min(killsPerHome, kills - home * killsPerHome),
    // Its own, so that the seed means the same whatever the other home does meanwhile.
    random: seededRandom(seed + home),
    figures: noFigures,
    problems: [] as readonly Problem[],
  }));
  const total = (): KillFigures => rounds.map(({ figures }) => figures).reduce(sum);
  const left = [...rounds];
  const homes = Array.from({ length: homesAtOnce }, async () => {
    for (let round = left.shift(); round !== undefined; round = left.shift()) {
      const current = round;
      const ended = await runRound(current.kills, clients, current.random, (figures) => {
        current.figures = figures;
        onKill?.(total());
      });
      Object.assign(current, ended);
    }
  });
  await Promise.all(homes);
  return { figures: total(), problems: rounds.flatMap(({ problems }) => problems) };
}

async function runRound(
  kills: number,
  clients: number,
  random: Random,
  onKill: (soFar: KillFigures) => void,
): Promise<KillResult> {
  await using daemon = await openScratchDaemon({ env: noLimits });
  const load = await startLoad(daemon, clients, random);
  const seen: LogEvent[] = [];
  const problems: Problem[] = [];
  let figures = noFigures;
  for (let kill = 1; kill <= kills; kill++) {
    await load.answers(random.between(1, 80));
    await elapse(random.next() * 12); // the instant is random, not a moment of ours
    await load.park(() => daemon.kill());
    const unacknowledged = load.calls.filter(({ outcome }) => outcome.kind === "waiting").length;
    const whileStarting = random.next() < 0.2 && kill < kills;
    if (whileStarting) await killWhileStarting(daemon, random);
    await daemon.restart();

    const snapshot = await look(daemon, seen);
    const verdict = checkHistory(load.calls, snapshot);
    problems.push(...verdict.problems);
    kill += whileStarting ? 1 : 0;
    figures = {
      ...figures,
      ...count(load.calls),
      kills: kill,
      killsWhileStarting: figures.killsWhileStarting + (whileStarting ? 1 : 0),
      unacknowledged: figures.unacknowledged + unacknowledged,
      silentlyDone: figures.silentlyDone + verdict.silentlyDone,
      events: snapshot.events.length,
      ...countProblems(problems),
    };
    onKill(figures);
    if (problems.length > 0) break; // everything after the first problem is its consequence
    load.resume();
  }
  await load.stop();
  if (problems.length === 0) problems.push(...(await checkEnd(daemon, load, seen)));
  return { figures: { ...figures, ...count(load.calls), ...countProblems(problems) }, problems };
}

/** When every call has its answer, nothing may be left open, and the log must read the same from its beginning. */
async function checkEnd(daemon: ScratchDaemon, load: Load, seen: LogEvent[]): Promise<readonly Problem[]> {
  await look(daemon, seen);
  const again: LogEvent[] = [];
  const snapshot = await look(daemon, again);
  const rewritten = JSON.stringify(again) === JSON.stringify(seen) ? [] : [rewrittenLog];
  return [...checkHistory(load.calls, snapshot).problems, ...rewritten];
}

const rewrittenLog: Problem = {
  kind: "half",
  what: "the log reads differently from its beginning than piece by piece",
};

async function killWhileStarting(daemon: ScratchDaemon, random: Random): Promise<void> {
  const starting = daemon.start(["serve", "--http-port", "0", "--json"]);
  await elapse(random.next() * 250);
  await killAndWait(starting.pid);
  await starting.ended;
}

type Load = {
  readonly calls: readonly Call[];
  /** Resolves after so many more answers. */
  answers(count: number): Promise<void>;
  /** Closes the gate, ends the daemon, and waits until every client stands at the gate. */
  park(end: () => Promise<unknown>): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
};

async function startLoad(daemon: ScratchDaemon, clients: number, random: Random): Promise<Load> {
  const calls: Call[] = [];
  const items: LoadTerms["items"] = [];
  let answered = 0;
  let parked = 0;
  let stopped = false;
  let failure: unknown;
  let opened = Promise.withResolvers<void>();
  opened.resolve();
  let isOpen = true;
  const gate = {
    async passed(): Promise<void> {
      if (isOpen) return;
      parked++;
      await opened.promise;
      parked--;
    },
  };
  const start = async (index: number): Promise<void> => {
    const name = `c${index}`;
    const { agent, client } = await daemon.register(name);
    calls.push(registration(name, agent.id));
    const onAnswer = (): void => void answered++;
    const record = (call: Call): void => void calls.push(call);
    const { user, repository } = daemon;
    const own = { name, agent: agent.id, client, user, repository, random: seededRandom(random.between(0, 2 ** 31)) };
    running.push(
      runLoadClient({ ...own, gate, items, record, onAnswer, stopped: () => stopped }).catch((error: unknown) => {
        failure ??= error;
      }),
    );
  };
  const running: Promise<void>[] = [];
  for (let index = 1; index <= clients; index++) await start(index);
  const failed = (): void => {
    if (failure !== undefined) throw failure as Error;
  };
  return {
    calls,
    async answers(wanted) {
      const target = answered + wanted;
      await until(`${wanted} more calls are answered`, () => {
        failed();
        return answered >= target;
      });
    },
    async park(end) {
      isOpen = false;
      opened = Promise.withResolvers<void>();
      await end();
      await until("every client stands at the gate", () => {
        failed();
        return parked === clients;
      });
    },
    resume() {
      isOpen = true;
      opened.resolve();
    },
    async stop() {
      stopped = true;
      isOpen = true;
      opened.resolve();
      await Promise.all(running);
      failed();
    },
  };

  /** The clients' own agents have events too. */
  function registration(name: string, agent: AgentId): Call {
    const input = { sessionKey: `test-${name}`, client: "other", project: { path: daemon.repository }, name } as const;
    const answer = { agent: { id: agent } } as never;
    return { operation: "agent.register", key: name, agent, input, outcome: { kind: "done", answer } };
  }
}

/** Reads on from the last event seen; state is read whole. */
function look({ clientOf, repository }: ScratchDaemon, seen: LogEvent[]): Promise<Snapshot> {
  return lookThrough(clientOf({ project: repository }), seen);
}

export async function lookThrough(client: SylkClient, seen: LogEvent[]): Promise<Snapshot> {
  for (let more = true; more;) {
    const page = await client.call("event.list", { after: seen.at(-1)?.sequence ?? 0, limit: 1000 });
    seen.push(...page.items);
    more = page.nextCursor !== undefined;
  }
  const workItems: WorkItem[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await client.call("work-item.list", { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    workItems.push(...page.items);
    cursor = page.nextCursor;
  }
  const reservations: Reservation[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const page = await client.call("reservation.list", { limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    reservations.push(...page.items);
    cursor = page.nextCursor;
  }
  return { events: [...seen], workItems, reservations };
}

const noFigures: KillFigures = {
  kills: 0,
  killsWhileStarting: 0,
  calls: 0,
  acknowledged: 0,
  refused: 0,
  unacknowledged: 0,
  silentlyDone: 0,
  events: 0,
  lost: 0,
  doubled: 0,
  half: 0,
};

function count(calls: readonly Call[]): Pick<KillFigures, "calls" | "acknowledged" | "refused"> {
  const ended = (kind: Call["outcome"]["kind"]): number => calls.filter(({ outcome }) => outcome.kind === kind).length;
  return { calls: calls.length, acknowledged: ended("done") + ended("refused"), refused: ended("refused") };
}

function countProblems(problems: readonly Problem[]): Pick<KillFigures, Problem["kind"]> {
  const of = (kind: Problem["kind"]): number => problems.filter((problem) => problem.kind === kind).length;
  return { lost: of("lost"), doubled: of("doubled"), half: of("half") };
}

function sum(a: KillFigures, b: KillFigures): KillFigures {
  const names = Object.keys(a) as (keyof KillFigures)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as KillFigures;
}

function elapse(ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve, { keepAlive: true }));
}
