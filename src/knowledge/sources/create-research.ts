/** Research as one part of the daemon: its handlers, and what a role can do with it for a session. */
import type {
  AgentCaller,
  AgentRef,
  ArchiveSession,
  InputOf,
  OutputOf,
  ProjectId,
  ResearchAnswer,
} from "../../contract/index.ts";
import { DomainError } from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { createSourceAdder } from "./add-source.ts";
import { answerQuestion, type ResearchQuestion } from "./ask-research.ts";
import { researchHandlers } from "./handlers.ts";
import type { SourcePorts, SourceRepositories } from "./ports.ts";
import type { ResearchHooks } from "./research-hooks.ts";

/** Where a role was asked. */
export type ResearchPlace = {
  readonly project: ProjectId | undefined;
  readonly tree: string;
  readonly session?: ArchiveSession;
};
type ResearchName = keyof ReturnType<typeof researchHandlers>;
/** Calls an operation of research for a place; a role reads in its tree only. */
export type ResearchDesk = {
  <Name extends ResearchName>(name: Name, input: InputOf<Name>, signal: AbortSignal): Promise<OutputOf<Name>>;
  /** Answers without a trace: no event, and the archive keeps nothing. For what only reads. */
  readonly peek: (question: ResearchQuestion, signal: AbortSignal) => Promise<ResearchAnswer>;
};

const noHooks: ResearchHooks = { add: () => {}, before: async () => undefined as never, after: async () => {} };
const academic = { id: "agt_academic", name: "academic", client: "other" } as unknown as AgentRef;

export function createResearch(ports: SourcePorts) {
  const adder = createSourceAdder(ports);
  const handlers = researchHandlers(ports, adder);
  const deskOf = (project: ProjectId, { tree, session }: ResearchPlace): ResearchDesk => {
    const own = researchHandlers({ ...ports, sessionOf: async () => session }, adder);
    const caller: AgentCaller = {
      kind: "agent",
      agent: academic,
      project: { id: project, name: "", path: tree },
      tree,
    };
    const operate = <Name extends ResearchName>(name: Name, input: InputOf<Name>, signal: AbortSignal) => {
      const call: Call<SourceRepositories, AgentCaller> = { caller, transact: ports.store.transact, signal };
      return own[name](input, call);
    };
    return Object.assign(operate, {
      peek: (question: ResearchQuestion, signal: AbortSignal) =>
        answerQuestion(question, project, { ...ports, hooks: noHooks }, signal),
    });
  };
  return {
    handlers,
    /** Removes what an earlier daemon left half read. */
    sweep: adder.sweep,
    at(place: ResearchPlace): ResearchDesk {
      if (place.project !== undefined) return deskOf(place.project, place);
      const refuse = async (): Promise<never> => {
        throw new DomainError("project.not-found", "Research needs a project; ask from inside a repository");
      };
      return Object.assign(refuse, { peek: refuse });
    },
    /** Undefined while no project is known there. */
    known: (place: ResearchPlace): ResearchDesk | undefined =>
      place.project === undefined ? undefined : deskOf(place.project, place),
  };
}
