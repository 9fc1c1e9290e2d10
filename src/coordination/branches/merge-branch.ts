/** A finished branch into its target: the calls that wait for their turn are the queue, in the order in which they came. */
import type { InputOf, OutputOf } from "../../contract/index.ts";
import { requireLiveAgent, treeOfProject } from "../registry/index.ts";
import { mergeInTurn, type BranchCall, type BranchPorts } from "./merge-in-turn.ts";

export async function mergeBranch(
  { branch, into, tree: wanted, waitMs }: InputOf<"branch.merge">,
  call: BranchCall,
  ports: BranchPorts,
): Promise<OutputOf<"branch.merge">> {
  const tree = await treeOfProject(wanted, call.caller);
  await call.transact(call.caller.project.id, (tx) => requireLiveAgent(call.caller, tx));
  const place = await ports.merger.locate(tree, { branch, into });
  return mergeInTurn(place, { conflictTo: "queue", forward: false, waitMs }, call, ports);
}
