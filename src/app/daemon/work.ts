/** Work items and claims, wired: which function answers which operation. */
import type { OperationName } from "../../contract/index.ts";
import { exportLines, importLines } from "../../coordination/beads/index.ts";
import {
  claimWorkItem,
  createWorkItem,
  getWorkItem,
  giveUpWorkItem,
  handOffWorkItem,
  listNotices,
  listWorkItems,
  markStuck,
  readyWorkItems,
  reportProgress,
  updateWorkItem,
  type WorkItemPorts,
  type WorkItemSettings,
} from "../../coordination/work-items/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import type { Settings } from "../../platform/config/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";

/** Closing a work item also fixes the finding it was made from: mail.ts has that. */
export type WorkOperation = Exclude<Extract<OperationName, `work-item.${string}`>, "work-item.close">;

export function workItemPorts(parts: Parts, { settings, settingsOfTree }: Terms): WorkItemPorts & Parts {
  return {
    ...parts,
    answerWithinMs: settings["work.answerWithinMs"],
    settingsFor: async (tree) => workItemSettings(await settingsOfTree(tree)),
  };
}

export function composeWork(ports: WorkItemPorts & Parts): OperationHandlers<Repositories, WorkOperation> {
  return {
    "work-item.create": (input, call) => createWorkItem(input, call, ports),
    "work-item.update": (input, call) => updateWorkItem(input, call, ports),
    "work-item.list": (input, { caller }) => listWorkItems(input, caller, ports),
    "work-item.ready": (input, { caller }) => readyWorkItems(input, caller, ports),
    "work-item.get": ({ id }, { caller }) => getWorkItem(id, caller, ports),
    "work-item.claim": ({ id }, call) => claimWorkItem(id, call, ports),
    "work-item.unclaim": ({ id }, call) => giveUpWorkItem(id, "kept", call, ports),
    "work-item.release": ({ id }, call) => giveUpWorkItem(id, "reopened", call, ports),
    "work-item.progress": (input, call) => reportProgress(input, call, ports),
    "work-item.stuck": (input, call) => markStuck(input, call, ports),
    "work-item.handoff": (input, call) => handOffWorkItem(input, call, ports),
    "work-item.notices": (input, call) => listNotices(input, call.caller, ports),
    "work-item.import": (input, call) => importLines(input, call, ports),
    "work-item.export": (input, { caller }) => exportLines(input, caller, ports),
  };
}

export function workItemSettings(settings: Settings): WorkItemSettings {
  return {
    claimTtlMs: settings["work.claimTtlMs"],
    maxClaimsPerAgent: settings["work.maxClaimsPerAgent"],
    stallAfterMs: settings["work.stallAfterMs"],
  };
}
