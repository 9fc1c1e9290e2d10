/**
 * The tree watch: notices writes that bypassed the hooks, in files that an agent holds; local history keeps all it sees.
 *
 *   a hold or an agent came or went -> held files, and whole trees with live agents -> watcher
 *   a file changed -> kept
 *                  -> who holds it? -> attribute (pure) -> the holder's own: nothing
 *                                                       -> another's, either's, or unknown: a finding, each time the content
 *                                                          changed, which says what it rests on
 *   a watch began -> catch-up.ts: held files that changed before it -> judged likewise
 */
import type { AgentRef, LogEvent, Reservation } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { lateMs } from "../guard/index.ts";
import { canBeHeld } from "../globs/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { createCatchUp } from "./catch-up.ts";
import { heldIn } from "./covers.ts";
import { foreignWrite, isGuarded, type SeenChange } from "./foreign-write.ts";
import { coarseMs } from "./missed-changes.ts";
import type { KeptChange, TreeWatchPorts, WatchedTree } from "./ports.ts";
import { type ForeignWrite, reportWrite } from "./report-write.ts";
import { watchedTrees } from "./watched-trees.ts";

const lookAfterMs = 200;
/** Editors write a file in several steps, which are one change. */
const gatherMs = 50;
/** A script that writes a file over and over is told of once in this time, and once more at its end. */
const againAfterMs = 1_000;
/** Where contents are not kept two changes cannot be told apart. */
const unkeptAgainAfterMs = 60_000;
/** Both look at all that is held: with many thousand holds that takes long, and the daemon has others to answer. */
const restShare = 10;
const longestRestMs = 10_000;
/** After a look or a judgement that failed; a change is judged again for a minute. */
const retryMs = 1_000;
const judgedAgainMs = 60_000;
const mostTrees = 32;
const mostChanges = 5_000;

