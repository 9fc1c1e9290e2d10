/** Connects the code index: its thread, the trees that callers may read, the event log. */
import { join } from "node:path";
import { openCodeIndex } from "../../adapters/index-threads/index.ts";
import type { Project } from "../../contract/index.ts";
import { treeOfCaller } from "../../coordination/registry/index.ts";
import { type CodePorts, codeHandlers, createIndexStates, reportProgress } from "../../knowledge/code-index/index.ts";
import { mergeHandlers } from "../../platform/operations/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { composePrecise } from "./precise.ts";
import { indexLimits } from "./settings.ts";

export function composeCodeIndex(parts: DaemonParts, terms: DaemonTerms, onFailed: (error: unknown) => void) {
  const { paths, settings, env, log } = terms;
  const { store } = parts;
  const progress = reportProgress({ store, onFailed });
  const folder = join(paths.home, "index");
  const states = createIndexStates(folder);
  const index = openCodeIndex(
    { folder, limits: indexLimits(settings), env, watches: true },
    {
      onProgress(told) {
        states.told(told);
        progress.told(told);
      },
      onTrouble(what) {
        states.clear();
        log.warn("code-index.trouble", { what });
      },
      onChanged: (tree, changes) => precise.filesChanged(tree, changes),
    },
  );
  const treeOf: CodePorts["treeOf"] = async (named, caller) => {
    const tree = await treeOfCaller(named, caller);
    if (caller.project !== undefined) progress.asked(tree, caller.project.id);
    return tree;
  };
  const precise = composePrecise(parts, terms, { index: states.noting(index), treeOf });
  const forget = async (common: string): Promise<void> => {
    states.clear();
    await Promise.all([index.forget(common), precise.forget(common)]);
  };
  return {
    index: { ...precise.index, forget },
    states,
    handlers: mergeHandlers(codeHandlers({ index: precise.index, treeOf }), precise.handlers),
    async forget({ id, path }: Project): Promise<void> {
      progress.forget(id);
      await forget(path);
    },
    async stop(): Promise<void> {
      await precise.stop();
      await index.stop();
    },
  };
}
