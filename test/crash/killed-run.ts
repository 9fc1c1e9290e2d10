/**
 * One run that is killed once, and what became of it: the engine of the suite and of `campaign-run.ts`.
 *
 *   start -> the run's event number `at` is seen -> kill -9 of daemon or worker -> (daemon: start again) -> the run rests
 *
 * Problems are told in words; none means that the run ended as if nothing had happened.
 */
import type { LogEvent, Message, Run, RunId } from "../../src/contract/index.ts";
import { openEventStream } from "../flows/event-stream.ts";
import { startTimeOf } from "../../src/adapters/processes/index.ts";
import { killAndWait } from "../flows/processes.ts";
import { processesIn, workersUnder } from "../flows/run-processes.ts";
import { correction, finish, plan, read, work, write, type Turn } from "../flows/scenario-turns.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";
import { makeQuickShop, nodeMoves, patience, type Shop, workOf } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";

export type Victim = "daemon" | "worker";
export type KilledRun = {
  readonly run: Run;
  readonly events: readonly LogEvent[];
  /** The event that was seen when the blow fell. */
  readonly seen: string;
  readonly problems: readonly string[];
};

const expectedFiles = ["src/both.ts", "src/price.ts", "src/tax.ts"];

/** A run whose plan is approved in advance, or by a person who looks again and again what waits. */
export type Approved = "in advance" | "by a person";
export const waysToApprove: readonly Approved[] = ["in advance", "by a person"];

export async function killRun(
  daemon: ScratchDaemon,
  victim: Victim | undefined,
  at: number,
  approved: Approved = "in advance",
): Promise<KilledRun> {
  const shop = makeQuickShop(daemon);
  const { repository: project } = shop;
  const [{ lastSequence: after }, old] = [
    await daemon.clientOf({ project }).call("event.list", { limit: 1000 }),
    daemon.pid,
  ];
  const { id, tree } = await startRun(daemon, shop, approved === "in advance");
  const person = approved === "by a person" ? approveWhenAsked(daemon, shop, id) : undefined;
  const stream = await openEventStream(
    { socketPath: daemon.paths.socket },
    { token: daemon.userToken, project, after },
  );
  const killed: Killed[] = [];
  let seen = "nothing";
  if (victim !== undefined) {
    const event = await until(
      `event ${at} of the run is seen`,
      () =>
        aboutRun(
          stream.frames.map(({ data }) => data),
          id,
        )[at - 1],
      patience,
    );
    seen = describe(event);
    const workers = await until(
      "it has a worker",
      () => (at > 3 || workersUnder(daemon.root).length > 0) && workersUnder(daemon.root),
    );
    for (const pid of [...workers, ...(victim === "daemon" ? [old] : [])])
      killed.push({ pid, startedAt: await startTimeOf(pid) });
    if (victim === "daemon") await daemon.kill();
    else await Promise.all(workers.map(killAndWait));
    if (victim === "daemon") await daemon.restart();
  }
  stream.close();
  await person;
  const run = await rested(daemon, shop, id);
  const events = aboutRun(await eventsOf(daemon, project), id);
  const problems = [...(await leftovers(daemon, tree, killed)), ...problemsOf(run, events, shop)];
  return { run, events, seen, problems };
}

/** Two engineers at once, a third after them whom the linter rejects, and a correction. Each answer takes its time. */
function turns(): readonly Turn[] {
  const constant = (name: string, type = ""): string => `export const ${name}${type} = 1;\n`;
  const all: readonly Turn[] = [
    ...correction("no-any", read("src/both.ts"), write("src/both.ts", constant("both")), finish("typed")),
    plan([{ key: "price" }, { key: "tax" }, { key: "both", dependsOn: ["price", "tax"] }]),
    ...work("price", read("src/cart.ts"), write("src/price.ts", constant("price")), finish()),
    ...work("tax", read("src/format.ts"), write("src/tax.ts", constant("tax")), finish()),
    ...work("both", write("src/both.ts", constant("both", ": any")), finish()),
  ];
  return all.map((turn) => ({ ...turn, fault: { delayMs: 20, times: 1000 } }));
}

