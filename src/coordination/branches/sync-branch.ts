/** Upstream into an agent's tree, damped: what comes too soon is kept, and due later. */
import type { InputOf, OutputOf } from "../../contract/index.ts";
import { requireLiveAgent, treeOfProject } from "../registry/index.ts";
import { mergeInTurn, type BranchCall, type BranchPorts } from "./merge-in-turn.ts";

export async function syncBranch(
  { from, tree: wanted }: InputOf<"branch.sync">,
  call: BranchCall,
  ports: BranchPorts,
): Promise<OutputOf<"branch.sync">> {
  const { project, agent } = call.caller;
  const tree = await treeOfProject(wanted, call.caller);
  await call.transact(project.id, (tx) => requireLiveAgent(call.caller, tx));
  const place = await ports.merger.locate(tree, { branch: from });
  const { inMs, batched } = ports.catchUp.mayTakeOver(project.id, agent.id);
  if (inMs > 0) {
    const { branch, into, head: commit } = place;
    return { state: "later", branch, into, commit, paths: [], told: [], nextInMs: Math.ceil(inMs), batched };
  }
  const done = await mergeInTurn(place, { conflictTo: "own", forward: true, waitMs: 0 }, call, ports);
  ports.catchUp.tookOver(agent.id);
  return { ...done, batched };
}
