/** Findings on the command line. A place is typed as path:line. */
import type { PublishedFinding } from "../../../contract/index.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { ago } from "../wording.ts";

export const add = operationCommand("finding.add", {
  example:
    'sylk finding add "parse() drops the last order" --severity blocking --category correctness --files src/orders.ts:42',
  fields: ["summary"],
  adjust: ({ files, ...input }) => ({ ...input, ...(Array.isArray(files) ? { files: files.map(placeFrom) } : {}) }),
  print({ finding, merged, notified }, out) {
    out.line(`${finding.id}  ${merged ? `known already; independent reporters: ${finding.agreement}` : "published"}`);
    if (notified.length > 0) out.line(`told ${notified.map(({ name }) => name).join(", ")}`);
  },
});

export const list = operationCommand("finding.list", {
  print: ({ items }, out) => printFindings(items, "No findings here", out),
});

export const show = operationCommand("finding.get", {
  fields: ["id"],
  print({ finding }, out) {
    const { mark: marked } = finding;
    out.table(
      ["", ""],
      [
        ["summary", finding.summary],
        ["id", finding.id],
        ["severity", `${finding.severity}, ${finding.category}`],
        ["status", marked === undefined ? finding.status : `${finding.status} by ${marked.by.name}: ${marked.why}`],
        ["places", finding.files.map(placeText).join("  ") || "none"],
        [
          "reported by",
          finding.reports.map(({ agent, model }) => `${agent.name}${model ? ` (${model})` : ""}`).join(", "),
        ],
        ["independent", String(finding.agreement)],
        ["work item", finding.workItem ?? "none"],
      ],
    );
    for (const line of (finding.evidence ?? "").split("\n").filter((text) => text !== "")) out.line(`  | ${line}`);
  },
});

export const mark = operationCommand("finding.mark", {
  fields: ["id", "status"],
  print({ finding, workItem }, out) {
    out.line(`${finding.id} is ${finding.status}`);
    if (workItem !== undefined)
      out.line(
        `${workItem.id} is ${workItem.status}${workItem.owner === undefined ? "" : `; ${workItem.owner.name} owns it and was told`}`,
      );
  },
});

export const investigate = operationCommand("finding.investigate", {
  fields: ["topic"],
  print({ similar, investigation }, out) {
    if (investigation === undefined) return out.line("Investigation ended");
    if (similar.length === 0) return out.line("No other agent investigates something similar");
    for (const { agent, topic, shared, startedAt, findings } of similar) {
      out.line(`${agent.name} investigates "${topic}", started ${ago(startedAt)} (${shared})`);
      printFindings(findings, "  nothing found yet", out);
    }
  },
});

export const promote = operationCommand("finding.promote", {
  fields: ["id"],
  print: ({ finding, workItem }, out) => out.line(`${workItem.id}  ${workItem.title}  (from ${finding.id})`),
});

function printFindings(items: readonly PublishedFinding[], none: string, out: Output): void {
  if (items.length === 0) return out.line(none);
  out.table(
    ["id", "severity", "status", "category", "agree", "place", "summary"],
    items.map(({ id, severity, status, category, agreement, files, summary }) => [
      id,
      out.paint(severity === "blocking" ? "red" : "dim", severity),
      status,
      category,
      String(agreement),
      files[0] === undefined ? "" : placeText(files[0]),
      summary,
    ]),
  );
}

function placeText({ path, line }: PublishedFinding["files"][number]): string {
  return line === undefined ? path : `${path}:${line}`;
}

function placeFrom(text: unknown): { path: string; line?: number } {
  const [, path = String(text), line] = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(String(text)) ?? [];
  return line === undefined ? { path } : { path, line: Number(line) };
}
