/**
 * The tree watch: notices writes that bypassed the hooks, in files that an agent holds; local history keeps all it sees.
 *
 *   a hold or an agent came or went -> held files, and whole trees with live agents -> watcher
 *   a file changed -> kept
 *                  -> who holds it? -> attribute (pure) -> the holder's own: nothing
 *                                                       -> another's, either's, or unknown: a finding, each time the content
 *                                                          changed, which says what it rests on
 */
import type { AgentId, AgentRef, LogEvent, ProjectId } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { headOf, lateMs } from "../guard/index.ts";
import { canBeHeld, glob, literal, matches } from "../globs/index.ts";
import { spelling } from "../tree-paths/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { attribute } from "../attribution/index.ts";
import type { AgentRecord } from "../registry/index.ts";
import type { KeptChange, TreeWatchPorts, WatchedTree } from "./ports.ts";
import { type ForeignWrite, reportWrite } from "./report-write.ts";
import { watchedTrees } from "./watched-trees.ts";

const lookAfterMs = 200;
/** Editors write a file in several steps, which are one change. */
const gatherMs = 50;
/** A script that writes a file over and over is told of once in this time, and once more at its end. */
const againAfterMs = 1_000;
/** Without local history two changes cannot be told apart. */
const unkeptAgainAfterMs = 60_000;
/** Both look at all that is held: with many thousand holds that takes long, and the daemon has others to answer. */
const restShare = 10;
const longestRestMs = 10_000;
/** After a look or a judgement that failed; a change is judged again for a minute. */
const retryMs = 1_000;
const judgedAgainMs = 60_000;
const mostTrees = 32;
const mostChanges = 5_000;

/** `at` on the monotonic clock. */
type Seen = { readonly tree: string; readonly path: string; readonly at: number };

export function watchTrees(ports: TreeWatchPorts): { stop(): void } {
  const { bus, clock, store } = ports;
  let timer: Timer | undefined;
  let gathering: Timer | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;
  const rests = { look: 0, judge: 0 };
  let seen = new Map<string, Seen>();
  const reported = new Map<string, { readonly at: number; readonly version: string | undefined }>();
  const repeats = new Set<Timer>();

  const watcher = ports.openWatcher({ onChange, onFolders: scheduleLook });
  const agentsMatter = ports.kept === undefined ? [] : ["event.agent.*"];
  const unsubscribe = [
    ...["event.reservation.*", ...agentsMatter].map((subject) => bus.subscribe(subject, scheduleLook)),
    ...["event.agent.ended", "event.agent.offline"].map((subject) => bus.subscribe(subject, endCalls)),
  ];

  /** A client that is gone ends its calls without a word. */
  function endCalls({ data }: LogEvent): void {
    ports.calls.endedAll((data as { agent: AgentRef }).agent.id, true);
  }

  function scheduleLook(): void {
    if (stopped) return;
    timer ??= clock.after(Math.max(lookAfterMs, rests.look), () => {
      timer = undefined;
      looking = looking
        .then(() => resting("look", look))
        .catch((error: unknown) => {
          rests.look = retryMs;
          scheduleLook();
          unlessStopped(error);
        });
    });
  }

  async function look(): Promise<void> {
    const guarded = ports.kept === undefined ? [] : await guardedTrees(ports);
    const trees = watchedTrees(
      await liveHolds(),
      guarded.map(({ tree }) => tree),
    );
    const wanted: WatchedTree[] = [];
    for (const one of trees) if (await ports.isOn(one.tree)) wanted.push(one);
    if (stopped) return;
    const chosen = wanted.slice(0, mostTrees);
    const troubles = await watcher.watch(chosen);
    if (stopped) return;
    const watched = new Set(chosen.map(({ tree }) => tree));
    await ports.kept?.opened(guarded.filter(({ tree }) => watched.has(tree)));
    const more = wanted.length - mostTrees;
    if (!stopped)
      ports.onWatched(more > 0 ? [...troubles, `${more} more working trees than can be watched`] : troubles);
  }

  async function liveHolds(): Promise<readonly ReservationRecord[]> {
    return (await store.reader.reservations.live(undefined)).filter((record) => ports.leases.isLive(record));
  }

  function onChange(tree: string, path: string): void {
    if (stopped || !canBeHeld(path)) return;
    ports.kept?.changed(tree, path);
    judgeSoon({ tree, path, at: clock.monotonic() });
  }

  function judgeSoon(change: Seen): void {
    const { tree, path } = change;
    if (seen.size < mostChanges) seen.set(`${tree}\0${path}`, change);
    gathering ??= clock.after(Math.max(gatherMs, rests.judge), () => {
      gathering = undefined;
      const changes = [...seen.values()];
      seen = new Map();
      void resting("judge", () => judge(changes)).catch((error: unknown) => {
        // A change that could not be judged is judged again: dropped, its holder would never hear of it.
        rests.judge = retryMs;
        if (!stopped) for (const change of changes) if (isRecent(change)) judgeSoon(change);
        unlessStopped(error);
      });
    });
  }

  const isRecent = ({ at }: Seen): boolean => clock.monotonic() - at < judgedAgainMs;

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
      if (around.length === 0) continue;
      const newest = await ports.kept?.newest(change.tree, change.path);
      const write = await foreignWrite(
        change,
        around.map(({ record }) => record),
        newest,
        ports,
      );
      if (write !== undefined && !stopped) await reportOnce(write, change, newest);
    }
  }

  async function reportOnce(write: ForeignWrite, change: Seen, newest: KeptChange | undefined): Promise<void> {
    const now = clock.monotonic();
    const gapMs = ports.kept === undefined ? unkeptAgainAfterMs : againAfterMs;
    for (const [key, { at }] of reported) if (now - at >= unkeptAgainAfterMs) reported.delete(key);
    const key = `${change.tree}\0${change.path}`;
    // Touched, and not changed: nothing is lost.
    if (newest !== undefined && newest.seenAt < clock.now() - (now - change.at) - lateMs) return;
    const last = reported.get(key);
    const waitMs = last === undefined ? 0 : last.at + gapMs - now;
    if (last !== undefined && last.version === newest?.version && (newest !== undefined || waitMs > 0)) return;
    if (waitMs > 0) return judgeAgain(change, waitMs);
    reported.set(key, { at: now, version: newest?.version });
    await reportWrite({ ...write, ...(newest?.replaced === undefined ? {} : { replaced: newest.replaced }) }, ports);
  }

  function judgeAgain(change: Seen, ms: number): void {
    const timer = clock.after(ms, () => {
      repeats.delete(timer);
      judgeSoon(change);
    });
    repeats.add(timer);
  }

  function unlessStopped(error: unknown): void {
    if (!stopped) ports.onFailed(error);
  }

  scheduleLook();
  return {
    stop() {
      stopped = true;
      for (const leave of unsubscribe) leave();
      for (const repeat of repeats) repeat.cancel();
      timer?.cancel();
      gathering?.cancel();
      watcher.stop();
    },
  };
}

