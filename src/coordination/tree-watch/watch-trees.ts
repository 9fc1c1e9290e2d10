/**
 * The tree watch: notices writes that bypassed the hooks, in files that an agent holds.
 *
 *   a hold came or went -> what is held now -> watcher
 *   a file changed      -> who holds it? -> attribute (pure) -> the holder's own: nothing
 *                                                            -> anybody else's: a finding, once a minute for each file
 */
import type { AgentId, AgentRef } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { headOf } from "../guard/index.ts";
import { canBeHeld, glob, literal, matches } from "../globs/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { attribute, type CallOfFamily, type Change, type Hold } from "./attribute.ts";
import type { TreeWatchPorts, WatchedTree } from "./ports.ts";
import { type ForeignWrite, reportWrite } from "./report-write.ts";
import { watchedTrees } from "./watched-trees.ts";

const lookAfterMs = 200;
/** Editors write a file in several steps, which are one change. */
const gatherMs = 50;
const againAfterMs = 60_000;
/** Both look at all that is held: with many thousand holds that takes long, and the daemon has others to answer. */
const restShare = 10;
const longestRestMs = 10_000;
const mostTrees = 32;
const mostChanges = 5_000;

type Seen = Change & { readonly tree: string };

export function watchTrees(ports: TreeWatchPorts): { stop(): void } {
  const { bus, clock, store } = ports;
  let timer: Timer | undefined;
  let gathering: Timer | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;
  const rests = { look: 0, judge: 0 };
  let seen = new Map<string, Seen>();
  const reported = new Map<string, number>();

  const watcher = ports.openWatcher({ onChange, onFolders: scheduleLook });
  const unsubscribe = bus.subscribe("event.reservation.*", scheduleLook);

  function scheduleLook(): void {
    if (stopped) return;
    timer ??= clock.after(Math.max(lookAfterMs, rests.look), () => {
      timer = undefined;
      looking = looking.then(() => resting("look", look)).catch(unlessStopped);
    });
  }

  async function look(): Promise<void> {
    const held = watchedTrees(await liveHolds());
    const wanted: WatchedTree[] = [];
    for (const one of held) if (await ports.isOn(one.tree)) wanted.push(one);
    if (stopped) return;
    const troubles = await watcher.watch(wanted.slice(0, mostTrees));
    const more = wanted.length - mostTrees;
    if (!stopped)
      ports.onWatched(more > 0 ? [...troubles, `${more} more working trees than can be watched`] : troubles);
  }

  async function liveHolds(): Promise<readonly ReservationRecord[]> {
    return (await store.reader.reservations.live(undefined)).filter((record) => ports.leases.isLive(record));
  }

  function onChange(tree: string, path: string): void {
    if (stopped || !canBeHeld(path)) return;
    if (seen.size < mostChanges) seen.set(`${tree}\0${path}`, { tree, path, at: clock.monotonic() });
    gathering ??= clock.after(Math.max(gatherMs, rests.judge), () => {
      gathering = undefined;
      const changes = [...seen.values()];
      seen = new Map();
      void resting("judge", () => judge(changes)).catch(unlessStopped);
    });
  }

  async function resting(what: keyof typeof rests, work: () => Promise<void>): Promise<void> {
    const startedAt = clock.monotonic();
    await work();
    rests[what] = Math.min(longestRestMs, restShare * (clock.monotonic() - startedAt));
  }

  async function judge(changes: readonly Seen[]): Promise<void> {
    const trees = new Set(changes.map(({ tree }) => tree));
    const holds = (await liveHolds())
      .filter(({ tree }) => trees.has(tree))
      .map((record) => ({ record, covers: matcherOf(record) }));
    for (const change of changes) {
      const around = holds.filter(({ record, covers }) => record.tree === change.tree && covers(change.path));
      const write = await foreignWrite(
        change,
        around.map(({ record }) => record),
        ports,
      );
      if (write !== undefined && !stopped && isDue(change)) await reportWrite(write, ports);
    }
  }

  function isDue({ tree, path }: Seen): boolean {
    const now = clock.monotonic();
    for (const [key, at] of reported) if (now - at >= againAfterMs) reported.delete(key);
    const key = `${tree}\0${path}`;
    if (reported.has(key)) return false;
    reported.set(key, now);
    return true;
  }

  function unlessStopped(error: unknown): void {
    if (!stopped) ports.onFailed(error);
  }

  scheduleLook();
  return {
    stop() {
      stopped = true;
      unsubscribe();
      timer?.cancel();
      gathering?.cancel();
      watcher.stop();
    },
  };
}

function matcherOf({ paths, patterns }: ReservationRecord): (path: string) => boolean {
  const held = [...paths.map((path) => literal(path)), ...patterns.map((text) => glob(text))];
  return (path) => held.some((one) => matches(one, path));
}

async function foreignWrite(
  { tree, path, at }: Seen,
  records: readonly ReservationRecord[],
  { store, calls }: TreeWatchPorts,
): Promise<ForeignWrite | undefined> {
  const { agents } = store.reader;
  const holds: Hold[] = [];
  for (const { holder } of records)
    holds.push({ holder, family: await headOf(holder.id, agents), isTold: calls.isTold(holder.id) });
  const [first, ...rest] = holds;
  const project = first && (await agents.find(first.holder.id))?.project;
  if (first === undefined || project === undefined || calls.wasMerging(tree, at)) return undefined;
  const around: CallOfFamily[] = [];
  for (const call of calls.inTree(tree)) around.push({ ...call, family: await headOf(call.agent.id, agents) });
  const by = attribute({ path, at }, around, [first, ...rest]);
  if (by.kind === "own") return undefined;
  return { project, tree, path, holders: distinct(holds.map(({ holder }) => holder)), by };
}

function distinct(agents: readonly AgentRef[]): readonly AgentRef[] {
  return [...new Map<AgentId, AgentRef>(agents.map((agent) => [agent.id, agent])).values()];
}
