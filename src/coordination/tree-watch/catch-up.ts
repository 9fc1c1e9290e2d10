/**
 * Held files whose watch has just begun: what changed in them before is judged as what the watch sees.
 *
 *   granted -> the content is read, the moment noted -> compare, after the watch began -> each new hold once -> report
 *
 * A hold that an earlier daemon granted is compared with what that one knew last.
 */
import type { ProjectId, Reservation } from "../../contract/index.ts";
import type { ReservationRecord } from "../reservations/index.ts";
import { heldIn } from "./covers.ts";
import { foreignWrite, type SeenChange } from "./foreign-write.ts";
import { coarseMs, findMissed, type MissedChange, type NewHold } from "./missed-changes.ts";
import type { KeptChange, TreeWatcher, TreeWatchPorts } from "./ports.ts";
import type { ForeignWrite } from "./report-write.ts";

type CatchUpPorts = TreeWatchPorts & {
  readonly watcher: TreeWatcher;
  readonly report: (write: ForeignWrite, newest: KeptChange | undefined) => Promise<void>;
};
type CatchUp = {
  /** Answers with the files that were not held before. */
  granted(reservation: Reservation, project: ProjectId): readonly string[];
  /** Judges what changed in the watched trees before; answers with what could not be compared, a sentence each. */
  compare(holds: readonly ReservationRecord[], watched: ReadonlySet<string>): Promise<readonly string[]>;
};

const rereadAtOnce = 64;

export function createCatchUp(ports: CatchUpPorts): CatchUp {
  const { clock, kept, store } = ports;
  const started = { at: clock.now(), monotonic: clock.monotonic() };
  /** Held files and globs that were compared; and when those came that were not yet. */
  let compared: ReadonlySet<string> = new Set();
  const cameAt = new Map<string, number>();

  function newHolds(holds: readonly ReservationRecord[]): readonly NewHold[] {
    return holds.flatMap(({ id, tree, project, paths, patterns, acquiredAt }) => {
      const isNew = (one: string): boolean => !compared.has(keyOf(id, one));
      // One that this daemon granted just now is perhaps not heard of yet.
      const justNow = acquiredAt >= started.at ? acquiredAt : undefined;
      const cameOf = (one: string): number | undefined => cameAt.get(keyOf(id, one)) ?? justNow;
      const [newPaths, newPatterns] = [paths.filter(isNew), patterns.filter(isNew)];
      return [...new Set([...newPaths, ...newPatterns].map(cameOf))].map((came) => ({
        tree,
        project,
        paths: newPaths.filter((one) => cameOf(one) === came),
        patterns: newPatterns.filter((one) => cameOf(one) === came),
        heldSince: came ?? acquiredAt,
        knownUntil: came ?? started.at - 1,
        isOlder: came === undefined,
      }));
    });
  }

  async function judge(changes: readonly MissedChange[], holdersOf: ReturnType<typeof heldIn>): Promise<void> {
    kept?.reread(changes.map((change) => ({ ...change, at: momentOf(change) })));
    for (const change of changes) {
      const around = holdersOf(change);
      for (const { seen, newest } of await versionsOf(change, around)) {
        const write = await foreignWrite(seen, around, newest, ports);
        if (write === undefined) continue;
        await ports.report(write, newest);
        break; // an older one is not the holder's next step
      }
    }
  }

  /** The newest first. Its time is the file's own; of one that was overwritten since only the time of its reading is known. */
  async function versionsOf(
    change: MissedChange,
    around: readonly ReservationRecord[],
  ): Promise<readonly { readonly seen: SeenChange; readonly newest: KeptChange | undefined }[]> {
    const { tree, path, isOlder } = change;
    const versions = await kept?.since(change, change.knownUntil);
    const found = versions ?? ((await isSureByTime(change, around)) ? [undefined] : []);
    return found.map((newest, index) => {
      const at = index === 0 || newest === undefined ? momentOf(change) : monotonicAt(newest.seenAt);
      const isDown = isOlder && (index > 0 || at < started.monotonic);
      return { seen: { tree, path, at, missed: isDown ? "while down" : "before the watch" }, newest };
    });
  }

  /** When a file was removed is not known: while Sylk did not run, or just now. */
  function momentOf({ changedAt, isOlder }: MissedChange): number {
    if (changedAt !== undefined) return Math.min(clock.monotonic(), monotonicAt(changedAt + coarseMs));
    return isOlder ? started.monotonic - 1 : clock.monotonic();
  }

  function monotonicAt(wall: number): number {
    return clock.monotonic() - (clock.now() - wall);
  }

  /** Where contents are not kept: changed under the hold, and after an earlier daemon last heard of its holders. */
  async function isSureByTime(
    { changedAt, heldSince, isOlder }: MissedChange,
    around: readonly ReservationRecord[],
  ): Promise<boolean> {
    if (changedAt === undefined || changedAt < heldSince) return false;
    if (!isOlder) return true;
    const holders = await Promise.all(around.map(({ holder }) => store.reader.agents.find(holder.id)));
    return holders.every((holder) => holder !== undefined && changedAt > Math.min(holder.lastSeenAt, started.at));
  }

  return {
    granted({ id, tree, paths, patterns }, project) {
      const isNew = (one: string): boolean => !compared.has(keyOf(id, one)) && !cameAt.has(keyOf(id, one));
      const files = paths.filter(isNew);
      if (files.length > 0) kept?.before({ project, tree, paths: files });
      for (const one of [...files, ...patterns.filter(isNew)]) cameAt.set(keyOf(id, one), clock.now());
      return files;
    },
    async compare(holds, watched) {
      const beganAt = clock.now();
      const here = holds.filter(({ tree }) => watched.has(tree));
      const { missed, troubles } = await findMissed(newHolds(here), ports);
      const holdersOf = heldIn(here, new Set(missed.map(({ tree }) => tree)));
      for (let index = 0; index < missed.length; index += rereadAtOnce)
        await judge(missed.slice(index, index + rereadAtOnce), holdersOf);
      compared = new Set(here.flatMap(keysOf));
      const live = new Set(holds.flatMap(keysOf));
      for (const [key, at] of cameAt) if (compared.has(key) || (at < beganAt && !live.has(key))) cameAt.delete(key);
      return troubles;
    },
  };
}

function keysOf({ id, paths, patterns }: ReservationRecord): readonly string[] {
  return [...paths, ...patterns].map((one) => keyOf(id, one));
}

function keyOf(id: string, part: string): string {
  return `${id}\0${part}`;
}
