/**
 * How far the index is with each tree, for callers that must not wait: the start of a session, the status line.
 *
 *   progress, answers -> the last word about a tree; without one -> its file as the last daemon left it
 *
 * Invariant: no question is asked and no thread is started for it.
 */
import type { CodeAbout, CodeIndexState } from "../../contract/index.ts";
import { readDerivedFile } from "../../platform/store/index.ts";
import type { CodeIndex } from "./code-index.ts";
import { indexFileOf } from "./open-index-file.ts";
import type { IndexProgress } from "./repository-index.ts";
import { schemaVersion } from "./schema.ts";

const mostTrees = 1_000;

/** `folder`: where the files of indexes are. */
export function createIndexStates(folder: string) {
  const states = new Map<string, CodeIndexState>();

  function note(tree: string, files: number, waiting: number, isStopped: boolean): void {
    if (states.size >= mostTrees) states.clear();
    const percent = Math.floor((files / Math.max(1, files + waiting)) * 100);
    states.set(tree, waiting === 0 ? { mode: "indexed" } : { mode: isStopped ? "incomplete" : "indexing", percent });
  }

  return {
    told({ tree, files, waiting, isStopped }: IndexProgress): void {
      note(tree, files, waiting, isStopped);
    },
    /** The same index; its answers are noted. */
    noting<Asked extends Pick<CodeIndex, "ask">>(index: Asked): Asked {
      const ask: CodeIndex["ask"] = async (name, tree, input) => {
        const answer = await index.ask(name, tree, input);
        const { about } = answer as { readonly about: CodeAbout };
        note(about.tree, about.files, about.notIndexed.waiting, about.failed.length > 0);
        return answer;
      };
      return { ...index, ask };
    },
    /** What was said of trees is not sure any more. */
    clear: () => states.clear(),
    /** What is known without looking at the disk. */
    lastOf: (tree: string): CodeIndexState | undefined => states.get(tree),
    /** `repository`: the folder that all its working trees share. */
    stateOf: (tree: string, repository: string): CodeIndexState =>
      states.get(tree) ?? { mode: isKept(indexFileOf(folder, repository), tree) ? "indexed" : "absent" },
  };
}

/** Whether an earlier daemon has read all of the tree. */
function isKept(file: string, tree: string): boolean {
  const row = readDerivedFile(file, schemaVersion, (sql) =>
    sql.get(
      `SELECT NOT EXISTS (SELECT 1 FROM blob b JOIN tree_file f ON f.blob = b.id AND f.tree = t.id
       WHERE b.state = 'waiting') AS whole FROM tree t WHERE t.path = ?`,
      tree,
    ),
  );
  return row?.whole === 1;
}
