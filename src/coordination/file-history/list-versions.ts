/** The kept versions, newest first. What was seen until now is made durable first, so that a listed version is. */
import type { AgentCaller, InputOf, OutputOf } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { AgentRepository } from "../registry/index.ts";
import type { FileHistory } from "./file-history.ts";
import { agentNamed, pathInTree, treeOfProject } from "./find-versions.ts";
import type { FileHistoryRepositories } from "./ports.ts";
import { viewVersion } from "./version-view.ts";

export type ListPorts = {
  readonly store: Store<FileHistoryRepositories & { readonly agents: AgentRepository }>;
  readonly fileHistory: FileHistory;
};

export async function listVersions(
  { path, agent: key, since, tree: folder, cursor, limit }: InputOf<"file.history">,
  caller: AgentCaller,
  { store, fileHistory }: ListPorts,
): Promise<OutputOf<"file.history">> {
  const tree = await treeOfProject(folder, caller, store.reader);
  const agent = await agentNamed(key, caller, store.reader.agents);
  await fileHistory.flush();
  const found = await store.reader.fileVersions.list({
    project: caller.project.id,
    tree,
    path: path === undefined ? undefined : await pathInTree(path, tree, store.reader),
    agent: agent?.id,
    since,
    before: cursor,
    limit: limit + 1,
  });
  const items = found.slice(0, limit).map(viewVersion);
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}
