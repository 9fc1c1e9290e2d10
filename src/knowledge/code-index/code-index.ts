/**
 * The code index of a home: one file for each repository, opened when it is first asked about.
 *
 *   folder -> its tree and repository -> view of the tree -> question -> answer + about
 *
 * Trees that are asked about are watched, the latest few of them; the others are listed at each question.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type CodeAbout, DomainError, type InputOf } from "../../contract/index.ts";
import { removeDerivedFile } from "../../platform/store/index.ts";
import { answererOf, type CodeAnswer, type CodeQuestion } from "./answer-question.ts";
import { indexFileOf } from "./open-index-file.ts";
import type { IndexGit, IndexWatcher, WatcherTold } from "./ports.ts";
import { createRepositoryIndex, type RepositoryIndex, type RepositoryPorts } from "./repository-index.ts";
import { locateTree, type TreePlace } from "./tree-place.ts";
import type { QuestionPorts, Rests } from "./view.ts";

export type CodeIndexPorts = RepositoryPorts &
  QuestionPorts & {
    /** Where the files of indexes are. */
    readonly folder: string;
    readonly git: IndexGit;
    readonly openWatcher?: (told: WatcherTold) => IndexWatcher;
  };

const mostWatched = 8;
const refreshAfterMs = 50;

export function createCodeIndex(ports: CodeIndexPorts) {
  const repositories = new Map<string, RepositoryIndex>();
  const places = new Map<string, { readonly place: TreePlace; readonly ino: number }>();
  /** Tree to its repository, the latest last. */
  const watched = new Map<string, RepositoryIndex>();
  const dirty = new Map<string, RepositoryIndex>();
  let gathering: ReturnType<RepositoryPorts["clock"]["after"]> | undefined;
  let watching: Promise<void> = Promise.resolve();
  /** Questions wait for it: they would open the file that is being removed. */
  let forgetting: Promise<void> = Promise.resolve();
  let isStopped = false;

  const watcher = ports.openWatcher?.({
    onChange(tree, path) {
      watched.get(tree)?.changed(tree, path);
      refreshSoon(tree);
    },
    onMore(tree) {
      for (const [one, repository] of watched) if (tree === undefined || tree === one) repository.changedMore(one);
      watchAgain();
      for (const one of watched.keys()) refreshSoon(one);
    },
  });

  /** A change is read although no question waits for it, so that the next one does not. */
  function refreshSoon(tree: string): void {
    const repository = watched.get(tree);
    if (repository === undefined || isStopped) return;
    dirty.set(tree, repository);
    gathering ??= ports.clock.after(refreshAfterMs, () => {
      gathering = undefined;
      const all = [...dirty];
      dirty.clear();
      for (const [one, its] of all) void its.refresh(one);
    });
  }

  function watchAgain(): void {
    if (watcher === undefined || isStopped) return;
    const trees = [...watched.keys()];
    watching = watching
      .then(() => watcher.watch(trees))
      .then(
        () => trees.forEach((tree) => watched.get(tree)?.watched(tree, true)),
        () => trees.forEach((tree) => watched.get(tree)?.watched(tree, false)), // it is listed at each question
      );
  }

  function watch(tree: string, repository: RepositoryIndex): void {
    if (watcher === undefined) return;
    const isNew = !watched.delete(tree);
    watched.set(tree, repository);
    if (!isNew) return;
    for (const [oldest, its] of [...watched].slice(0, Math.max(0, watched.size - mostWatched))) {
      its.watched(oldest, false);
      watched.delete(oldest);
    }
    watchAgain();
  }

  async function placeOf(folder: string): Promise<TreePlace> {
    const known = places.get(folder);
    if (known !== undefined && inoOf(known.place) === known.ino) return known.place;
    if (!existsSync(folder))
      throw new DomainError("workspace.unavailable", `There is no folder ${folder}; name a working tree`, {
        details: { tree: folder },
      });
    const place = await locateTree(ports.git, folder);
    places.set(folder, { place, ino: inoOf(place) });
    return place;
  }

  function repositoryOf({ common }: TreePlace): RepositoryIndex {
    let repository = repositories.get(common);
    if (repository === undefined) {
      repository = createRepositoryIndex(indexFileOf(ports.folder, common), ports);
      repositories.set(common, repository);
    }
    return repository;
  }

  async function answer<Name extends CodeQuestion>(
    name: Name,
    place: TreePlace,
    input: InputOf<Name>,
  ): Promise<CodeAnswer<Name>> {
    await forgetting;
    const repository = repositoryOf(place);
    try {
      const { view, about } = await repository.view(place, input.waitMs);
      watch(place.tree, repository);
      const { rests, ...fields } = await answererOf(name)(input, view, ports);
      return withAbout(name, fields, aboutAnswer(about(), rests));
    } catch (error) {
      const wasForgotten = repositories.get(place.common) !== repository && !isStopped;
      if (!wasForgotten && !repository.repair(error)) throw error;
      return answer(name, place, input);
    }
  }

  async function remove(common: string): Promise<void> {
    const repository = repositories.get(common);
    repositories.delete(common);
    for (const trees of [watched, dirty]) for (const [tree, its] of trees) if (its === repository) trees.delete(tree);
    if (repository !== undefined) watchAgain();
    await repository?.stop();
    removeDerivedFile(indexFileOf(ports.folder, common));
  }

  return {
    async ask<Name extends CodeQuestion>(name: Name, folder: string, input: InputOf<Name>): Promise<CodeAnswer<Name>> {
      const place = await placeOf(folder);
      await ports.pause(); // what the kernel has told the watcher of until now comes first
      return answer(name, place, input);
    },
    /** Removes what is kept of a repository; the next question about it reads anew. */
    async forget(common: string): Promise<void> {
      const own = forgetting.then(() => remove(common));
      forgetting = own.catch(() => {});
      await own;
    },
    async stop(): Promise<void> {
      isStopped = true;
      gathering?.cancel();
      watcher?.stop();
      await Promise.all([...repositories.values()].map((repository) => repository.stop()));
    },
  };
}
export type CodeIndex = Pick<ReturnType<typeof createCodeIndex>, "ask" | "forget" | "stop">;

function inoOf({ tree }: TreePlace): number {
  return statSync(join(tree, ".git"), { throwIfNoEntry: false })?.ino ?? -1;
}

function aboutAnswer(tree: Omit<CodeAbout, "provider" | "confidence">, rests: Rests): CodeAbout {
  const { failed = [], notes = [] } = rests;
  return { ...tree, ...rests, failed: [...tree.failed, ...failed], notes: [...tree.notes, ...notes] };
}

/** "Not indexed yet" is never "no". */
function withAbout<Name extends CodeQuestion>(name: Name, fields: object, about: CodeAbout): CodeAnswer<Name> {
  const isWhole = about.notIndexed.waiting === 0;
  const { exists, verdict } = fields as { exists?: string; verdict?: string };
  const unknown = {
    ...(name === "code.find" && exists === "no" && !isWhole ? { exists: "unknown" } : {}),
    ...(name === "code.drift" && verdict === "none" && !(isWhole && about.failed.length === 0)
      ? { verdict: "unknown" }
      : {}),
  };
  return { ...fields, ...unknown, about } as unknown as CodeAnswer<Name>;
}
