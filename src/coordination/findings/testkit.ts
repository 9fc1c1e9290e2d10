/** The findings folder as the daemon wires it, over the scratch store of coordination. */
import { operations, parseInput, type OutputOf, type RawInputOf, type RunId } from "../../contract/index.ts";
import { scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { addFinding } from "./index.ts";
import type { FindingPorts } from "./ports.ts";

export type ScratchFindings = Disposable & {
  readonly ports: ScratchPorts;
  readonly findings: FindingPorts;
  add(call: AgentCall, wanted: RawInputOf<"finding.add">): Promise<OutputOf<"finding.add">>;
};

export function scratchFindings(nodesOfRun: readonly string[] = []): ScratchFindings {
  const ports = scratchPorts();
  const sessionKeysOfRun = async (_run: RunId) => nodesOfRun;
  const findings: FindingPorts = { ...ports, workItems: ports, sessionKeysOfRun };
  return {
    ports,
    findings,
    add: (call, wanted) => addFinding(parseInput(operations["finding.add"], wanted), call, findings),
    [Symbol.dispose]: () => ports[Symbol.dispose](),
  };
}

export function aFinding(line: number, other: Partial<RawInputOf<"finding.add">> = {}): RawInputOf<"finding.add"> {
  return {
    summary: "parse() drops the last order",
    severity: "important",
    category: "correctness",
    files: [{ path: "src/orders.ts", line }],
    ...other,
  };
}
