/** A finding becomes a work item: made, linked on both sides and told to the log in one transaction; only once. */
import {
  finding as contract,
  operations,
  parseInput,
  type Finding,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { createWorkItem, viewWorkItem } from "../work-items/index.ts";
import { findFinding } from "./find-finding.ts";
import { viewFinding } from "./finding-view.ts";
import type { FindingPorts, FindingRepositories } from "./ports.ts";
import type { FindingRecord } from "./store.ts";

const priorityOf: Readonly<Record<Finding["severity"], number>> = { blocking: 0, important: 2, informational: 3 };
const longestTitle = 300;

export function promoteFinding(
  { id, priority }: InputOf<"finding.promote">,
  { caller, transact }: AgentCall<FindingRepositories>,
  ports: FindingPorts,
): Promise<OutputOf<"finding.promote">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const record = await findFinding(id, caller, tx);
    const known = record.state.workItem && (await tx.workItems.find(record.state.workItem));
    if (known !== undefined) return { finding: viewFinding(record), workItem: viewWorkItem(known) };
    const inThisTransaction: AgentCall<FindingRepositories> = { caller, transact: (_scope, work) => work(tx) };
    const wanted = parseInput(operations["work-item.create"], {
      title: record.reports[0].summary.slice(0, longestTitle),
      body: bodyFor(record),
      type: "bug",
      priority: priority ?? priorityOf[record.state.worst],
    });
    const { workItem } = await createWorkItem(wanted, inThisTransaction, ports.workItems);
    const linked: FindingRecord = { ...record, state: { ...record.state, workItem: workItem.id } };
    await tx.findings.setState(record.id, linked.state);
    const finding = viewFinding(linked);
    await tx.events.append(record.project, contract.FindingPromoted.of(record.id, { finding }));
    return { finding, workItem };
  });
}

/** The item's side of the link is its first line, so that it survives every export. */
function bodyFor(record: FindingRecord): string {
  const { files, evidence, by } = viewFinding(record);
  const places = files.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  return [`Discovered from ${record.id} (${by})`, ...places, ...(evidence === undefined ? [] : ["", evidence])].join(
    "\n",
  );
}
