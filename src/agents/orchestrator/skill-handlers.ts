/**
 * The handlers of the Orchestrator's skills, which show and change the graphs of a session.
 *
 *   dag_id | the session's newest graph -> same session? -> shown | changed
 *
 * Invariant: a graph of another session can be shown, but never changed.
 */
import { type Dag, DagId, DomainError, type OutputOf, type SessionId } from "../../contract/index.ts";
import { callable, type CallableSkill, insideRun, type SkillCall } from "../skills/index.ts";
import {
  cancelExecution,
  executeDag,
  getNodeResult,
  getStatus,
  pauseExecution,
  resumeExecution,
  retryNode,
  skipNode,
} from "./skills.ts";

type Graph = Promise<{ readonly dag: Dag }>;
export type OrchestratorPorts = {
  list(session: SessionId): Promise<OutputOf<"dag.list">>;
  show(id: DagId, node?: string): Graph;
  cancel(id: DagId): Graph;
  pause(id: DagId): Graph;
  resume(id: DagId): Graph;
  retry(id: DagId, node: string): Graph;
  skip(id: DagId, node: string, treatAsDone: boolean): Graph;
};

export function orchestratorCallables(ports: OrchestratorPorts): readonly CallableSkill[] {
  const idOf = async (given: string | undefined, { session }: SkillCall): Promise<DagId> => {
    if (given !== undefined) return checkedId(given);
    const [newest] = (await ports.list(session)).items;
    if (newest !== undefined) return newest.id;
    throw new DomainError(
      "dag.not-found",
      `${session} has no graph. Name one by dag_id, or start one with "sylk dag run <file>".`,
      {
        details: { session },
      },
    );
  };
  const own = async (given: string | undefined, call: SkillCall): Promise<DagId> => {
    const id = await idOf(given, call);
    const { session } = (await ports.show(id)).dag;
    if (session === call.session) return id;
    throw new DomainError(
      "caller.denied",
      `${id} belongs to ${session}, so ${call.session} can only read it. Switch first with "sylk session switch ${session}".`,
      { details: { needed: `an agent of ${session}` } },
    );
  };
  return [
    insideRun(executeDag, "sylk dag run <file> runs a graph of your own"),
    callable(getStatus, "read", ({ dag_id: id }, { session }) =>
      id === undefined ? ports.list(session) : ports.show(checkedId(id)),
    ),
    callable(cancelExecution, "change", async ({ dag_id: id }, call) => ports.cancel(await own(id, call))),
    callable(pauseExecution, "change", async ({ dag_id: id }, call) => ports.pause(await own(id, call))),
    callable(resumeExecution, "change", async ({ dag_id: id }, call) => ports.resume(await own(id, call))),
    callable(retryNode, "change", async ({ dag_id: id, node_id: node }, call) =>
      ports.retry(await own(id, call), node),
    ),
    callable(skipNode, "change", async ({ dag_id: id, node_id: node, treat_as_done: done = false }, call) =>
      ports.skip(await own(id, call), node, done),
    ),
    callable(getNodeResult, "read", async ({ dag_id: id, node_id: node }, call) =>
      ports.show(await idOf(id, call), node),
    ),
  ];
}

function checkedId(given: string): DagId {
  const { data, error } = DagId.safeParse(given);
  if (error === undefined) return data;
  const message = `${error.issues[0]!.message}; get_status lists the graphs of the session`;
  throw new DomainError("input.invalid", `dag_id: ${message}`, {
    details: { problems: [{ path: "dag_id", message }] },
  });
}
