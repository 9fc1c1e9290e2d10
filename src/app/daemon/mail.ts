/** The composition root's part for mail and findings: their ports, and the handlers of their operations. */
import type { OperationName } from "../../contract/index.ts";
import {
  addFinding,
  alsoFixing,
  type FindingPorts,
  getFinding,
  investigate,
  listFindings,
  markFinding,
  promoteFinding,
  remindHolder,
} from "../../coordination/findings/index.ts";
import {
  ackMail,
  createRateWindow,
  getMail,
  type MailPorts,
  overdueAcks,
  pendingFor,
  readInbox,
  searchMail,
  sendMail,
  setContactPolicy,
  subscribeToTopic,
} from "../../coordination/mail/index.ts";
import { heartbeatAgent } from "../../coordination/registry/index.ts";
import { closeWorkItem, type WorkItemPorts } from "../../coordination/work-items/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import type { Settings } from "../../platform/config/index.ts";
import type { OperationHandlers } from "../../platform/operations/index.ts";

/** A heartbeat tells what waits; closing a work item fixes the finding it was made from. */
export type MailOperation =
  | Extract<OperationName, `${"mail" | "finding"}.${string}`>
  | "agent.heartbeat"
  | "work-item.close";

export function mailHandlers(
  parts: Parts,
  terms: Terms,
  workItems: WorkItemPorts,
): OperationHandlers<Repositories, MailOperation> {
  const mail: MailPorts = {
    ...parts,
    rates: createRateWindow(parts.clock),
    settingsFor: async (tree) => mailSettings(await terms.settingsOfTree(tree)),
  };
  const findings: FindingPorts = {
    ...parts,
    workItems,
    // An Engineer registers with its node as session key.
    sessionKeysOfRun: async (run) => (await parts.store.reader.runs.nodesOf(run)).map(({ id }) => id),
  };
  return {
    "agent.heartbeat": async ({ id }, { caller }) => {
      const { agent, ...heard } = await heartbeatAgent(id, caller, parts);
      await remindHolder(agent, findings);
      return { ...heard, agent, pending: await pendingFor(id, agent.project.id, parts) };
    },
    "work-item.close": (input, call) => closeWorkItem(input, alsoFixing(input.id, call, findings), workItems),
    "mail.send": (input, call) => sendMail(input, call, mail),
    "mail.inbox": (input, call) => readInbox(input, call, mail),
    "mail.search": (input, { caller }) => searchMail(input, caller, mail),
    "mail.get": (input, { caller }) => getMail(input, caller, mail),
    "mail.ack": ({ id }, call) => ackMail(id, call, mail),
    "mail.overdue": (input, { caller }) => overdueAcks(input, caller, mail),
    "mail.subscribe": (input, call) => subscribeToTopic(input, call),
    "mail.policy": (input, call) => setContactPolicy(input, call),
    "finding.add": (input, call) => addFinding(input, call, findings),
    "finding.list": (input, { caller }) => listFindings(input, caller, findings),
    "finding.get": ({ id }, { caller }) => getFinding(id, caller, findings),
    "finding.mark": (input, call) => markFinding(input, call, findings),
    "finding.investigate": (input, call) => investigate(input, call, findings),
    "finding.promote": (input, call) => promoteFinding(input, call, findings),
  };
}

function mailSettings({
  "mail.maxPerMinute": maxPerMinute,
  "mail.maxPerPairPerMinute": maxPerPairPerMinute,
}: Settings): { readonly maxPerMinute: number; readonly maxPerPairPerMinute: number } {
  return { maxPerMinute, maxPerPairPerMinute };
}
