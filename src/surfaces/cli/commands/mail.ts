/**
 * Mail on the command line. Bodies of others are shown behind a bar on each line: the reader of the terminal, a person or
 * an agent, sees where their words begin and end.
 */
import type { Correspondent, Mail, OutputOf } from "../../../contract/index.ts";
import { elsewhere, insideRepository, staysHere } from "../all-projects.ts";
import type { WrittenCommand } from "../command.ts";
import { jsonFlag } from "../json-flag.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { isNamed } from "../surrounding-session.ts";
import { ago } from "../wording.ts";

export const send = staysHere(
  operationCommand("mail.send", {
    fields: ["subject"],
    without: ["project"],
    adjust: ({ content, ...input }, context) => ({
      ...elsewhere(input, context),
      ...(content === undefined
        ? {}
        : { content: jsonFlag("content", content, '{"kind":"release-ack","reservation":"rsv_…"}') }),
    }),
    print: ({ message }, out) => out.line(`${message.id}  sent to ${audience(message)}`),
  }),
);

const inboxHere = operationCommand("mail.inbox", {
  flags: { all: { describe: "your unread mail of all projects of this home" } },
  print(page, out, { flags }) {
    if (page.items.length === 0) return out.line("Nothing unread");
    // The same reader marks it as read.
    printPage(page, typeof flags.as === "string" ? ` --as ${flags.as}` : "", out);
  },
});

export const everywhere = operationCommand("mail.everywhere", {
  print({ items }, out) {
    if (items.length === 0) return out.line("Nothing unread in any project");
    for (const { project, ...page } of items) {
      out.line(out.paint("cyan", project.name));
      printPage(page, ` --project ${project.name}`, out);
    }
  },
});

/** Outside any repository there is no inbox of one project: a person sees all of theirs. */
export const inbox: WrittenCommand = {
  ...inboxHere,
  run(context) {
    const { flags, env, cwd } = context;
    const isOnePersons = flags["up-to"] === undefined && flags.kind === undefined && !isNamed(env, flags.as as string);
    const all = flags.all === true || (!insideRepository(cwd) && isOnePersons);
    return (all ? everywhere : inboxHere).run(context);
  },
};

function printPage({ items, cursor, more }: OutputOf<"mail.inbox">, place: string, out: Output): void {
  for (const message of items) printMail(message, out);
  if (more) out.line(out.paint("dim", "There is more."));
  if (cursor !== undefined)
    out.line(out.paint("dim", `Mark as read: sylk mail inbox${channelFlag(cursor)}${place} --up-to ${cursor}`));
}

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
        addressOf(from),
        addressOf(waitingFor),
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
  out.line(`${out.paint("bold", addressOf(from))} to ${audience(message)}, ${ago(sentAt)}  ${out.paint("dim", id)}`);
  out.line(`  ${subject}${marks.length === 0 ? "" : `  [${marks.join(", ")}]`}`);
  for (const line of body === "" ? [] : body.split("\n")) out.line(`  | ${line}`);
  if (truncated) out.line(out.paint("dim", `  The rest: sylk mail show ${id}`));
}

function audience({ to, topic }: Mail): string {
  return to?.map(addressOf).join(", ") ?? (topic === undefined ? "everyone" : `topic ${topic}`);
}

function addressOf({ name, project }: Correspondent): string {
  return project === undefined ? name : `${name}@${project}`;
}

function channelFlag(cursor: string): string {
  return cursor.startsWith("notices") ? " --channel notices" : "";
}
