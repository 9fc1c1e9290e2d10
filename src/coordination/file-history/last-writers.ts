/** The agents that wrote files last since they were as in HEAD, as far as their versions say. */
import type { AgentRef } from "../../contract/index.ts";
import { hashOf } from "./content-packs.ts";
import type { FileHistory } from "./file-history.ts";
import type { FileHistoryPorts } from "./ports.ts";

/** Of more files the rest is not looked up: one is enough to refuse a command. */
const mostFiles = 200;

type Ports = Pick<FileHistoryPorts, "store" | "git"> & { readonly fileHistory: Pick<FileHistory, "flush"> };

export async function lastWriters(
  tree: string,
  paths: readonly string[],
  { store, git, fileHistory }: Ports,
): Promise<ReadonlyMap<string, AgentRef>> {
  await fileHistory.flush();
  const writers = new Map<string, AgentRef>();
  const known: { readonly path: string; readonly chain: Awaited<ReturnType<typeof chainOf>> }[] = [];
  const chainOf = (path: string) => store.reader.fileVersions.chain(tree, path);
  for (const path of paths) {
    const chain = await chainOf(path);
    if (chain.some(({ author }) => author !== undefined)) known.push({ path, chain });
    if (known.length === mostFiles) break;
  }
  if (known.length === 0) return writers;
  const committed = await git.committed(
    tree,
    known.map(({ path }) => path),
  );
  for (const { path, chain } of known) {
    const base = committed.get(path);
    const hash = base && hashOf(base.content);
    const since = chain.slice(chain.findLastIndex((version) => version.hash === hash) + 1);
    const author = since.findLast((version) => version.author !== undefined)?.author;
    if (author !== undefined) writers.set(path, author);
  }
  return writers;
}
