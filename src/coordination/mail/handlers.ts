/** Handlers of mail: what `contract/mail.ts` names. */
import type { OperationHandlers, OperationsOn } from "../../platform/operations/index.ts";
import { ackMail, overdueAcks } from "./ack-mail.ts";
import { setContactPolicy, subscribeToTopic } from "./mailbox.ts";
import type { MailPorts, MailRepositories } from "./ports.ts";
import { readInbox } from "./read-inbox.ts";
import { getMail, searchMail } from "./search-mail.ts";
import { sendMail } from "./send-mail.ts";

export function mailHandlers(ports: MailPorts): OperationHandlers<MailRepositories, OperationsOn<"mail">> {
  return {
    "mail.send": (input, call) => sendMail(input, call, ports),
    "mail.inbox": (input, call) => readInbox(input, call, ports),
    "mail.search": (input, { caller }) => searchMail(input, caller, ports),
    "mail.get": (input, { caller }) => getMail(input, caller, ports),
    "mail.ack": ({ id }, call) => ackMail(id, call, ports),
    "mail.overdue": (input, { caller }) => overdueAcks(input, caller, ports),
    "mail.subscribe": (input, call) => subscribeToTopic(input, call),
    "mail.policy": (input, call) => setContactPolicy(input, call),
  };
}