export function watchTrees(ports: TreeWatchPorts): { stop(): void } {
  const { bus, clock, store } = ports;
  let timer: Timer | undefined;
  let gathering: Timer | undefined;
  let looking: Promise<void> = Promise.resolve();
  let stopped = false;
  const rests = { look: 0, judge: 0 };
  let seen = new Map<string, SeenChange>();
  const reported = new Map<string, { readonly at: number; readonly version: string | undefined }>();
  const repeats = new Set<Timer>();
  let watchedWhole: ReadonlySet<string> = new Set();

  const watcher = ports.openWatcher({ onChange, onFolders: scheduleLook });
  const catchUp = createCatchUp({ ...ports, watcher, report: reportMissed });
  const agentsMatter = ports.kept === undefined ? [] : ["event.agent.*"];
  const unsubscribe = [
    ...["event.reservation.*", ...agentsMatter].map((subject) => bus.subscribe(subject, scheduleLook)),
    ...["event.reservation.acquired", "event.reservation.widened"].map((subject) => bus.subscribe(subject, granted)),
    ...["event.agent.ended", "event.agent.offline"].map((subject) => bus.subscribe(subject, endCalls)),
  ];

  /** A client that is gone ends its calls without a word. */
  function endCalls({ data }: LogEvent): void {
    ports.calls.endedAll((data as { agent: AgentRef }).agent.id, true);
  }

  /** A look may be seconds away; the first moments of a hold are not. */
  function granted({ project, data }: LogEvent): void {
    const { reservation } = data as { reservation: Reservation };
    const { tree } = reservation;
    const files = catchUp.granted(reservation, project);
    if (files.length > 0 && !watchedWhole.has(tree)) clock.after(0, () => void beginNow(tree, files));
  }

  async function beginNow(tree: string, files: readonly string[]): Promise<void> {
    try {
      if (!stopped && (await ports.isOn(tree)) && !stopped) watcher.also(tree, files);
    } catch (error) {
      unlessStopped(error);
    }
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
    const holds = await liveHolds();
    const trees = watchedTrees(
      holds,
      guarded.map(({ tree }) => tree),
    );
    const wanted: WatchedTree[] = [];
    for (const one of trees) if (await ports.isOn(one.tree)) wanted.push(one);
    if (stopped) return;
    const chosen = wanted.slice(0, mostTrees);
    const troubles = await watcher.watch(chosen);
    if (stopped) return;
    const watched = new Set(chosen.map(({ tree }) => tree));
    watchedWhole = new Set(chosen.flatMap(({ tree, folders }) => (folders.includes("") ? [tree] : [])));
    const uncompared = await catchUp.compare(holds, watched);
    if (stopped) return;
    await ports.kept?.opened(guarded.filter(({ tree }) => watched.has(tree)));
    const more = wanted.length - mostTrees;
    const beyond = more > 0 ? [`${more} more working trees than can be watched`] : [];
    if (!stopped) ports.onWatched([...troubles, ...uncompared, ...beyond]);
  }

  async function liveHolds(): Promise<readonly ReservationRecord[]> {
    return (await store.reader.reservations.live(undefined)).filter((record) => ports.leases.isLive(record));
  }

  function onChange(tree: string, path: string): void {
    if (stopped || !canBeHeld(path)) return;
    ports.kept?.changed(tree, path);
    judgeSoon({ tree, path, at: clock.monotonic() });
  }

  function judgeSoon(change: SeenChange): void {
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

  const isRecent = ({ at }: SeenChange): boolean => clock.monotonic() - at < judgedAgainMs;

  async function resting(what: keyof typeof rests, work: () => Promise<void>): Promise<void> {
    const startedAt = clock.monotonic();
    await work();
    rests[what] = Math.min(longestRestMs, restShare * (clock.monotonic() - startedAt));
  }

  async function judge(changes: readonly SeenChange[]): Promise<void> {
    const holdersOf = heldIn(await liveHolds(), new Set(changes.map(({ tree }) => tree)));
    for (const change of changes) {
      // Judged a moment later, a change from before the hold must not count against it.
      const changedAt = clock.now() - (clock.monotonic() - change.at);
      const around = holdersOf(change).filter(({ acquiredAt }) => acquiredAt <= changedAt);
      if (around.length === 0) continue;
      const newest = await ports.kept?.newest(change.tree, change.path);
      const write = await foreignWrite(newest === undefined ? await timed(change) : change, around, newest, ports);
      if (write !== undefined && !stopped) await reportOnce(write, change, newest);
    }
  }

  /** Told late, a write of the holder's own call would seem to come after its end; where contents are kept, they decide. */
  async function timed(change: SeenChange): Promise<SeenChange> {
    const { tree, path, at } = change;
    const asked = { tree, paths: [path], folders: [], since: 0, accepts: () => true, most: 1 };
    const [file] = (await watcher.changedSince(asked)).changed;
    if (file?.at === undefined) return change;
    return { ...change, at: Math.min(at, clock.monotonic() - (clock.now() - file.at - coarseMs)) };
  }

  async function reportOnce(write: ForeignWrite, change: SeenChange, newest: KeptChange | undefined): Promise<void> {
    const now = clock.monotonic();
    const gapMs = newest === undefined ? unkeptAgainAfterMs : againAfterMs;
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

  async function reportMissed(write: ForeignWrite, newest: KeptChange | undefined): Promise<void> {
    const key = `${write.tree}\0${write.path}`;
    const last = reported.get(key);
    if (stopped || (last !== undefined && last.version === newest?.version)) return;
    reported.set(key, { at: clock.monotonic(), version: newest?.version });
    await reportWrite({ ...write, ...(newest?.replaced === undefined ? {} : { replaced: newest.replaced }) }, ports);
  }

  function judgeAgain(change: SeenChange, ms: number): void {
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

/** Where agents with tools of their own are at work. People and Sylk's own agents are no reason to watch a whole tree. */
async function guardedTrees({ store, liveness }: TreeWatchPorts) {
  const live = (await store.reader.agents.list({ project: undefined, includeGone: false })).filter((agent) =>
    isGuarded(agent, liveness),
  );
  return [...new Map(live.map(({ tree, project }) => [tree, { tree, project: project.id }])).values()];
}
