/** Handlers of work items: what `contract/work-item.ts`, `handoff.ts` and `work-item-exchange.ts` name. */
import {
  type AgentCall,
  type OperationHandlers,
  type OperationsOn,
  overProjects,
} from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { exportLines } from "./beads-format/export-lines.ts";
import { type BeadsRepositories, importLines } from "./beads-format/import-lines.ts";
import { claimWorkItem } from "./claim-work-item.ts";
import { closeWorkItem } from "./close-work-item.ts";
import { createWorkItem } from "./create-work-item.ts";
import { giveUpWorkItem } from "./give-up-work-item.ts";
import { handOffWorkItem } from "./hand-over-work-item.ts";
import { getWorkItem, listNotices, listWorkItems } from "./list-work-items.ts";
import type { WorkItemPorts, WorkItemRepositories } from "./ports.ts";
import { readyWorkItems } from "./ready-work-items.ts";
import { reportProgress } from "./report-progress.ts";
import { markStuck } from "./stuck-work-item.ts";
import { updateWorkItem } from "./update-work-item.ts";

export type WorkItemHandlerPorts<Repositories extends BeadsRepositories> = WorkItemPorts & {
  readonly store: Store<Repositories>;
  /** A call whose transaction also changes what depends on this item: closing an item fixes its finding. */
  readonly whenClosing: (item: string, call: AgentCall<Repositories>) => AgentCall<WorkItemRepositories>;
};

export function workItemHandlers<Repositories extends BeadsRepositories>(
  ports: WorkItemHandlerPorts<Repositories>,
): OperationHandlers<Repositories, OperationsOn<"work-item">> {
  return {
    "work-item.create": (input, call) => createWorkItem(input, call, ports),
    "work-item.update": (input, call) => updateWorkItem(input, call, ports),
    "work-item.list": (input, { caller }) => listWorkItems(input, overProjects(caller, input.all), ports),
    "work-item.ready": (input, { caller }) => readyWorkItems(input, overProjects(caller, input.all), ports),
    "work-item.get": ({ id }, { caller }) => getWorkItem(id, caller, ports),
    "work-item.claim": ({ id }, call) => claimWorkItem(id, call, ports),
    "work-item.unclaim": ({ id }, call) => giveUpWorkItem(id, "kept", call, ports),
    "work-item.release": ({ id }, call) => giveUpWorkItem(id, "reopened", call, ports),
    "work-item.close": (input, call) => closeWorkItem(input, ports.whenClosing(input.id, call), ports),
    "work-item.progress": (input, call) => reportProgress(input, call, ports),
    "work-item.stuck": (input, call) => markStuck(input, call, ports),
    "work-item.handoff": (input, call) => handOffWorkItem(input, call, ports),
    "work-item.notices": (input, { caller }) => listNotices(input, caller, ports),
    "work-item.import": (input, call) => importLines(input, call, ports),
    "work-item.export": (input, { caller }) => exportLines(input, caller, ports),
  };
}
