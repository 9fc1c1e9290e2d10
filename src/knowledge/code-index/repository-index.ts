/**
 * The index of one repository: all its trees, one file, one writer.
 *
 *   question -> the tree as it is now (refresh-tree) -> wait for what is not read yet, so long as asked -> view -> answer
 *                                                    `-> reading continues behind (index-contents)
 *
 * Invariant: an answer names what it does not cover. A damaged file is made again, once, and said once.
 */
import { type CodeAbout, messageOf } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { isDerivedDamage, removeDerivedFile } from "../../platform/store/index.ts";
import { indexContents, type ReadingPorts } from "./index-contents.ts";
import { type IndexFile, openIndexFile } from "./open-index-file.ts";
import { newTreeState, refreshTree, type RefreshPorts, type TreeState } from "./refresh-tree.ts";
import type { TreePlace } from "./tree-place.ts";
import type { View } from "./view.ts";

export type IndexProgress = {
  readonly tree: string;
  readonly files: number;
  readonly waiting: number;
  /** Reading ended before all was read. */
  readonly isStopped: boolean;
  /** Of a tree that is covered again. */
  readonly updated?: { readonly revision: string; readonly parsed: number };
};
export type RepositoryPorts = Omit<RefreshPorts, "maxFileBytes"> &
  Pick<ReadingPorts, "parser" | "limits" | "freeBytes"> & {
    readonly clock: Clock;
    readonly onProgress: (progress: IndexProgress) => void;
    /** Told of what a person should know: a file that was made again. */
    readonly onTrouble: (what: string) => void;
  };

type Indexed = TreeState & {
  refreshing: Promise<unknown>;
  reading: Promise<void> | undefined;
  /** Why reading ended early, and when. */
  stopped: { readonly reason: string; readonly at: number } | undefined;
  coverage: Coverage | undefined;
};
type Coverage = Pick<CodeAbout, "files" | "notIndexed">;

const mostExamples = 5;
const progressEveryMs = 1_000;
const retryAfterMs = 10_000;
const dayMs = 86_400_000;

