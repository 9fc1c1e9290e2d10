/** Connects the code index: its thread, the trees that callers may read, the event log. */
import { join } from "node:path";
import { openCodeIndex } from "../../adapters/index-threads/index.ts";
import { treeOfCaller } from "../../coordination/registry/index.ts";
import { codeHandlers, reportProgress } from "../../knowledge/code-index/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { indexLimits } from "./settings.ts";

export function composeCodeIndex(
  { store }: DaemonParts,
  { paths, settings, env, log }: DaemonTerms,
  onFailed: (error: unknown) => void,
) {
  const progress = reportProgress({ store, onFailed });
  const index = openCodeIndex(
    { folder: join(paths.home, "index"), limits: indexLimits(settings), env, watches: true },
    { onProgress: progress.told, onTrouble: (what) => log.warn("code-index.trouble", { what }) },
  );
  const handlers = codeHandlers({
    index,
    async treeOf(folder, caller) {
      const tree = await treeOfCaller(folder, caller);
      if (caller.project !== undefined) progress.asked(tree, caller.project.id);
      return tree;
    },
  });
  return { index, handlers, stop: () => index.stop() };
}
