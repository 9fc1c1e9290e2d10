/** Work items on the command line. */
import type { OutputOf } from "../../../contract/index.ts";
import { elsewhere, staysHere } from "../all-projects.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago, givingUp, left } from "../wording.ts";
import { printHandoff, progressText } from "./handoff.ts";

const exampleId = "wrk_01jd8q3m7k4x9t2v5b8n1c";

export const add = staysHere(
  operationCommand("work-item.create", {
    fields: ["title"],
    without: ["project"],
    adjust: elsewhere,
    print: ({ workItem }, out) => out.line(`${workItem.id}  ${workItem.title}`),
  }),
);

export const update = operationCommand("work-item.update", {
  fields: ["id"],
  print: ({ workItem }, out) =>
    out.line(
      `"${workItem.title}" is ${workItem.blockedReason === undefined ? workItem.status : `${workItem.status} (${workItem.blockedReason})`}, priority ${workItem.priority}, version ${workItem.version}`,
    ),
});

export const list = operationCommand("work-item.list", {
  print: ({ items }, out) => printItems(items, "No work items here", out),
});

export const ready = operationCommand("work-item.ready", {
  example: "sylk ready --for me --limit 5",
  print: ({ items }, out) => printItems(items, "No work item is ready to claim", out),
});

export const show = operationCommand("work-item.get", {
  fields: ["id"],
  print({ workItem, lease, handoff }, out) {
    const reason = workItem.closedReason ?? workItem.blockedReason;
    out.table(
      ["", ""],
      [
        ["title", workItem.title],
        ["id", workItem.externalId === undefined ? workItem.id : `${workItem.id}  ${workItem.externalId}`],
        ["status", reason === undefined ? workItem.status : `${workItem.status} (${reason})`],
        [
          "owner",
          workItem.owner === undefined
            ? "none"
            : `${workItem.owner.name}${lease === undefined ? ", lease has expired" : `, ${left(lease.expiresAt)}`}`,
        ],
        ["type, priority", `${workItem.type}, ${workItem.priority}`],
        ["labels", workItem.labels.join(" ") || "none"],
        ["needs", workItem.dependsOn.join(" ") || "nothing"],
        ...optional("part of", workItem.parent),
        ...optional("related", workItem.relatesTo.join(" ")),
        ...optional("found in", workItem.discoveredFrom.join(" ")),
        ...optional("progress", workItem.progress && progressText(workItem.progress)),
        ...optional("stuck", workItem.stuck && `${workItem.stuck.reason} (says ${workItem.stuck.by.name})`),
        ...optional("asked for by", workItem.handoffRequest?.to.name),
        ["changed", ago(workItem.updatedAt)],
      ],
    );
    if (handoff !== undefined) printHandoff(handoff, out);
    if (workItem.body !== undefined) out.line(`\n${workItem.body}`);
  },
});

export const claim = operationCommand("work-item.claim", {
  fields: ["id"],
  print({ workItem, lease, handoff }, out) {
    out.line(
      `"${workItem.title}" is claimed by ${workItem.owner?.name} (token ${lease.fencingToken}, ${left(lease.expiresAt)} without a call)`,
    );
    if (handoff !== undefined) printHandoff(handoff, out);
  },
});

export const unclaim = operationCommand("work-item.unclaim", {
  details: givingUp,
  fields: ["id"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" has no owner; it stays ${workItem.status}`),
});

export const release = operationCommand("work-item.release", {
  details: givingUp,
  fields: ["id"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" is ${workItem.status} again`),
});

export const close = operationCommand("work-item.close", {
  example: `sylk close ${exampleId} --reason "merged in 4f2a91c"`,
  fields: ["id"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" is closed (${workItem.closedReason})`),
});

function optional(name: string, text: string | undefined): [string, string][] {
  return text === undefined || text === "" ? [] : [[name, text]];
}

function printItems(items: OutputOf<"work-item.list">["items"], none: string, out: Output): void {
  if (items.length === 0) return out.line(none);
  const column = items.some(({ project }) => project !== undefined);
  out.table(
    [...(column ? ["project"] : []), "id", "p", "status", "owner", "type", "title"],
    items.map(({ project = "", id, priority, status, stuck, owner, type, title }) => [
      ...(column ? [project] : []),
      id,
      String(priority),
      stuck === undefined ? status : "stuck",
      owner?.name ?? "",
      type,
      title,
    ]),
  );
}
