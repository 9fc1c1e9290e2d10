/** Work items on the command line. */
import type { WorkItem } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago, left } from "../wording.ts";
import { printHandoff, progressText } from "./handoff.ts";

const exampleId = "wrk_01jd8q3m7k4x9t2v5b8n1c";

export const add = operationCommand("work-item.create", {
  words: "work add",
  example: 'sylk work add "Rate-limit POST /orders" --type feature --priority 1',
  fields: ["title"],
  print: ({ workItem }, out) => out.line(`${workItem.id}  ${workItem.title}`),
});

export const update = operationCommand("work-item.update", {
  words: "work update",
  example: `sylk work update ${exampleId} --priority 0 --labels lang:ts`,
  fields: ["id"],
  print: ({ workItem }, out) =>
    out.line(
      `"${workItem.title}" is ${workItem.blockedReason === undefined ? workItem.status : `${workItem.status} (${workItem.blockedReason})`}, priority ${workItem.priority}, version ${workItem.version}`,
    ),
});

export const list = operationCommand("work-item.list", {
  words: "work list",
  example: "sylk work list --status open",
  print: ({ items }, out) => printItems(items, "There are no work items here", out),
});

export const ready = operationCommand("work-item.ready", {
  words: "ready",
  example: "sylk ready --for me --limit 5",
  print: ({ items }, out) => printItems(items, "Nothing is ready to be claimed", out),
});

export const show = operationCommand("work-item.get", {
  words: "work show",
  example: `sylk work show ${exampleId}`,
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
            ? "nobody"
            : `${workItem.owner.name}${lease === undefined ? ", lease has run out" : `, ${left(lease.expiresAt)}`}`,
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
  words: "claim",
  example: `sylk claim ${exampleId}`,
  fields: ["id"],
  print({ workItem, lease, handoff }, out) {
    out.line(
      `"${workItem.title}" is claimed by ${workItem.owner?.name} (token ${lease.fencingToken}, ${left(lease.expiresAt)} without a call)`,
    );
    if (handoff !== undefined) printHandoff(handoff, out);
  },
});

export const unclaim = operationCommand("work-item.unclaim", {
  words: "unclaim",
  example: `sylk unclaim ${exampleId}`,
  fields: ["id"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" has no owner; it stays ${workItem.status}`),
});

export const release = operationCommand("work-item.release", {
  words: "release",
  example: `sylk release ${exampleId}`,
  fields: ["id"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" is ${workItem.status} again`),
});

export const close = operationCommand("work-item.close", {
  words: "close",
  example: `sylk close ${exampleId} --reason "merged in 4f2a91c"`,
  fields: ["id"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" is closed (${workItem.closedReason})`),
});

function optional(name: string, text: string | undefined): [string, string][] {
  return text === undefined || text === "" ? [] : [[name, text]];
}

function printItems(items: readonly WorkItem[], none: string, out: Output): void {
  if (items.length === 0) return out.line(none);
  out.table(
    ["id", "p", "status", "owner", "type", "title"],
    items.map(({ id, priority, status, stuck, owner, type, title }) => [
      id,
      String(priority),
      stuck === undefined ? status : "stuck",
      owner?.name ?? "",
      type,
      title,
    ]),
  );
}
