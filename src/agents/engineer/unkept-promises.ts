/** What an Engineer's node did not do, although its model says that it is done. Found in the tree, not in the model's words. */
import type { PlanNode } from "../../contract/index.ts";
import { isTestFile } from "../../platform/is-test-file.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";

type Ports = Pick<RunContext, "workspace" | "workspaces">;
/** Ends the watch, and says what is missing. */
export type PromiseWatch = (node: Pick<PlanNode, "files" | "prompt">, wrote: boolean) => Promise<readonly string[]>;

export async function watchPromises({ workspace, workspaces }: Ports): Promise<PromiseWatch> {
  const before = await workspaces.contentHash(workspace.tree);
  return async (node, wrote) => {
    // Others write into the same tree: a tree that changed says nothing about this node, one that did not says all.
    const isUnchanged = !wrote && (await workspaces.contentHash(workspace.tree)) === before;
    if (isUnchanged) return ["it changed no file"];
    const promised = promisedTests(node);
    if (promised.length === 0) return [];
    const changed = new Set((await workspaces.changes(workspace)).map(({ path }) => path));
    return promised.some((path) => changed.has(path))
      ? []
      : [`the plan names ${promised.join(", ")}, and it wrote no test there`];
  };
}

const pathLike = /[\w@][\w@./-]{0,200}\.\w{1,8}/g;

/** As the plan lists its files; a plan without a list names them in the prompt. */
function promisedTests({ files, prompt }: Pick<PlanNode, "files" | "prompt">): readonly string[] {
  const named = files ?? [...prompt.matchAll(pathLike)].map(([path]) => path).filter((path) => path.includes("/"));
  return [...new Set(named.map((path) => path.replace(/^\.\//, "")))].filter(isTestFile);
}
