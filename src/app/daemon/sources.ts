/** Connects research: the document thread, the network within its limits, clones, the model, and the archive. */
import { openDocumentReader } from "../../adapters/documents/index.ts";
import { createPageFetcher } from "../../adapters/web-pages/index.ts";
import { writeByModel } from "../../agents/academic/index.ts";
import { treeOfCaller } from "../../coordination/registry/index.ts";
import { type CodeIndex, lookInto } from "../../knowledge/code-index/index.ts";
import {
  addStandardHooks,
  archivedResearch,
  createRepositoryOpener,
  createResearch,
  createResearchHooks,
  hashingVectors,
} from "../../knowledge/sources/index.ts";
import type { ToolDiscovery } from "../../knowledge/toolchains/index.ts";
import type { PromptPort } from "../../orchestration/executors/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { composeRemoteScan } from "./remote-scan.ts";

type Around = {
  readonly index: Pick<CodeIndex, "ask" | "forget">;
  readonly discovery: ToolDiscovery;
  readonly prompts: PromptPort;
};

export function composeSources({ store, ids }: DaemonParts, terms: DaemonTerms, { index, discovery, prompts }: Around) {
  const { clock, log, settings } = terms;
  const maxBytes = settings["knowledge.maxBytes"];
  const allowHosts = settings["knowledge.allowHosts"];
  const hooks = createResearchHooks({
    clock,
    onPostFailure: (hook, error) => log.warn("research.hook-failed", { hook, error }),
  });
  const reader = openDocumentReader({ clock });
  const fetchPage = createPageFetcher({ allowHosts, maxBytes, timeoutMs: settings["knowledge.timeoutMs"], clock });
  const vectors = settings["knowledge.vectors"] === "hashing" ? hashingVectors : undefined;
  addStandardHooks({ hooks, store, fetchPage, vectors, cache: archivedResearch(store) });
  const openRepository = createRepositoryOpener({
    scanRemote: composeRemoteScan(terms, index, discovery, allowHosts.replaceAll(/:443(?=[\s,]|$)/g, "")),
    resolve: fetchPage.resolve,
    lookInto: (tree) => lookInto(index, tree),
    toolsIn: (path) => discovery.discover({ session: "scan", agent: "user", category: "all", path }),
  });
  const research = createResearch({
    store,
    clock,
    ids,
    reader,
    fetchPage,
    openRepository,
    hooks,
    vectors,
    maxBytes,
    write: writeByModel(prompts),
    treeOf: (caller) => treeOfCaller(undefined, caller),
  });
  return { ...research, stop: reader.stop };
}