/** A daemon that is being killed does not answer; the person asks again. */
async function approveWhenAsked(daemon: ScratchDaemon, { repository: project }: Shop, id: RunId): Promise<void> {
  await until(
    "the plan is approved",
    async () => {
      const client = daemon.clientOf({ project });
      const asked = await client.call("approval.list", { run: id }).catch(() => undefined);
      const plan = asked?.items.find(({ kind }) => kind === "plan");
      if (plan?.status === "approved") return true;
      if (plan?.status === "waiting")
        await client.call("approval.decide", { id: plan.id, decision: "approve" }).catch(() => undefined);
      return undefined;
    },
    patience,
  );
}

async function startRun(
  daemon: ScratchDaemon,
  shop: Shop,
  approve: boolean,
): Promise<{ readonly id: RunId; readonly tree: string }> {
  const { run } = await daemon.clientOf({ project: shop.repository }).call("run.start", {
    request: "Prices and taxes",
    project: { path: shop.repository },
    rehearse: shop.scenario(turns()),
    approve,
    testCommand: ["node", "test/format.test.ts"],
    lintCommand: ["node", "scripts/lint.mjs"],
  });
  return { id: run.id, tree: run.workspace!.tree };
}

export function rested(daemon: ScratchDaemon, { repository: project }: Shop, id: RunId): Promise<Run> {
  const client = daemon.clientOf({ project });
  return until(
    "the run rests",
    async () => {
      const { run } = await client.call("run.get", { id });
      return run.status === "planning" || run.status === "running" ? undefined : run;
    },
    patience,
  );
}

export async function eventsOf(daemon: ScratchDaemon, project: string): Promise<readonly LogEvent[]> {
  return (await daemon.clientOf({ project }).call("event.list", { limit: 1000 })).items;
}

export function aboutRun(events: readonly LogEvent[], id: RunId): readonly LogEvent[] {
  return events.filter(({ subject, data }) => subject === id || data.run === id);
}

/** A worker that has done its work leaves by itself, and commands of the run end with it. */
/** With its start time: on a busy machine another process soon has its pid. */
type Killed = { readonly pid: number; readonly startedAt: string | undefined };

async function leftovers(daemon: ScratchDaemon, tree: string, killed: readonly Killed[]): Promise<readonly string[]> {
  const alive: string[] = [];
  for (const { pid, startedAt } of killed)
    if (startedAt !== undefined && (await startTimeOf(pid)) === startedAt)
      alive.push(`process ${pid} of the old life survives`);
  try {
    await until("no worker is left", () => workersUnder(daemon.root).length === 0);
  } catch {
    alive.push(`workers ${workersUnder(daemon.root).join(", ")} are left`);
  }
  return [...alive, ...processesIn(tree).map((pid) => `process ${pid} still runs in the worktree`)];
}

function problemsOf(run: Run, events: readonly LogEvent[], shop: Shop): readonly string[] {
  if (run.status !== "verified") return [`the run is ${run.status}: ${run.reason}`];
  const files = shop.git("diff", "--name-only", run.workspace!.baseCommit, run.commit!).split("\n");
  return [
    ...(files.join() === expectedFiles.join() ? [] : [`it changed ${files.join(", ")}`]),
    ...(workOf(run).length === 4 ? [] : [`it has ${workOf(run).length} nodes`]),
    ...run.nodes.flatMap(({ id, title }) => nodeProblems(id, title, events)),
    ...(shop.git("status", "--porcelain") === "" ? [] : ["the user's tree is dirty"]),
  ];
}

/** Finished once, and never given to an engineer again. */
function nodeProblems(id: string, title: string, events: readonly LogEvent[]): readonly string[] {
  const finished = nodeMoves(events).filter(({ node, to }) => node === id && to === "succeeded");
  if (finished.length !== 1) return [`${title} succeeded ${finished.length} times`];
  const after = events.filter(({ sequence }) => sequence > finished[0]!.sequence);
  const repeated = [
    ...nodeMoves(after).filter(({ node }) => node === id),
    ...after.filter((event) => isDispatch(event, id)),
  ];
  return repeated.length === 0 ? [] : [`${title} was taken up again after it had succeeded`];
}

function isDispatch({ type, data }: LogEvent, node: string): boolean {
  const message = data.message as Message | undefined;
  return (
    type === "run.message" && message?.type === "TASK_DISPATCH" && (message.payload.node as { id: string }).id === node
  );
}

function describe({ type, data }: LogEvent): string {
  const message = data.message as Message | undefined;
  if (message !== undefined) return `${message.from} ${message.type}`;
  return [type, data.to, data.title].filter((word) => typeof word === "string").join(" ");
}
