/**
 * Which files of a tree differ from its last commit, and who wrote each last: one look per tree serves all its agents.
 *
 *   asked -> known: answered from memory, looked at again behind it when older than a second
 *         -> not known yet: waited for briefly, else absent this time
 *
 * Looks run one after the other, so that a home with hundreds of trees never starts hundreds of git processes.
 */
import type { AgentId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

/** Authors by path; undefined for a file whose author is not known. */
export type ChangedFiles = ReadonlyMap<string, AgentId | undefined>;
export type TreeChanges = {
  /** The last known state of each tree; a tree of which nothing can be found out is left out. */
  known(trees: readonly string[]): Promise<ReadonlyMap<string, ChangedFiles>>;
  /** Looks now; undefined where that fails or takes too long. */
  look(tree: string): Promise<ChangedFiles | undefined>;
};

const freshMs = 1_000;
const keptMs = 60_000;
const firstWithinMs = 250;
const lookWithinMs = 2_000;
const gitWithinMs = 10_000;
const mostTrees = 500;

type Known = { readonly at: number; readonly files: ChangedFiles | undefined };

export function createTreeChanges({
  read,
  clock,
}: {
  /** Throws where the tree is gone or git fails. */
  readonly read: (tree: string) => Promise<ChangedFiles>;
  readonly clock: Clock;
}): TreeChanges {
  const memory = new Map<string, Known>();
  const underWay = new Map<string, Promise<ChangedFiles | undefined>>();
  /** Of trees that are not known yet: calls at one time share a wait, so a git that hangs delays no later call. */
  const patience = new Map<string, Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();

  function lookOnce(tree: string): Promise<ChangedFiles | undefined> {
    const running = underWay.get(tree);
    if (running !== undefined) return running;
    const looked = last.then(async () => {
      // Gone, no repository, or a git that hangs: not known, and the next tree has its turn.
      const files = await within(clock, gitWithinMs, read(tree)).catch(() => undefined);
      memory.delete(tree);
      memory.set(tree, { at: clock.monotonic(), files });
      if (memory.size > mostTrees) memory.delete(memory.keys().next().value!);
      underWay.delete(tree);
      patience.delete(tree);
      return files;
    });
    last = looked;
    underWay.set(tree, looked);
    return looked;
  }
  return {
    async known(trees) {
      const now = clock.monotonic();
      const first: Promise<unknown>[] = [];
      for (const tree of new Set(trees)) {
        const age = now - (memory.get(tree)?.at ?? -Infinity);
        if (age < freshMs) continue;
        const looked = lookOnce(tree);
        if (age <= keptMs) continue;
        const waited = patience.get(tree) ?? within(clock, firstWithinMs, looked);
        patience.set(tree, waited);
        first.push(waited);
      }
      await Promise.all(first);
      const isOld = (known: Known): boolean => clock.monotonic() - known.at > keptMs;
      return new Map(
        trees.flatMap((tree) => {
          const known = memory.get(tree);
          return known?.files === undefined || isOld(known) ? [] : [[tree, known.files] as const];
        }),
      );
    },
    look: (tree) => within(clock, lookWithinMs, lookOnce(tree)),
  };
}

function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(undefined), { keepAlive: true });
    work.finally(() => timer.cancel()).then(resolve, reject);
  });
}

export type Uncommitted = { readonly count: number; readonly paths: string[] };

/** Of one agent; undefined where a file without a known author may be its. */
export function uncommittedOf(agent: AgentId, files: ChangedFiles | undefined, most: number): Uncommitted | undefined {
  if (files === undefined) return undefined;
  const own = [...files].filter(([, author]) => author === agent).map(([path]) => path);
  const isUnsure = own.length === 0 && [...files.values()].includes(undefined);
  return isUnsure ? undefined : { count: own.length, paths: own.slice(0, most) };
}
