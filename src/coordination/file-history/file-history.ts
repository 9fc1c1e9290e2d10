/**
 * Local history at work: what hooks and the watcher see becomes a durable version.
 *
 *   before a tool, after it, the watcher -> read now, in memory -> [the hook is answered] -> ignored? the same as before? ->
 *     pack on the disk, synced -> rows, committed -> listed
 *
 * Guarantee: a version that `file.history` lists is durable. A kill -9 can lose what was read within the last moments and not
 * written yet; it never leaves a row without its content.
 */
import type { FileVersionId, ProjectId } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { newestChange } from "./changes-of.ts";
import { evictOldest } from "./evict-oldest.ts";
import { isSecretFile } from "./is-secret-file.ts";
import { keepVersions, type SeenFile } from "./keep-versions.ts";
import { likelyWriter, type Writer } from "../attribution/index.ts";
import type { FileHistoryPorts, ToolWrite } from "./ports.ts";
import { isOwnTemporary } from "./put-back.ts";
import { readContent, type Content } from "./read-content.ts";
import type { VersionRecord } from "./store.ts";
import { createVersionQueue } from "./version-queue.ts";

export type GuardedTree = { readonly tree: string; readonly project: ProjectId };
export type FileHistory = {
  /** Content is read before this returns. */
  before(write: ToolWrite): void;
  after(write: ToolWrite & { readonly agent: NonNullable<ToolWrite["agent"]> }): void;
  /** The watcher saw a change. */
  changed(tree: string, path: string): void;
  /** A watch begins here: files that differ from HEAD are kept, so that the first change finds what it overwrote. */
  opened(trees: readonly GuardedTree[]): Promise<void>;
  /** What Sylk itself wrote for an agent. */
  wrote(file: GuardedTree & { readonly path: string }, writer: Writer): void;
  /**
   * The newest version of a file after reading it once more. Durable. A file without versions stays without: a first one has
   * nothing to be compared with, so the call that asks is refused, and a refusal changes nothing.
   */
  current(file: GuardedTree & { readonly path: string }): Promise<VersionRecord | undefined>;
  /**
   * The newest change of a file, after what the watcher saw is read: its version, and the one it replaced. Undefined where
   * contents of the file are not kept.
   */
  newest(tree: string, path: string): Promise<NewestChange | undefined>;
  /** Reads files again that changed while they were not watched, `at` on the monotonic clock. */
  reread(files: readonly (GuardedTree & { readonly path: string; readonly at: number })[]): void;
  /** The changes that were seen after a moment, the newest first; undefined where contents of the file are not kept. */
  since(file: GuardedTree & { readonly path: string }, after: number): Promise<readonly NewestChange[] | undefined>;
  /** Files with kept versions, and those that differ from the last commit. */
  known(tree: string): Promise<readonly string[]>;
  contentOf(version: Pick<VersionRecord, "hash">): Promise<Buffer | undefined>;
  flush(): Promise<void>;
  /** Runs `work` after everything seen so far is durable, and while no version is written. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Inside `alone`, after the project's versions were removed: nothing of it that was seen meanwhile is kept. */
  forget(project: ProjectId): void;
  /** Enforces the bounds, and removes packs that no version needs. */
  sweep(): Promise<void>;
  close(): Promise<void>;
};

type NewestChange = Pick<VersionRecord, "author" | "knownBy" | "seenAt"> & {
  readonly version: FileVersionId;
  readonly replaced?: FileVersionId;
};

/** Editors write a file in several steps, which are one change. */
const gatherMs = 25;
const mostAtOnce = 64;
const mostStamps = 50_000;
const mostAtStart = 2_000;