function matcherOf({ paths, patterns, tree }: ReservationRecord): (path: string) => boolean {
  const spelled = (text: string): string => spelling(text, tree);
  const held = [...paths.map((path) => literal(spelled(path))), ...patterns.map((text) => glob(spelled(text)))];
  return (path) => held.some((one) => matches(one, spelled(path)));
}

async function foreignWrite(
  { tree, path, at }: Seen,
  records: readonly ReservationRecord[],
  newest: KeptChange | undefined,
  ports: TreeWatchPorts,
): Promise<ForeignWrite | undefined> {
  const { agents } = ports.store.reader;
  const holders = distinct(records.map(({ holder }) => holder));
  const known = await Promise.all(holders.map(({ id }) => agents.find(id)));
  const project = known[0]?.project;
  if (project === undefined || ports.calls.wasMerging(tree, at) || newest?.knownBy === "sylk") return undefined;
  const families = await Promise.all(holders.map(({ id }) => headOf(id, agents)));
  const written = { project, tree, path, holders };
  const isOwn = async (agent: AgentId): Promise<boolean> => families.includes(await headOf(agent, agents));
  // What was read at the end of its author's call is its author's, whatever else is under way.
  if (newest?.author !== undefined && newest.knownBy === "named")
    return (await isOwn(newest.author.id))
      ? undefined
      : { ...written, by: { basis: "named", agents: [newest.author] } };
  const namedLateMs = ports.kept === undefined ? lateMs : 0;
  const { basis, calls } = attribute(path, at, ports.calls.inTree(tree), namedLateMs);
  if (basis === "unknown") {
    const isTold = holders.some(({ id }) => ports.calls.isTold(id));
    const isUnheard = await someUnheard(project.id, tree, ports);
    return isTold || isUnheard ? { ...written, by: { basis: isUnheard ? "restarted" : basis, agents: [] } } : undefined;
  }
  const candidates = distinct(calls.map(({ agent }) => agent));
  const own = await Promise.all(candidates.map(({ id }) => isOwn(id)));
  if (own.every(Boolean) || (basis === "named" && own.includes(true))) return undefined;
  return { ...written, by: { basis, agents: candidates } };
}

/** Calls that began before this daemon are not known to it. */
async function someUnheard(
  project: ProjectId,
  tree: string,
  { store, calls, liveness }: TreeWatchPorts,
): Promise<boolean> {
  const present = await store.reader.agents.list({ project, includeGone: false });
  return present.some((agent) => agent.tree === tree && isGuarded(agent, liveness) && calls.isUnheard(agent));
}

function distinct(agents: readonly AgentRef[]): readonly AgentRef[] {
  return [...new Map<AgentId, AgentRef>(agents.map((agent) => [agent.id, agent])).values()];
}

/** Where agents with tools of their own are at work. People and Sylk's own agents are no reason to watch a whole tree. */
async function guardedTrees({ store, liveness }: TreeWatchPorts) {
  const live = (await store.reader.agents.list({ project: undefined, includeGone: false })).filter((agent) =>
    isGuarded(agent, liveness),
  );
  return [...new Map(live.map(({ tree, project }) => [tree, { tree, project: project.id }])).values()];
}

function isGuarded(agent: AgentRecord, liveness: TreeWatchPorts["liveness"]): boolean {
  return !["human", "sylk"].includes(agent.client) && ["active", "idle"].includes(liveness.statusOf(agent));
}
