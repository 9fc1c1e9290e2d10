/**
 * Watches where git keeps branches and hooks: each move of a branch changes a file there, also one that asks no hook.
 *
 *   <common folder>: HEAD, packed-refs, config     refs/heads and below     logs: HEAD     hooks     reftable
 */
import { existsSync, type FSWatcher, readdirSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../contract/errors.ts";
import type { BranchWatcher } from "../../coordination/gate-watch/index.ts";

type Ports = {
  /** Runs git in a tree and answers with what it prints. */
  readonly git: (tree: string, args: readonly string[]) => Promise<string>;
};

const mostFolders = 500;
/** Of the common folder itself: the index and lock files change at every look of any git. */
const ownFiles: ReadonlySet<string> = new Set(["HEAD", "packed-refs", "config", "hooks", "refs"]);

export function createBranchWatcher({ git }: Ports, onMoved: (tree: string) => void): BranchWatcher {
  const open = new Map<string, FSWatcher>();

  function begin(folder: string, tree: string, accepts: (name: string) => boolean): string | undefined {
    if (open.has(folder)) return undefined;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name === null || accepts(name)) onMoved(tree);
        if (name !== null && /\/refs\/heads(\/|$)/.test(folder)) renew(join(folder, name), tree, accepts);
      });
      watcher.on("error", () => forget(folder)); // the next look tries again
      open.set(folder, watcher);
      return undefined;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === "ENOENT" || code === "ENOTDIR" ? undefined : `${folder} cannot be watched: ${messageOf(error)}`;
    }
  }

  /** A branch with a slash in its name makes a folder, and its removal removes it. */
  function renew(path: string, tree: string, accepts: (name: string) => boolean): void {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) begin(path, tree, accepts);
    else forget(path);
  }

  function forget(folder: string): void {
    open.get(folder)?.close();
    open.delete(folder);
  }

  return {
    async watch(trees) {
      const troubles: string[] = [];
      const wanted = new Set<string>();
      for (const tree of trees) {
        if (!existsSync(join(tree, ".git"))) continue; // a plain folder
        const common = (await git(tree, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).trimEnd();
        const isBranch = (name: string): boolean => !name.endsWith(".lock");
        const folders = [
          ...foldersBelow(join(common, "refs", "heads")),
          join(common, "reftable"),
          join(common, "logs"),
        ];
        const places: readonly [string, (name: string) => boolean][] = [
          [common, (name) => ownFiles.has(name)],
          [join(common, "hooks"), () => true],
          ...folders.map((folder): [string, (name: string) => boolean] => [folder, isBranch]),
        ];
        for (const [folder, accepts] of places) {
          wanted.add(folder);
          const trouble = begin(folder, tree, accepts);
          if (trouble !== undefined) troubles.push(trouble);
        }
      }
      for (const folder of open.keys()) if (!wanted.has(folder)) forget(folder);
      return troubles;
    },
    stop() {
      for (const folder of open.keys()) forget(folder);
    },
  };
}

function foldersBelow(folder: string): readonly string[] {
  const found = [folder];
  for (let at = 0; at < found.length && found.length < mostFolders; at++) {
    try {
      for (const entry of readdirSync(found[at]!, { withFileTypes: true }))
        if (entry.isDirectory()) found.push(join(found[at]!, entry.name));
    } catch {
      // it went meanwhile
    }
  }
  return found;
}
