/** Applies a decision to the run or graph that asked for it. */
import type { Approval, RunId } from "../../contract/index.ts";
import type { Asker, DecidePorts } from "../approvals/index.ts";
import { answerNode, type GraphRecord } from "../graphs/index.ts";
import { refuseAtRest } from "../sessions/index.ts";
import { nodesOf } from "./run-nodes.ts";
import type { RunPorts, RunRepositories } from "./run-ports.ts";

type Effects = Pick<DecidePorts, "projectName" | "askerOf" | "refuseAtRest" | "answerNode" | "judgeAgain">;

export function approvalEffects(ports: Pick<RunPorts, "store" | "host">): Effects {
  const { reader } = ports.store;
  const graphOf = async ({ run }: Approval): Promise<GraphRecord> => (await reader.dags.find(run))!;
  return {
    projectName: async (id) => (await reader.projects.find(id))?.name ?? id,
    askerOf: (approval) => askerOf(approval, reader),
    async refuseAtRest(approval) {
      const session = await reader.sessions.find((await graphOf(approval)).session);
      if (session !== undefined) refuseAtRest(session);
    },
    async answerNode(approval, { decision, reason }, caller) {
      const graph = await graphOf(approval);
      await answerNode(graph, { node: approval.node!, decision, reason }, caller, ports);
      // A rejected plan ends its run. Answer only after that end is recorded.
      if (approval.kind === "plan" && decision === "reject") await ports.host.over(graph.id);
    },
    async judgeAgain({ run: id }) {
      const run = await reader.runs.find(id as RunId);
      if (run?.status !== "unverified" || run.outcome !== "open") return;
      const conclusion = (await nodesOf(id, reader.dags)).find(({ spec }) => spec.kind === "conclude")!;
      await ports.host.ended(id);
      await ports.host.launch(id, { retry: [conclusion.id] });
      await ports.host.recorded(id);
    },
  };
}

/** Who asks: the role, with the name of the Engineer where a node of a run waits. */
async function askerOf({ run: id, kind, node }: Approval, { runs, dags }: RunRepositories): Promise<Asker> {
  const run = await runs.find(id as RunId);
  if (run === undefined) return { by: "graph", about: (await dags.find(id))?.name, title: node };
  const about = run.request.split("\n")[0]!.slice(0, 200);
  const known = node === undefined ? undefined : (await nodesOf(id, dags)).find((one) => one.id === node);
  const title = kind === "plan" ? undefined : known?.spec.title;
  const agent = known?.row?.agent;
  if (kind === "plan") return { by: "architect", about };
  if (kind === "evidence") return { by: "inspector", about };
  return { by: agent === undefined ? "engineer" : `engineer ${agent}`, about, title };
}