export function createFileHistory(ports: FileHistoryPorts): FileHistory {
  const { clock, calls, git, limits, packs, store } = ports;
  const projects = new Map<string, ProjectId>();
  const stamps = new Map<string, string>();
  /** Watched trees; and those of them whose changed files were all kept at the start. */
  const watched = new Set<string>();
  const whole = new Set<string>();
  const pending = new Map<string, { readonly tree: string; readonly path: string; readonly at: number }>();
  let gathering: Timer | undefined;
  const troubles = new Set<string>();
  const keeper = keepVersions(ports, (tree) => whole.has(tree));
  const queue = createVersionQueue<SeenFile>({
    clock,
    write: async (batch) => {
      await keeper.keep(batch);
      if (keeper.isOverBound()) await evict();
      report();
    },
    sizeOf: ({ content }) => 200 + (content.state === "kept" ? content.content.length : 0),
    onFailed: ports.onFailed,
  });

  function see(file: GuardedTree & { readonly path: string }, seen: SeenFile["seen"], writer: () => Writer): void {
    if (!limits.isOn || isSecretFile(file.path) || isOwnTemporary(file.path)) return;
    try {
      const content = readNow(file.tree, file.path);
      if (content !== undefined) queue.add({ ...file, seen, content, seenAt: clock.now(), ...writer() });
    } catch (error) {
      ports.onFailed(error); // a guard must not fail because a file cannot be read
    }
  }

  /** Undefined where the file is as it was when it was last read. */
  function readNow(tree: string, path: string): Content | undefined {
    const key = `${tree}\0${path}`;
    const read = readContent(tree, path, {
      known: stamps.get(key),
      maxBytes: limits.maxFileBytes,
      now: clock.now(),
    });
    if (read === undefined) return undefined;
    stamps.delete(key);
    if (read.stamp !== undefined) stamps.set(key, read.stamp);
    if (stamps.size > mostStamps) stamps.delete(stamps.keys().next().value!);
    return read.content;
  }

  function writerAt(tree: string, path: string, at: number): Writer {
    return likelyWriter(path, at, calls.inTree(tree));
  }

  /** The content is read a moment after the change was told: a call that named the file and began in between wrote it. */
  function writerSeenLate(tree: string, path: string, at: number): Writer {
    const now = writerAt(tree, path, clock.monotonic());
    return now.knownBy === "named" ? now : writerAt(tree, path, at);
  }

  function readPending(): void {
    gathering = undefined;
    for (const [key, { tree, path, at }] of [...pending].slice(0, mostAtOnce)) {
      pending.delete(key);
      const project = projects.get(tree);
      if (project !== undefined) see({ tree, project, path }, "watcher", () => writerSeenLate(tree, path, at));
    }
    if (pending.size > 0) gatherSoon(0);
  }

  function gatherSoon(ms: number): void {
    gathering ??= clock.after(ms, readPending);
  }

  async function evict(): Promise<void> {
    await evictOldest(limits.maxBytes, store);
    await keeper.recount();
    // A file that did not change since it was read may have lost its version.
    stamps.clear();
    await packs.keepOnly(await packNames());
  }

  async function packNames(): Promise<ReadonlySet<string>> {
    return new Set((await store.reader.fileVersions.packs()).map(({ name }) => name));
  }

  function report(): void {
    const dropped = queue.takeDropped();
    if (dropped > 0) troubles.add(`${dropped} versions of files were not kept: the disk was too slow`);
    ports.onKept([...troubles]);
    troubles.clear();
  }

  async function open({ tree, project }: GuardedTree): Promise<void> {
    const paths = await git.changed(tree);
    for (const path of paths.slice(0, mostAtStart))
      see({ tree, project, path }, "start", () => writerAt(tree, path, clock.monotonic()));
    if (paths.length > mostAtStart)
      troubles.add(
        `${tree} has ${paths.length} changed files; ${paths.length - mostAtStart} were not kept at the start`,
      );
    else whole.add(tree);
  }

  function readAllPending(): void {
    while (pending.size > 0) readPending();
    gathering?.cancel();
    gathering = undefined;
  }

  async function flush(): Promise<void> {
    readAllPending();
    await queue.flush();
  }

  void queue.inTurn(async () => packs.keepOnly(await packNames())).catch(ports.onFailed);
  return {
    before({ project, tree, paths }) {
      projects.set(tree, project);
      for (const path of paths)
        see({ tree, project, path }, "before-tool", () => writerAt(tree, path, clock.monotonic()));
    },
    after({ project, tree, paths, agent }) {
      projects.set(tree, project);
      const own = calls.inTree(tree).filter((call) => call.agent.id === agent);
      for (const path of paths) {
        // What was told before is read here. Read later, the content of the next writer would be taken for this one's.
        pending.delete(`${tree}\0${path}`);
        see({ tree, project, path }, "after-tool", () => likelyWriter(path, clock.monotonic(), own));
      }
    },
    changed(tree, path) {
      if (!limits.isOn || !projects.has(tree)) return;
      // The last of several writes is the one whose content will be read.
      pending.set(`${tree}\0${path}`, { tree, path, at: clock.monotonic() });
      gatherSoon(gatherMs);
    },
    async opened(trees) {
      if (!limits.isOn) return;
      const current = new Set(trees.map(({ tree }) => tree));
      for (const tree of watched)
        if (!current.has(tree)) {
          watched.delete(tree);
          whole.delete(tree);
        }
      for (const guarded of trees) {
        projects.set(guarded.tree, guarded.project);
        if (watched.has(guarded.tree)) continue;
        watched.add(guarded.tree);
        await open(guarded);
      }
    },
    wrote(file, writer) {
      stamps.delete(`${file.tree}\0${file.path}`);
      see(file, "sylk", () => writer);
    },
    async current(file) {
      await flush();
      if ((await store.reader.fileVersions.latest(file.tree, file.path)) === undefined) return undefined;
      stamps.delete(`${file.tree}\0${file.path}`);
      see(file, "before-tool", () => writerAt(file.tree, file.path, clock.monotonic()));
      await flush();
      return store.reader.fileVersions.latest(file.tree, file.path);
    },
    async newest(tree, path) {
      await flush();
      const [change] = newestChange(await store.reader.fileVersions.chain(tree, path));
      const latest = change?.after ?? (await store.reader.fileVersions.latest(tree, path));
      return latest === undefined || isUnkept(latest) ? undefined : changeTo(latest, change?.before);
    },
    reread(files) {
      for (const { at, ...file } of files) {
        projects.set(file.tree, file.project);
        see(file, "watcher", () => writerSeenLate(file.tree, file.path, at));
      }
    },
    async since({ tree, path }, after) {
      await flush();
      const chain = await store.reader.fileVersions.chain(tree, path);
      const latest = chain.at(-1);
      if (latest === undefined || isUnkept(latest)) return undefined;
      // A committed content is what was there before, whenever it was read; and a file that never was is not removed.
      const isChange = ({ seenAt, seen, state }: VersionRecord, before: VersionRecord | undefined): boolean =>
        seenAt > after && seen !== "git" && (before !== undefined || state !== "absent");
      return chain
        .flatMap((one, index) => (isChange(one, chain[index - 1]) ? [changeTo(one, chain[index - 1])] : []))
        .toReversed();
    },
    async known(tree) {
      await flush();
      const kept = await store.reader.fileVersions.paths({ project: undefined, tree });
      return [...new Set([...kept, ...(await git.changed(tree))])];
    },
    async contentOf({ hash }) {
      const place = hash === undefined ? undefined : await store.reader.fileVersions.placeOf(hash);
      return place && packs.read(place);
    },
    flush,
    alone(work) {
      readAllPending();
      return queue.alone(work);
    },
    forget(project) {
      for (const [tree, known] of projects) if (known === project) projects.delete(tree);
      for (const [key, { tree }] of pending) if (!projects.has(tree)) pending.delete(key);
      queue.drop((file) => file.project === project);
    },
    sweep: () => queue.inTurn(evict),
    async close() {
      await flush().catch(ports.onFailed);
      queue.stop();
    },
  };
}

/** Of a file that is too large one content cannot be told from the next. */
function isUnkept({ state }: VersionRecord): boolean {
  return state === "too-large";
}

function changeTo(
  { id: version, seenAt, author, knownBy }: VersionRecord,
  before: VersionRecord | undefined,
): NewestChange {
  return { version, seenAt, author, knownBy, ...(before === undefined ? {} : { replaced: before.id }) };
}
