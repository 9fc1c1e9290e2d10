/** Handlers of mail: what `contract/mail.ts` names. */
import { type OperationHandlers, type OperationsOn, overProjects } from "../../platform/operations/index.ts";
import { ackMail, overdueAcks } from "./ack-mail.ts";
import { setContactPolicy, subscribeToTopic } from "./mailbox.ts";
import type { MailPorts, MailRepositories } from "./ports.ts";
import { readEverywhere } from "./read-everywhere.ts";
import { readInbox } from "./read-inbox.ts";
import { getMail, searchMail } from "./search-mail.ts";
import { sendMail } from "./send-mail.ts";

export function mailHandlers(ports: MailPorts): OperationHandlers<MailRepositories, OperationsOn<"mail">> {
  return {
    "mail.send": (input, call) => sendMail(input, call, ports),
    "mail.inbox": (input, call) => readInbox(input, call, ports),
    "mail.everywhere": (input) => readEverywhere(input, ports),
    "mail.search": (input, { caller }) => searchMail(input, overProjects(caller, input.all), ports),
    "mail.get": (input, { caller }) => getMail(input, caller, ports),
    "mail.ack": ({ id }, call) => ackMail(id, call, ports),
    "mail.overdue": (input, { caller }) => overdueAcks(input, overProjects(caller, input.all), ports),
    "mail.subscribe": (input, call) => subscribeToTopic(input, call),
    "mail.policy": (input, call) => setContactPolicy(input, call),
  };
}
