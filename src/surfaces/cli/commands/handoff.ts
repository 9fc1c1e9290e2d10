/** How work changes hands, on the command line: progress, stuck, handoff, notices. */
import type { HandoffRecord, Progress } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago } from "../wording.ts";

const exampleId = "wrk_01jd8q3m7k4x9t2v5b8n1c";

export const progress = operationCommand("work-item.progress", {
  fields: ["id", "note"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}": ${progressText(workItem.progress!)}`),
});

export const stuck = operationCommand("work-item.stuck", {
  fields: ["id", "reason"],
  print: ({ workItem }, out) => out.line(`"${workItem.title}" is marked as stuck (${workItem.stuck?.reason})`),
});

export const handoff = operationCommand("work-item.handoff", {
  example: `sylk handoff ${exampleId} --accept`,
  fields: ["id"],
  without: ["answer"],
  flags: {
    accept: { describe: "give it to the agent that asked for it" },
    decline: { describe: "keep it" },
  },
  adjust: (input, { flags }) => ({
    ...input,
    ...(flags.accept === true ? { answer: "accept" } : {}),
    ...(flags.decline === true ? { answer: "decline" } : {}),
  }),
  print({ workItem, state, handoff: record }, out) {
    const { title, owner } = workItem;
    if (state === "asked") out.line(`Asked ${owner?.name} for "${title}"; "sylk work notices" shows the answer`);
    else if (state === "declined") out.line(`${owner?.name} keeps "${title}"`);
    else out.line(`"${title}" is now owned by ${owner?.name}`);
    if (record !== undefined) printHandoff(record, out);
  },
});

export const notices = operationCommand("work-item.notices", {
  print({ items, nextCursor }, out) {
    if (items.length === 0) return out.line("Nothing new about your work items");
    out.table(
      ["when", "what", "text"],
      items.map(({ at, kind, text }) => [ago(at), kind, text]),
    );
    out.note(`next: sylk work notices --cursor ${nextCursor}`);
  },
});

export function progressText({ note, percent, by, at }: Progress): string {
  return `${percent === undefined ? "" : `${percent} %, `}${note} (${by.name}, ${ago(at)})`;
}

export function printHandoff(
  { from, how, endedAt, stuckReason, progress: reports, files }: HandoffRecord,
  out: Output,
): void {
  out.line(`${from.name} left it ${ago(endedAt)} (${how})${stuckReason === undefined ? "" : `: ${stuckReason}`}`);
  for (const report of reports) out.line(`  ${progressText(report)}`);
  if (files.length > 0) out.line(`  files: ${files.join(" ")}`);
}