export function createRepositoryIndex(path: string, ports: RepositoryPorts) {
  const { clock, limits } = ports;
  const trees = new Map<string, Indexed>();
  let notes: string[] = [];
  let file = open();
  let queue: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  function open(): IndexFile {
    const opened = openIndexFile(path, clock.now);
    if (opened.why !== undefined) said(opened.why);
    return opened;
  }

  function said(why: string): void {
    const what = `The code index was damaged (${why}) and is built again; no file of yours was touched`;
    notes = [...notes, what];
    ports.onTrouble(what);
  }

  function rebuild(error: Error): void {
    file.sql.close();
    removeDerivedFile(path);
    file = openIndexFile(path, clock.now);
    said(error.message);
    for (const [tree, state] of trees) trees.set(tree, { ...fresh(state.place), isWatched: state.isWatched });
  }

  function fresh(place: TreePlace): Indexed {
    const idle = { refreshing: Promise.resolve(), reading: undefined, stopped: undefined, coverage: undefined };
    return Object.assign(newTreeState(place, file), idle);
  }

  function stateOf(place: TreePlace): Indexed {
    let state = trees.get(place.tree);
    if (state === undefined || state.place.gitFolder !== place.gitFolder) {
      state = fresh(place);
      trees.set(place.tree, state);
    }
    return state;
  }

  /** One after the other for a tree; reading begins where something waits. */
  async function refresh(state: Indexed): Promise<void> {
    const own = state.refreshing.then(() => refreshTree(state, file, { ...ports, maxFileBytes: limits.maxFileBytes }));
    state.refreshing = own.catch(() => {});
    if (await own) state.coverage = undefined;
    read(state);
  }

  function read(state: Indexed): void {
    if (state.reading !== undefined || isStopped || coverageOf(state).notIndexed.waiting === 0) return;
    if (state.stopped !== undefined && clock.monotonic() - state.stopped.at < retryAfterMs) return;
    const failed = (error: unknown) => {
      state.stopped = { reason: messageOf(error), at: clock.monotonic() };
      unlessStopped(error);
    };
    state.reading = (queue = queue.then(() => readAll(state)).catch(failed)).then(() => {
      state.reading = undefined;
    });
  }

  async function readAll(state: Indexed): Promise<void> {
    let toldAt = clock.monotonic();
    tellProgress(state);
    const { parsed, stopped } = await indexContents(state, file, {
      ...ports,
      isStopped: () => isStopped || trees.get(state.place.tree) !== state,
      onRead() {
        state.coverage = undefined;
        if (clock.monotonic() - toldAt < progressEveryMs) return;
        toldAt = clock.monotonic();
        tellProgress(state);
      },
    });
    if (isStopped) return;
    state.coverage = undefined;
    state.stopped = stopped === undefined ? undefined : { reason: stopped, at: clock.monotonic() };
    tellProgress(state, { revision: revisionOf(state), parsed });
    tidy();
  }

  function tellProgress(state: Indexed, updated?: IndexProgress["updated"]): void {
    const { files, notIndexed } = coverageOf(state);
    const { waiting } = notIndexed;
    const isWhole = updated !== undefined && waiting === 0;
    const isStopped = updated !== undefined && state.stopped !== undefined;
    ports.onProgress({ tree: state.place.tree, files, waiting, isStopped, ...(isWhole ? { updated } : {}) });
  }

  /** Trees that are gone or were not asked about for long leave; their contents stay until the room is needed. */
  function tidy(): void {
    const oldest = clock.now() - limits.keepDays * dayMs;
    file.sql.transact(() => file.trees.forget((tree, usedAt) => usedAt < oldest && !trees.has(tree)));
    file.sql.shrink(1_000);
  }

  function unlessStopped(error: unknown): void {
    if (isStopped) return;
    if (isDerivedDamage(error)) rebuild(error);
    else ports.onTrouble(`Reading into the code index failed: ${messageOf(error)}`);
  }

  function coverageOf(state: Indexed): Coverage {
    if (state.coverage !== undefined) return state.coverage;
    const { files, waiting } = file.trees.counts(state.id);
    const leftOut = file.trees.leftOut(state.id);
    const examples = [
      ...waiting.slice(0, mostExamples).map((one) => ({ path: one, reason: "not read yet" })),
      ...leftOut,
    ].slice(0, mostExamples);
    const count = waiting.length + leftOut.length;
    const byContent = leftOut.length - file.trees.skipped(state.id).length;
    return (state.coverage = {
      files: files - waiting.length - byContent,
      notIndexed: { count, waiting: waiting.length, examples },
    });
  }

  function aboutOf(state: Indexed): Omit<CodeAbout, "provider" | "confidence"> {
    const { commit, branch, uncommitted, place, stopped } = state;
    const failed =
      stopped === undefined ? [] : [{ provider: "syntax" as const, reason: `Reading stopped: ${stopped.reason}` }];
    const said = notes;
    notes = [];
    return {
      tree: place.tree,
      commit,
      ...(branch === undefined ? {} : { branch }),
      uncommitted: uncommitted.size,
      revision: revisionOf(state),
      ...coverageOf(state),
      failed,
      notes: said,
    };
  }

  return {
    /** The tree as it is now: waits at most so long for contents that are not read yet. */
    async view(
      place: TreePlace,
      waitMs: number,
    ): Promise<{ readonly view: View; readonly about: () => Omit<CodeAbout, "provider" | "confidence"> }> {
      const upToDate = async (): Promise<Indexed> => {
        const state = stateOf(place);
        await refresh(state);
        return trees.get(place.tree) ?? state;
      };
      let state = await upToDate().catch((error: unknown) => {
        if (!isDerivedDamage(error)) throw error;
        rebuild(error);
        return upToDate();
      });
      const until = clock.monotonic() + waitMs;
      for (let left = waitMs; state.reading !== undefined && left > 0; left = until - clock.monotonic()) {
        await within(state.reading, left, clock);
        state = trees.get(place.tree) ?? state;
        // What changed while it was read is listed and read too.
        if (state.dirty === "all" || state.dirty.size > 0 || coverageOf(state).notIndexed.waiting > 0)
          await refresh(state);
      }
      return { view: { sql: file.sql, tree: state.id, root: place.tree }, about: () => aboutOf(state) };
    },
    /** Runs a question; a file that turns out to be damaged is made again. */
    repair(error: unknown): boolean {
      if (!isDerivedDamage(error)) return false;
      rebuild(error);
      return true;
    },
    changed(tree: string, changedPath: string): void {
      const state = trees.get(tree);
      if (state !== undefined && state.dirty !== "all") state.dirty.add(changedPath);
    },
    changedMore(tree: string): void {
      const state = trees.get(tree);
      if (state !== undefined) state.dirty = "all";
    },
    watched(tree: string, isWatched: boolean): void {
      const state = trees.get(tree);
      if (state === undefined || state.isWatched === isWatched) return;
      state.isWatched = isWatched;
      state.dirty = "all"; // what was written before the watch began
    },
    /** Reads changes before a question needs them. */
    refresh: async (tree: string): Promise<void> => {
      const state = trees.get(tree);
      if (state !== undefined) await refresh(state).catch(unlessStopped);
    },
    async stop(): Promise<void> {
      isStopped = true;
      await ports.parser.cancel();
      await Promise.allSettled([queue, ...[...trees.values()].map(({ refreshing }) => refreshing)]);
      file.sql.close();
    },
  };
}
export type RepositoryIndex = ReturnType<typeof createRepositoryIndex>;

function revisionOf({ commit, branch, uncommitted }: Pick<TreeState, "commit" | "branch" | "uncommitted">): string {
  const at = commit === null ? "no commit yet" : `${commit.slice(0, 8)}${branch === undefined ? "" : ` on ${branch}`}`;
  const { size } = uncommitted;
  return size === 0 ? at : `${at} with ${size} uncommitted ${size === 1 ? "file" : "files"}`;
}

async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = clock.after(ms, late.resolve, { keepAlive: true });
  await Promise.race([work, late.promise]);
  timer.cancel();
}
