/**
 * Everything that waits for a person, as the person sees it: what is asked, by whom, for what, since when, what happens
 * without an answer, and for whom an answer holds.
 */
import type { Approval, InboxItem } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import type { StoredApproval } from "./store.ts";

/** What an approval itself does not know. */
export type Asker = {
  readonly by: string;
  /** What the run or graph is about, on one line. */
  readonly about?: string | undefined;
  /** Title of the node that waits. */
  readonly title?: string | undefined;
};
export function viewApproval(
  { project: _project, ...approval }: StoredApproval,
  project: string,
  { by, about, title }: Asker,
): InboxItem {
  return {
    ...approval,
    project,
    by,
    ...defined({ about, title }),
    byDefault: byDefault(approval),
    holdsFor: holdsFor(approval, by),
  };
}

function byDefault({ kind, deadlineAt, defaultAnswer }: Approval): string {
  if (deadlineAt !== undefined && defaultAnswer !== undefined) return `it answers "${defaultAnswer}" itself`;
  if (kind === "evidence") return "the result stays unverified";
  return "it waits";
}

function holdsFor({ kind, details }: Approval, by: string): string {
  switch (kind) {
    case "command":
      return `every \`${details.join(" ")}\` in this run`;
    case "plan":
      return "this plan of this run";
    case "node":
      return "this node of this graph";
    case "evidence":
      return "exactly this content of this run";
    case "question":
      return `${by} only`;
  }
}
