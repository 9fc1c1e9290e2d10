/**
 * Mail on the command line. Bodies of others are shown behind a bar on each line: the reader of the terminal, a person or
 * an agent, sees where their words begin and end.
 */
import type { Mail } from "../../../contract/index.ts";
import { jsonFlag } from "../json-flag.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago } from "../wording.ts";

export const send = operationCommand("mail.send", {
  fields: ["subject"],
  adjust: ({ content, ...input }) => ({
    ...input,
    ...(content === undefined
      ? {}
      : { content: jsonFlag("content", content, '{"kind":"release-ack","reservation":"rsv_…"}') }),
  }),
  print: ({ message }, out) => out.line(`${message.id}  sent to ${audience(message)}`),
});

export const inbox = operationCommand("mail.inbox", {
  print({ items, cursor, more }, out) {
    if (items.length === 0) return out.line("Nothing unread");
    for (const message of items) printMail(message, out);
    if (more) out.line(out.paint("dim", "There is more."));
    if (cursor !== undefined)
      out.line(out.paint("dim", `Mark as read: sylk mail inbox${channelFlag(cursor)} --up-to ${cursor}`));
  },
});

export const search = operationCommand("mail.search", {
  fields: ["query"],
  print({ items }, out) {
    if (items.length === 0) return out.line("No message matches");
    for (const message of items) printMail(message, out);
  },
});

export const show = operationCommand("mail.get", {
  fields: ["id"],
  print({ message, nextFrom, acks }, out) {
    printMail(message, out);
    if (nextFrom !== undefined) out.line(out.paint("dim", `More: sylk mail show ${message.id} --from ${nextFrom}`));
    for (const { agent, ackedAt } of acks)
      out.line(
        `${agent.name} ${ackedAt === undefined ? "has not acknowledged it" : `acknowledged it ${ago(ackedAt)}`}`,
      );
  },
});

export const ack = operationCommand("mail.ack", {
  fields: ["id"],
  print: ({ id }, out) => out.line(`${id} is acknowledged`),
});

export const overdue = operationCommand("mail.overdue", {
  print({ items }, out) {
    if (items.length === 0) return out.line("No acknowledgement is overdue");
    out.table(
      ["message", "from", "waits for", "was due", "subject"],
      items.map(({ id, from, waitingFor, ackDueAt, subject }) => [
        id,
        from.name,
        waitingFor.name,
        ago(ackDueAt),
        subject,
      ]),
    );
  },
});

export const subscribe = operationCommand("mail.subscribe", {
  fields: ["topic"],
  print: ({ topics }, out) => out.line(topics.length === 0 ? "No topics" : `Topics: ${topics.join(", ")}`),
});

export const policy = operationCommand("mail.policy", {
  print: ({ policy: now, contacts }, out) =>
    out.line(`${now}; contacts: ${contacts.map(({ name }) => name).join(", ") || "none"}`),
});

function printMail(message: Mail, out: Output): void {
  const { id, from, subject, body, importance, content, sentAt, truncated, ackDueAt } = message;
  const marks = [
    importance === "normal" ? "" : importance,
    content.kind === "text" ? "" : content.kind,
    ackDueAt === undefined ? "" : "asks for an acknowledgement",
  ].filter((mark) => mark !== "");
  out.line(`${out.paint("bold", from.name)} to ${audience(message)}, ${ago(sentAt)}  ${out.paint("dim", id)}`);
  out.line(`  ${subject}${marks.length === 0 ? "" : `  [${marks.join(", ")}]`}`);
  for (const line of body === "" ? [] : body.split("\n")) out.line(`  | ${line}`);
  if (truncated) out.line(out.paint("dim", `  The rest: sylk mail show ${id}`));
}

function audience({ to, topic }: Mail): string {
  return to?.map(({ name }) => name).join(", ") ?? (topic === undefined ? "everyone" : `topic ${topic}`);
}

function channelFlag(cursor: string): string {
  return cursor.startsWith("notices") ? " --channel notices" : "";
}
