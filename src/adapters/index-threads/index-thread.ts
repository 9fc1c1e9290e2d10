/**
 * The index thread: the one writer of a home's code indexes, which also answers the questions. This very file is the
 * thread's program; parse threads are its own.
 *
 *   startIndexThread -> thread -> { id, name, folder, input } -> createCodeIndex -> { id, output | error }
 *                                                             -> { progress } { trouble }
 *
 * Loaded on demand only, so that a build gives it a file of its own.
 */
import { availableMemory } from "node:process";
import { setImmediate } from "node:timers/promises"; // clock-exempt: takes no time, lets others have their turn
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { DomainError, type ErrorBody, type InputOf, invalidInput, toErrorBody } from "../../contract/index.ts";
import { glob, InvalidPattern, matches } from "../../coordination/globs/index.ts";
import {
  type CodeQuestion,
  createCodeIndex,
  type FileChange,
  type IndexLimits,
  type IndexProgress,
  type IndexWatcher,
  type WatcherTold,
} from "../../knowledge/code-index/index.ts";
import { createTokenMeter } from "../../knowledge/skills/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createGit } from "../git/index.ts";
import { createTreeWatcher } from "../tree-watcher/index.ts";
import { createParsePool } from "./parse-pool.ts";

export type IndexTerms = {
  /** Where the files of indexes are. */
  readonly folder: string;
  readonly limits: IndexLimits;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether trees are watched; not for a process that answers once. */
  readonly watches: boolean;
};
export type AskedIndex =
  | { readonly id: number; readonly name: CodeQuestion; readonly folder: string; readonly input: InputOf<CodeQuestion> }
  | { readonly id: number; readonly forget: string }
  | { readonly stop: true };
export type RepliedIndex =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: ErrorBody["error"] }
  | { readonly progress: IndexProgress }
  | { readonly trouble: string }
  | { readonly changed: { readonly tree: string; readonly changes: readonly FileChange[] } }
  | { readonly stopped: true };
type Given = { readonly sylkIndex: IndexTerms };

export function startIndexThread(terms: IndexTerms): Worker {
  return new Worker(new URL(import.meta.url), { workerData: { sylkIndex: terms } satisfies Given });
}

if (!isMainThread && isGiven(workerData)) serve(workerData.sylkIndex);

function serve({ folder, limits, env, watches }: IndexTerms): void {
  const port = parentPort!;
  const tell = (reply: RepliedIndex): void => port.postMessage(reply);
  const clock = systemClock();
  const git = createGit(clock, env);
  const readOnly = { env: { GIT_NO_LAZY_FETCH: "1" } };
  const index = createCodeIndex({
    folder,
    limits,
    clock,
    git: (tree, args) => git(tree, args, readOnly),
    parser: createParsePool({ maxFileBytes: limits.maxFileBytes, env }, clock),
    freeBytes: availableMemory,
    matcher,
    measure: createTokenMeter(),
    pause: () => setImmediate(),
    onProgress: (progress) => tell({ progress }),
    onTrouble: (trouble) => tell({ trouble }),
    onChanged: (tree, changes) => tell({ changed: { tree, changes } }),
    ...(watches
      ? { openWatcher: (told: WatcherTold) => openWatcher(told, (tree, args) => git(tree, args, readOnly)) }
      : {}),
  });
  port.on("message", (asked: AskedIndex) => {
    if ("stop" in asked) {
      void index.stop().finally(() => tell({ stopped: true }));
      return;
    }
    const { id } = asked;
    const done = "forget" in asked ? index.forget(asked.forget) : index.ask(asked.name, asked.folder, asked.input);
    (done as Promise<unknown>).then(
      (output) => tell({ id, output }),
      (error: unknown) => tell({ id, error: bodyOf(error) }),
    );
  });

  function openWatcher(
    told: WatcherTold,
    listed: (tree: string, args: readonly string[]) => Promise<string>,
  ): IndexWatcher {
    const watcher = createTreeWatcher(
      { clock, git: listed },
      { onChange: told.onChange, onFolders: () => told.onMore(undefined) },
    );
    return {
      async watch(trees) {
        const troubles = await watcher.watch(trees.map((tree) => ({ tree, paths: [], folders: [""] })));
        if (troubles.length > 0) throw new Error(troubles.join("; "));
      },
      stop: watcher.stop,
    };
  }
}

/** A defect keeps its words; the daemon's dispatch logs it. */
function bodyOf(error: unknown): ErrorBody["error"] {
  if (error instanceof DomainError) return toErrorBody(error).error;
  return { code: "internal", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function matcher(pattern: string, field: string): (path: string) => boolean {
  try {
    const compiled = glob(pattern);
    return (path) => {
      try {
        return matches(compiled, path);
      } catch {
        return false; // a name that no pattern can say
      }
    };
  } catch (error) {
    if (error instanceof InvalidPattern) throw invalidInput(field, error.message, { cause: error });
    throw error;
  }
}

function isGiven(data: unknown): data is Given {
  return typeof data === "object" && data !== null && "sylkIndex" in data;
}
