/**
 * One batch of seen files -> versions: those git ignores are left out, and those that hold what the last version held.
 *
 * The first version of a file that the watcher saw gets the committed content before it, so that what was overwritten can be
 * put back. A file that holds what HEAD holds and has no versions is not changed: a checkout of a thousand files keeps none.
 */
import type { FileVersion, FileVersionId, ProjectId } from "../../contract/index.ts";
import type { Transaction } from "../../platform/store/index.ts";
import { hashOf } from "./content-packs.ts";
import type { Writer } from "../attribution/index.ts";
import type { CommittedFile, FileHistoryPorts, FileHistoryRepositories } from "./ports.ts";
import { isLink, linkBits, type Content } from "./read-content.ts";
import type { ContentPlace, VersionRecord } from "./store.ts";

export type SeenFile = Writer & {
  readonly project: ProjectId;
  readonly tree: string;
  readonly path: string;
  readonly seen: FileVersion["seen"];
  readonly seenAt: number;
  readonly content: Content;
};
type Draft = { readonly record: VersionRecord; readonly content: Buffer | undefined };
type State = Pick<VersionRecord, "state" | "hash" | "mode">;

const ignoreKnownMs = 60_000;
const mostKnown = 20_000;

export function keepVersions(
  { store, clock, ids, git, packs, limits }: FileHistoryPorts,
  /** Whether everything that was changed there has been kept: then a file without a version was not there. */
  isWhole: (tree: string) => boolean,
) {
  const ignored = new Map<string, { readonly is: boolean; readonly at: number }>();
  const latest = new Map<string, State>();
  let bytes: number | undefined;

  async function keep(batch: readonly SeenFile[]): Promise<void> {
    const wanted = await withoutIgnored(batch);
    const drafts = await draftAll(wanted);
    if (drafts.length === 0) return;
    await write(drafts);
    for (const { record } of drafts) remember(latest, keyOf(record), record);
  }

  async function withoutIgnored(batch: readonly SeenFile[]): Promise<readonly SeenFile[]> {
    const now = clock.monotonic();
    const isKnown = (key: string): boolean => now - (ignored.get(key)?.at ?? -Infinity) < ignoreKnownMs;
    for (const [tree, files] of byTree(batch)) {
      const paths = [...new Set(files.filter((file) => !isKnown(keyOf(file))).map(({ path }) => path))];
      if (paths.length === 0) continue;
      const found = await git.ignored(tree, paths);
      for (const path of paths) remember(ignored, keyOf({ tree, path }), { is: found.has(path), at: now });
    }
    return batch.filter((file) => !ignored.get(keyOf(file))!.is);
  }

  async function draftAll(batch: readonly SeenFile[]): Promise<readonly Draft[]> {
    const drafts: Draft[] = [];
    const states = new Map<string, State | undefined>();
    for (const file of batch) states.set(keyOf(file), await latestOf(file));
    const bases = await basesOf(batch.filter((file) => states.get(keyOf(file)) === undefined && needsBase(file)));
    for (const file of batch) {
      const key = keyOf(file);
      const record = recordOf(file);
      const known = states.get(key);
      if (known !== undefined && isSame(known, record)) continue;
      if (known === undefined && needsBase(file)) {
        const base = baseRecord(file, record, bases.get(key));
        if (base !== undefined && isSame(base.record, record)) continue;
        if (base !== undefined) drafts.push(base);
      }
      drafts.push({ record, content: file.content.state === "kept" ? file.content.content : undefined });
      states.set(key, record);
    }
    return drafts;
  }

  async function latestOf({ tree, path }: SeenFile): Promise<State | undefined> {
    return latest.get(keyOf({ tree, path })) ?? (await store.reader.fileVersions.latest(tree, path));
  }

  async function basesOf(files: readonly SeenFile[]): Promise<ReadonlyMap<string, CommittedFile>> {
    const bases = new Map<string, CommittedFile>();
    for (const [tree, those] of byTree(files)) {
      const paths = [...new Set(those.map(({ path }) => path))];
      for (const [path, base] of await git.committed(tree, paths)) bases.set(keyOf({ tree, path }), base);
    }
    return bases;
  }

  function recordOf({ content, ...file }: SeenFile): VersionRecord {
    const { state } = content;
    return {
      ...file,
      id: nextId(),
      state,
      hash: state === "kept" ? hashOf(content.content) : undefined,
      bytes: state === "kept" ? content.content.length : state === "too-large" ? content.bytes : undefined,
      mode: state === "absent" ? undefined : content.mode,
    };
  }

  function baseRecord(file: SeenFile, after: VersionRecord, base: CommittedFile | undefined): Draft | undefined {
    const common = { ...after, seen: "git", author: undefined, knownBy: "unknown", command: undefined } as const;
    if (base === undefined)
      return isWhole(file.tree)
        ? {
            record: { ...common, id: nextId(), state: "absent", hash: undefined, bytes: undefined, mode: undefined },
            content: undefined,
          }
        : undefined;
    if (base.content.length > limits.maxFileBytes) return undefined;
    return {
      record: {
        ...common,
        id: nextId(),
        state: "kept",
        hash: hashOf(base.content),
        bytes: base.content.length,
        mode: committedMode(base, after.mode),
      },
      content: base.content,
    };
  }

  /** Contents that are there already are not written again; one that was removed meanwhile is. */
  async function write(drafts: readonly Draft[]): Promise<void> {
    const contents = new Map<string, Buffer>();
    for (const { record, content } of drafts) {
      if (content === undefined || (await store.reader.fileVersions.placeOf(record.hash!)) !== undefined) continue;
      contents.set(record.hash!, content);
    }
    const written = contents.size === 0 ? undefined : await packs.write(contents);
    const isDone = await store.transact("file-history", (tx) => insertAll(drafts, written, tx));
    bytes = (await totalBytes()) + (written?.bytes ?? 0);
    if (!isDone) await write(drafts);
  }

  async function totalBytes(): Promise<number> {
    return bytes ?? (await recount());
  }

  async function recount(): Promise<number> {
    bytes = (await store.reader.fileVersions.packs()).reduce((sum, pack) => sum + pack.bytes, 0);
    return bytes;
  }

  function nextId(): FileVersionId {
    return ids.next("ver");
  }

  return {
    keep,
    isOverBound: () => (bytes ?? 0) > limits.maxBytes,
    async recount() {
      // Versions are gone: what the cache says was the last one may be, too.
      latest.clear();
      await recount();
    },
  };
}

