/** The event log on the command line; with --follow it stays and shows what happens. */
import type { LogEvent } from "../../../contract/index.ts";
import { eventSource } from "../../event-source/index.ts";
import type { CommandContext, WrittenCommand } from "../command.ts";
import { identityHeaders } from "../identity.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { printable } from "../printable.ts";

const page = operationCommand("event.list", {
  example: 'sylk events --follow --type "reservation.*"',
  details: "Without --after it shows the newest ones. With --after it reads on from there, oldest first.",
  without: ["newest"],
  adjust: (input) => (input.after === undefined ? { ...input, newest: true } : input),
  flags: { follow: { describe: "keep following until Ctrl-C", short: "f" } },
  print({ items, nextCursor }, out) {
    for (const event of items) printEvent(event, out);
    if (items.length === 0) out.line("No events after this cursor");
    if (nextCursor !== undefined) out.note(`more: sylk events --after ${nextCursor}`);
  },
});

export const events: WrittenCommand = {
  ...page,
  async run(context) {
    if (context.flags.follow !== true) return page.run(context);
    await (await context.connect()).call("daemon.status", {});
    await followEvents(context);
  },
};

async function followEvents(context: CommandContext): Promise<void> {
  const { paths, flags, json, out, signal } = context;
  const stream = eventSource({
    socketPath: paths.socket,
    headers: identityHeaders(context),
    after: Number(flags.after ?? 0),
    type: typeof flags.type === "string" ? flags.type : "**",
    signal,
  });
  for await (const event of stream) {
    if (json) out.jsonLine(event);
    else printEvent(printable(event), out);
  }
}

function printEvent({ sequence, at, type, subject, data }: LogEvent, out: Output): void {
  const time = new Date(at).toISOString().slice(11, 19);
  out.line(
    `${out.paint("dim", `${String(sequence).padStart(6)} ${time}`)} ${type.padEnd(24)} ${subject}  ${summaryOf(data)}`,
  );
}

function summaryOf(data: LogEvent["data"]): string {
  const { agent, reservation, workItem } = data as {
    agent?: { name: string };
    reservation?: { holder: { name: string }; paths: string[]; patterns: string[] };
    workItem?: { title: string; owner?: { name: string } };
  };
  if (reservation !== undefined)
    return `${reservation.holder.name}: ${[...reservation.paths, ...reservation.patterns].join(" ")}`;
  if (workItem !== undefined)
    return `"${workItem.title}"${workItem.owner === undefined ? "" : ` (${workItem.owner.name})`}`;
  return agent?.name ?? "";
}
