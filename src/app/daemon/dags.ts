/** DAG runs in the daemon: the handlers of their operations. */
import type { DagId, OperationName } from "../../contract/index.ts";
import { plainArgv } from "../../adapters/shell-writes/index.ts";
import { pathProblem } from "./dag-reservations.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import {
  adjustDag,
  answerNode,
  cancelDag,
  type DagPorts,
  listDags,
  pauseDag,
  resumeDag,
  retryNode,
  showDag,
  skipNode,
  startDagRun,
} from "../../orchestration/dag-runs/index.ts";
import { commandEnvironment, type RunPorts } from "../../orchestration/runs/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";

export type DagOperation = Extract<OperationName, `dag.${string}`>;
type DagHandlers = OperationHandlers<Repositories, DagOperation>;
type Ports = Pick<DagPorts, "host" | "checkModel" | "sessionRoom">;

export function composeDags(
  parts: Parts,
  { log, env, redactor }: Terms,
  wanted: Ports,
): { readonly handlers: DagHandlers; readonly answer: RunPorts["answerNode"] } {
  const rules = { splitCommand: plainArgv, clean: redactor.value, pathProblem };
  const ports: DagPorts = { ...parts, ...wanted, log, rules };
  const handlers: DagHandlers = {
    "dag.run": (input, call) =>
      startDagRun({ ...input, environment: commandEnvironment(input.environment, env) }, call, ports),
    "dag.list": (input, { caller }) => listDags(input, caller, ports),
    "dag.show": (input, { caller }) => showDag(input, caller, ports),
    "dag.cancel": (input, call) => cancelDag(input, call, ports),
    "dag.pause": (input, call) => pauseDag(input, call, ports),
    "dag.resume": (input, call) => resumeDag(input, call, ports),
    "dag.retry": (input, call) => retryNode(input, call, ports),
    "dag.skip": (input, call) => skipNode(input, call, ports),
    "dag.answer": (input, call) => answerNode(input, call, ports),
    "dag.adjust": (input, call) => adjustDag(input, call, ports),
  };
  const answer: RunPorts["answerNode"] = async ({ run, node = "" }, decided, caller) =>
    void (await answerNode({ id: run as DagId, node, ...decided }, { caller }, ports));
  return { handlers, answer };
}