async function insertAll(
  drafts: readonly Draft[],
  written: { readonly bytes: number; readonly places: readonly ContentPlace[] } | undefined,
  { fileVersions }: FileHistoryRepositories & Transaction,
): Promise<boolean> {
  const [first] = written?.places ?? [];
  if (written !== undefined && first !== undefined)
    await fileVersions.addPack({ name: first.pack, bytes: written.bytes }, written.places);
  for (const { record } of drafts)
    if (record.hash !== undefined && (await fileVersions.placeOf(record.hash)) === undefined) return false;
  for (const { record } of drafts) await fileVersions.add(record);
  return true;
}

/** Git knows only whether a file can be executed; the other bits are as they are on the disk. */
function committedMode({ isLink: wasLink, isExecutable }: CommittedFile, now: number | undefined): number {
  if (wasLink) return linkBits | 0o777;
  const mode = now === undefined || isLink(now) ? 0o644 : now;
  return isExecutable ? mode | 0o111 : mode & ~0o111;
}

/** Before a tool writes, the content itself is what will be overwritten. */
function needsBase({ seen }: SeenFile): boolean {
  return seen === "watcher" || seen === "after-tool" || seen === "sylk";
}

function isSame(one: State, other: State): boolean {
  return one.state === other.state && one.hash === other.hash && one.mode === other.mode;
}

function keyOf({ tree, path }: { readonly tree: string; readonly path: string }): string {
  return `${tree}\0${path}`;
}

function byTree(files: readonly SeenFile[]): ReadonlyMap<string, readonly SeenFile[]> {
  return Map.groupBy(files, ({ tree }) => tree);
}

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  if (known.size > mostKnown) known.delete(known.keys().next().value!);
}
