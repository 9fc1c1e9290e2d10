/** Handlers of findings: what `contract/finding.ts` names. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { addFinding } from "./add-finding.ts";
import { investigate } from "./investigate.ts";
import { getFinding, listFindings } from "./list-findings.ts";
import { markFinding } from "./mark-finding.ts";
import type { FindingPorts, FindingRepositories } from "./ports.ts";
import { promoteFinding } from "./promote-finding.ts";

export function findingHandlers(ports: FindingPorts): OperationHandlers<FindingRepositories, OperationsOn<"finding">> {
  return {
    "finding.add": (input, call) => addFinding(input, call, ports),
    "finding.list": (input, { caller }) => listFindings(input, caller, ports),
    "finding.get": ({ id }, { caller }) => getFinding(id, caller, ports),
    "finding.mark": (input, call) => markFinding(input, call, ports),
    "finding.investigate": (input, call) => investigate(input, call, ports),
    "finding.promote": (input, call) => promoteFinding(input, call, ports),
  };
}
