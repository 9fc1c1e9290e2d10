/** Connects the operations on runs, graphs and approvals with the graph host. */
import { RoleName } from "../../contract/index.ts";
import { plainArgv } from "../../adapters/shell-writes/index.ts";
import { personHolds } from "./person-holds.ts";
import type { InstallRequests } from "../../knowledge/toolchains/index.ts";
import { approvalHandlers } from "../../orchestration/approvals/index.ts";
import { dagHandlers, type GraphHost } from "../../orchestration/graphs/index.ts";
import { approvalEffects, runHandlers, type RunPorts } from "../../orchestration/runs/index.ts";
import { mergeHandlers, type OperationHandlers, type OperationsOn } from "../../platform/operations/index.ts";
import { pathProblem } from "./dag-reservations.ts";
import type { DaemonParts, Repositories, DaemonTerms } from "./parts.ts";

type Wiring = Pick<
  RunPorts,
  "workspaces" | "mergeChange" | "checkModel" | "commandEnvironment" | "reviewersAt" | "sandboxNotice" | "sessionRoom"
> & {
  readonly host: GraphHost<Repositories>;
  /** Installations that agents ask for. */
  readonly installs: InstallRequests;
};

export function graphHandlers(
  parts: DaemonParts,
  terms: DaemonTerms,
  wiring: Wiring,
): OperationHandlers<Repositories, OperationsOn<"run" | "dag" | "approval">> {
  const { log, redactor } = terms;
  const { installs } = wiring;
  const ports = { ...parts, ...wiring, log };
  const rules = {
    splitCommand: plainArgv,
    clean: redactor.value,
    pathProblem,
    roles: RoleName.exclude(["user"]).options,
  };
  return mergeHandlers(
    runHandlers(ports),
    dagHandlers({ ...ports, rules }),
    approvalHandlers({ ...parts, ...approvalEffects(ports), holds: personHolds(parts, terms), installs }),
  );
}
