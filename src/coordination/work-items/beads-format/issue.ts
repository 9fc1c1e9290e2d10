/**
 * One line of beads' issues.jsonl, read as a work item. Pure.
 *
 *   line -> Issue (unknown fields stay in it) -> what the item says
 *
 * Fields we map: id, title, description, design, acceptance_criteria, notes, status, priority, issue_type, labels,
 * close_reason, delete_reason, created_at, dependencies of the kinds below. All others are kept with the line.
 */
import * as z from "zod";
import type { WorkItemStatus } from "../../../contract/index.ts";
import type { LinkKind } from "./store.ts";

const Text = z.string().nullish();
const Dependency = z.looseObject({ depends_on_id: z.string().min(1), type: z.string().optional() });

export const Issue = z.looseObject({
  id: z.string(),
  title: z.string().min(1).max(500),
  description: Text,
  design: Text,
  acceptance_criteria: Text,
  notes: Text,
  status: Text,
  priority: z.int().min(0).max(4).optional(),
  issue_type: Text,
  labels: z.array(z.string()).nullish(),
  created_at: Text,
  close_reason: Text,
  delete_reason: Text,
  dependencies: z.array(Dependency).nullish(),
});
export type Issue = z.infer<typeof Issue>;

export type ItemText = {
  readonly title: string;
  readonly body: string | undefined;
  readonly type: string;
  readonly priority: number;
  readonly labels: readonly string[];
  readonly status: WorkItemStatus;
  readonly blockedReason: string | undefined;
  readonly closedReason: string | undefined;
};
export type IssueLink = { readonly kind: LinkKind; readonly other: string };

/** Text that beads keeps in fields of its own becomes a section of the body, and comes apart again on the way out. */
const sections = [
  ["design", "Design"],
  ["acceptance_criteria", "Acceptance criteria"],
  ["notes", "Notes"],
] as const;

const kinds: Readonly<Record<string, LinkKind>> = {
  blocks: "blocks",
  related: "relates",
  "relates-to": "relates",
  "discovered-from": "discovered-from",
  "parent-child": "parent",
};

export function textOfIssue(issue: Issue): ItemText {
  return {
    title: issue.title,
    body: bodyOf(issue),
    type: (issue.issue_type || "task").toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-"),
    priority: issue.priority ?? 2,
    labels: [...new Set(issue.labels ?? [])],
    ...statusOf(issue),
  };
}

/** An item has one parent here: of several the first; the others stay in the line. */
export function linksOfIssue({ dependencies }: Issue): readonly IssueLink[] {
  const links = (dependencies ?? []).flatMap(({ depends_on_id: other, type }) => {
    const kind = kindOfDependency(type);
    return kind === undefined ? [] : [{ kind, other }];
  });
  const parent = links.find(({ kind }) => kind === "parent");
  return links.filter((link) => link.kind !== "parent" || link === parent);
}

export function kindOfDependency(type: string | undefined): LinkKind | undefined {
  return kinds[type ?? "blocks"];
}

function bodyOf(issue: Issue): string | undefined {
  const said = sections.filter(([field]) => issue[field]).map(([field, heading]) => `## ${heading}\n\n${issue[field]}`);
  const parts = [...(issue.description ? [issue.description] : []), ...said];
  return parts.length === 0 ? undefined : parts.join("\n\n");
}

/** The inverse of `bodyOf` for a body that was changed here. */
export function fieldsOfBody(body: string | undefined): Pick<Issue, "description" | (typeof sections)[number][0]> {
  // Absent sections are named too: a section that was taken out here goes from the line as well.
  const fields: Record<string, string | undefined> = Object.fromEntries(sections.map(([field]) => [field, undefined]));
  let rest = body ?? "";
  for (const [field, heading] of sections.toReversed()) {
    const mark = `## ${heading}\n\n`;
    const at = rest.startsWith(mark) ? 0 : rest.lastIndexOf(`\n\n${mark}`);
    if (at === -1) continue;
    fields[field] = rest.slice(rest.indexOf(mark, at) + mark.length);
    rest = rest.slice(0, at);
  }
  return { description: rest === "" ? undefined : rest, ...fields };
}

/** A status we do not have makes an item that cannot be claimed by mistake. */
function statusOf(issue: Issue): Pick<ItemText, "status" | "blockedReason" | "closedReason"> {
  const none = { blockedReason: undefined, closedReason: undefined };
  const status = issue.status || "open";
  switch (status) {
    case "open":
      return { ...none, status };
    case "in_progress":
    case "hooked":
      return { ...none, status: "in_progress" };
    case "closed":
      return { ...none, status, closedReason: issue.close_reason || "closed" };
    case "tombstone":
      return {
        ...none,
        status: "closed",
        closedReason: `deleted${issue.delete_reason ? `: ${issue.delete_reason}` : ""}`,
      };
    default:
      return { ...none, status: "blocked", blockedReason: `its status in beads is "${status}"` };
  }
}
