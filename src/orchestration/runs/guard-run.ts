/** Rules that apply only to runs. For example, only the user may skip the approval, checks, judgement and conclusion. */
import { type Caller, DomainError, type RunNodeKind, type RunStatus } from "../../contract/index.ts";
import { suggestion } from "../../platform/nearest-name.ts";
import type { KnownNode } from "./run-nodes.ts";
import type { RunRecord } from "./store.ts";

/** Statuses of runs that have not ended. */
export const openStatuses: readonly RunStatus[] = ["planning", "running", "awaiting_approval", "paused", "blocked"];
export const underWay: readonly RunStatus[] = ["planning", "running", "awaiting_approval"];

export function refuseUnless({ id, status }: RunRecord, allowed: readonly RunStatus[], what: string): void {
  if (allowed.includes(status)) return;
  throw new DomainError("run.not-possible", refusal(id, status, allowed, what), { details: { status, allowed } });
}

function refusal(id: string, status: RunStatus, allowed: readonly RunStatus[], what: string): string {
  if (status === what) return `Run ${id} is already ${status}.`;
  const said = `Run ${id} is ${status}, so it cannot be ${what}.`;
  if (allowed === openStatuses) return `${said} It has ended; "sylk run retry" repeats one of its nodes.`;
  return `${said} That needs a run that is ${allowed.join(" or ")}.`;
}

/** The change of a merged or discarded run is elsewhere: what it would add belongs to a new run. */
export function refuseClosed({ id, status, outcome }: RunRecord): void {
  if (outcome === "open") return;
  throw new DomainError("run.not-possible", `Run ${id} was ${outcome}. Start a new run.`, {
    details: { status, outcome },
  });
}

const ofUser: ReadonlySet<RunNodeKind> = new Set(["approval", "check", "judge", "conclude"]);

/** Agents may skip work, but not the nodes that verify it. */
export function refuseSkipByAgent({ spec: { kind, title } }: KnownNode, caller: Caller): void {
  if (caller.kind === "user" || !ofUser.has(kind)) return;
  throw new DomainError(
    "caller.denied",
    `Only the user skips "${title}": without it the run is never verified. Ask the user to run "sylk run skip".`,
    { details: { needed: "the user's token" } },
  );
}

/** Finds a node by id, title, check or kind. If several match, the last one counts. */
export function findNode({ id: run }: RunRecord, wanted: string, nodes: readonly KnownNode[]): KnownNode {
  const word = wanted.toLowerCase();
  const found =
    nodes.find(({ id }) => id === wanted) ??
    nodes.findLast(({ spec }) => spec.title.toLowerCase() === word || spec.check === word || spec.kind === word);
  if (found !== undefined) return found;
  const near = suggestion(
    wanted,
    nodes.flatMap(({ id, spec }) => [id, spec.title, spec.kind]),
  );
  throw new DomainError("run.not-found", `${run} has no node ${JSON.stringify(wanted)}${near}`, {
    details: { id: run, node: wanted },
  });
}
