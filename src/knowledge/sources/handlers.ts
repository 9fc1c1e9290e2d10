/** Handlers of research: what `contract/research.ts` names. */
import { DomainError, type InputOf, type OutputOf, research as contract } from "../../contract/index.ts";
import type { Call, OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import type { createSourceAdder } from "./add-source.ts";
import { askResearch, checkClaim } from "./ask-research.ts";
import { compareApproaches } from "./compare-approaches.ts";
import { findExamples } from "./find-examples.ts";
import type { SourcePorts, SourceRepositories } from "./ports.ts";
import { projectOf } from "./project-of.ts";
import { viewSource } from "./view-source.ts";
import { writePaper } from "./write-paper.ts";

export function researchHandlers(
  ports: SourcePorts,
  adder: ReturnType<typeof createSourceAdder>,
): OperationHandlers<SourceRepositories, OperationsOn<"research">> {
  return {
    "research.add": (input, call) => adder.addSource(input, call),
    async "research.sources"({ kind, cursor, limit }, { caller }) {
      const query = { project: caller.project?.id, kind, before: cursor, limit: limit + 1 };
      const found = (await ports.store.reader.sources.list(query)).map(viewSource);
      const items = found.slice(0, limit);
      return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
    },
    async "research.remove"(input, call) {
      const removed = await removeSource(input, call);
      await adder.sweep();
      return removed;
    },
    "research.ask": (input, call) => askResearch(input, call, ports),
    "research.check": (input, { caller }) => checkClaim(input, caller, ports),
    "research.examples": (input, { caller }) => findExamples(input, projectOf(caller), ports),
    "research.paper": (input, call) => writePaper(input, call, ports),
    "research.compare": (input, call) => compareApproaches(input, call, ports),
  };
}

async function removeSource(
  { id }: InputOf<"research.remove">,
  { caller, transact }: Call<SourceRepositories>,
): Promise<OutputOf<"research.remove">> {
  const project = projectOf(caller);
  return transact(project, async (tx) => {
    const source = await tx.sources.find(id);
    if (source?.project !== project)
      throw new DomainError("source.not-found", `This project has no source ${id}; sylk research sources lists them`, {
        details: { id },
      });
    await tx.sources.leave(id);
    await tx.events.append(project, contract.SourceRemoved.of(id, { source: id, location: source.location }));
    return { source: viewSource(source) };
  });
}
