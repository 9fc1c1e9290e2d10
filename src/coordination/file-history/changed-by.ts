/** What one agent changed in a tree, for `sylk commit --agent`; a file that others changed since HEAD comes with a warning. */
import type { AgentCaller } from "../../contract/index.ts";
import { hashOf } from "./content-packs.ts";
import { agentNamed } from "./find-versions.ts";
import type { ListPorts } from "./list-versions.ts";
import type { FileGit } from "./ports.ts";

type Shared = { readonly path: string; readonly warning: string };

export async function changedBy(
  key: string,
  tree: string,
  caller: AgentCaller,
  { store, fileHistory, git }: ListPorts & { readonly git: FileGit },
): Promise<{ readonly paths: ReadonlySet<string>; readonly shared: readonly Shared[] }> {
  const { fileVersions, agents } = store.reader;
  const agent = (await agentNamed(key, caller, agents))!;
  await fileHistory.flush();
  const paths = await fileVersions.paths({ project: caller.project.id, tree, agent: agent.id });
  const committed = await git.committed(tree, paths);
  const [own, shared]: [string[], Shared[]] = [[], []];
  for (const path of paths) {
    const chain = await fileVersions.chain(tree, path);
    const base = committed.get(path);
    const hash = base && hashOf(base.content);
    const since = chain.slice(chain.findLastIndex((version) => version.hash === hash) + 1);
    if (since.some(({ author }) => author?.id === agent.id)) own.push(path);
    const others = new Set(since.flatMap(({ author }) => (author && author.id !== agent.id ? [author.name] : [])));
    if (others.size > 0)
      shared.push({ path, warning: `${path} also has changes of ${[...others].join(", ")}; the commit contains them` });
  }
  return { paths: new Set(own), shared };
}
