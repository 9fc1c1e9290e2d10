/** Research as one part of the daemon: its handlers, and what a role can do with it for a session. */
import type { AgentCaller, AgentRef, ArchiveSession, InputOf, OutputOf, ProjectId } from "../../contract/index.ts";
import { DomainError } from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { createSourceAdder } from "./add-source.ts";
import { researchHandlers } from "./handlers.ts";
import type { SourcePorts, SourceRepositories } from "./ports.ts";

/** Where a role was asked. */
export type ResearchPlace = {
  readonly project: ProjectId | undefined;
  readonly tree: string;
  readonly session?: ArchiveSession;
};
type ResearchName = keyof ReturnType<typeof researchHandlers>;
/** Calls an operation of research for a place; a role reads in its tree only. */
export type ResearchDesk = <Name extends ResearchName>(
  name: Name,
  input: InputOf<Name>,
  signal: AbortSignal,
) => Promise<OutputOf<Name>>;

const academic = { id: "agt_academic", name: "academic", client: "other" } as unknown as AgentRef;

export function createResearch(ports: SourcePorts) {
  const adder = createSourceAdder(ports);
  const handlers = researchHandlers(ports, adder);
  const deskOf = (project: ProjectId, { tree, session }: ResearchPlace): ResearchDesk => {
    const own = researchHandlers({ ...ports, sessionOf: async () => session }, adder);
    return (name, input, signal) => {
      const caller: AgentCaller = {
        kind: "agent",
        agent: academic,
        project: { id: project, name: "", path: tree },
        tree,
      };
      const call: Call<SourceRepositories, AgentCaller> = { caller, transact: ports.store.transact, signal };
      return own[name](input, call);
    };
  };
  return {
    handlers,
    /** Removes what an earlier daemon left half read. */
    sweep: adder.sweep,
    at(place: ResearchPlace): ResearchDesk {
      if (place.project !== undefined) return deskOf(place.project, place);
      return async () => {
        throw new DomainError("project.not-found", "Research needs a project; ask from inside a repository");
      };
    },
    /** Undefined while no project is known there. */
    known: (place: ResearchPlace): ResearchDesk | undefined =>
      place.project === undefined ? undefined : deskOf(place.project, place),
  };
}
