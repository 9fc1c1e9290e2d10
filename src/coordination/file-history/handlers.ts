/** Handlers of local history: what `contract/file.ts` names. */
import { inSteps, type OperationHandlers, type OperationsOn } from "../../platform/operations/index.ts";
import { diffVersions } from "./diff-versions.ts";
import { listVersions } from "./list-versions.ts";
import { restoreVersion, type RestorePorts, type RestoreRepositories } from "./restore-version.ts";
import { undoChanges } from "./undo-changes.ts";

export function fileHistoryHandlers(ports: RestorePorts): OperationHandlers<RestoreRepositories, OperationsOn<"file">> {
  return {
    "file.history": (input, { caller }) => listVersions(input, caller, ports),
    "file.diff": (input, { caller }) => diffVersions(input, caller, ports),
    "file.restore": (input, call) => restoreVersion(input, inSteps(call, ports.store), ports),
    "file.undo": (input, call) => undoChanges(input, inSteps(call, ports.store), ports),
  };
}
