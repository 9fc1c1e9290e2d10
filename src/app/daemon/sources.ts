/** Connects research: the document thread, the network within its limits, clones, the model, and the archive. */
import { openDocumentReader } from "../../adapters/documents/index.ts";
import { createPageFetcher } from "../../adapters/web-pages/index.ts";
import { createAcademic, writeByModel } from "../../agents/academic/index.ts";
import { treeOfCaller } from "../../coordination/registry/index.ts";
import { type CodeIndex, lookInto } from "../../knowledge/code-index/index.ts";
import {
  addStandardHooks,
  archivedResearch,
  createRepositoryOpener,
  createResearch,
  createResearchHooks,
  hashingVectors,
  type SourcePorts,
} from "../../knowledge/sources/index.ts";
import type { ToolDiscovery } from "../../knowledge/toolchains/index.ts";
import { placeOfMessage } from "../../orchestration/ask/index.ts";
import type { PromptPort } from "../../orchestration/executors/index.ts";
import type { DaemonParts, DaemonTerms } from "./parts.ts";
import { composeRemoteScan } from "./remote-scan.ts";
import type { composeTools } from "./tools.ts";

type Around = {
  readonly index: Pick<CodeIndex, "ask" | "forget">;
  readonly discovery: ToolDiscovery;
  readonly prompts: PromptPort;
  readonly sessionOf: SourcePorts["sessionOf"];
};

export function composeSources(
  { store, ids }: DaemonParts,
  terms: DaemonTerms,
  { index, discovery, prompts, sessionOf }: Around,
) {
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
    sessionOf,
  });
  const academic = ({ toolNames, withResearch }: Pick<ReturnType<typeof composeTools>, "toolNames" | "withResearch">) =>
    createAcademic({
      researchOf: async (message) =>
        research.known({ ...(await placeOfMessage(message, store.reader)), session: message.session }),
      toolNames,
      withResearch,
      year: () => new Date(clock.now()).getUTCFullYear(),
    });
  return { ...research, academic, stop: reader.stop };
}
