/** The event log on the command line; with --follow it stays and shows what happens. */
import { get } from "node:http";
import { DomainError, fromErrorBody, type ErrorBody } from "../../../contract/errors.ts";
import type { LogEvent } from "../../../contract/index.ts";
import { readUserToken } from "../../../platform/home/index.ts";
import type { Command, CommandContext } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";

const page = operationCommand("event.list", {
  words: "events",
  example: 'sylk events --follow --type "reservation.*"',
  flags: { follow: { describe: "go on until Ctrl-C", short: "f" } },
  print({ items, nextCursor }, out) {
    for (const event of items) printEvent(event, out);
    if (items.length === 0) out.line("No events after this cursor");
    if (nextCursor !== undefined) out.note(`more: sylk events --after ${nextCursor}`);
  },
});

export const events: Command = {
  ...page,
  async run(context) {
    if (context.flags.follow !== true) return page.run(context);
    await (await context.connect()).call("daemon.status", {});
    await followEvents(context);
  },
};

async function followEvents({ paths, env, flags, cwd, out, json, signal }: CommandContext): Promise<void> {
  const query = new URLSearchParams({ after: String(flags.after ?? 0), type: String(flags.type ?? "**") });
  const headers = {
    accept: "text/event-stream",
    authorization: `Bearer ${env.SYLK_TOKEN || (readUserToken(paths.token) ?? "")}`,
    ...(env.SYLK_TOKEN ? {} : { "sylk-project": encodeURIComponent(cwd) }),
  };
  await new Promise<void>((resolve, reject) => {
    const request = get({ socketPath: paths.socket, path: `/v1/events?${query}`, headers, signal }, (response) => {
      let rest = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        const frames = (rest + chunk).split("\n\n");
        rest = frames.pop()!;
        for (const frame of frames) showFrame(frame, json, out);
      });
      response.on("end", () =>
        response.statusCode === 200 ? resolve() : reject(fromErrorBody(JSON.parse(rest) as ErrorBody)),
      );
      response.on("error", reject);
    });
    request.on("error", reject);
  }).catch((error: unknown) => {
    if (!signal.aborted)
      throw error instanceof DomainError
        ? error
        : new DomainError("daemon.unreachable", "The stream ended; the daemon may have stopped", { cause: error });
  });
}

function showFrame(frame: string, json: boolean, out: Output): void {
  const data = frame
    .split("\n")
    .find((line) => line.startsWith("data: "))
    ?.slice(6);
  if (data === undefined) return;
  if (frame.includes("event: error")) throw fromErrorBody(JSON.parse(data) as ErrorBody);
  if (json) out.line(data);
  else printEvent(JSON.parse(data) as LogEvent, out);
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
