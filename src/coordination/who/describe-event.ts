/** An event in a few words, and the agent that it is about: "reserved src/a.ts", "closed Rate-limit POST /orders". Pure. */
import type { AgentId, LogEvent } from "../../contract/index.ts";

type Thing = Readonly<Record<string, unknown>>;

const verbs: Readonly<Record<string, string>> = {
  "agent.registered": "joined",
  "agent.returned": "came back",
  "agent.changed": "changed its process, tree or branch",
  "agent.offline": "went offline",
  "agent.ended": "ended",
  "agent.processes-left": "left processes running",
  "agent.processes-over": "has no processes left",
  "branch.merged": "merged",
  "branch.conflicted": "met a conflict in",
  "commit.announced": "committed",
  "file.restored": "restored",
  "finding.published": "reported",
  "finding.marked": "marked",
  "finding.promoted": "made a work item of",
  "finding.investigation-announced": "investigates",
  "mail.sent": "wrote a message",
  "mail.read": "read its mail",
  "mail.acked": "acknowledged a message",
  "mail.mailbox-changed": "changed its mailbox",
  "reservation.acquired": "reserved",
  "reservation.widened": "reserved",
  "reservation.released": "released",
  "reservation.expired": "lost",
  "reservation.asked": "asked for",
  "reservation.answered": "answered for",
  "reservation.forced": "forced the release of",
  "reservation.forecast": "will have to merge",
  "work-item.created": "added",
  "work-item.claimed": "claimed",
  "work-item.updated": "changed",
  "work-item.released": "gave up",
  "work-item.claim-expired": "lost",
  "work-item.closed": "closed",
  "work-item.progressed": "made progress on",
  "work-item.stuck": "is stuck on",
  "work-item.stall-asked": "was asked about",
  "work-item.handoff-asked": "asked for",
  "work-item.handoff-declined": "was declined",
  "work-item.handed-over": "took over",
};

/** The field that names the agent, where an event names several. */
const actors: Readonly<Record<string, string>> = {
  "reservation.asked": "request.requester",
  "reservation.forced": "by",
  "work-item.handoff-asked": "to",
  "work-item.handoff-declined": "to",
  "work-item.handed-over": "owner",
};
const usualActors = [
  "by",
  "agent",
  "owner",
  "formerOwner",
  "reservation.holder",
  "workItem.owner",
  "message.from",
  "finding.by",
  "finding.author",
];

const longest = 120;

/** Undefined where the event names no agent. */
export function agentOf({ type, data }: LogEvent): AgentId | undefined {
  // The message that carries a request for release: the request itself is an event.
  if (type === "mail.sent" && String(at(data, "message.kind")).startsWith("release-")) return undefined;
  for (const path of [actors[type] ?? [], usualActors].flat()) {
    const id = (at(data, path) as Thing | undefined)?.id;
    if (typeof id === "string" && id.startsWith("agt_")) return id as AgentId;
  }
  return undefined;
}

export function textOf({ type, data }: LogEvent): string {
  const text = [verbs[type] ?? type, whatIn(type, data)].filter(Boolean).join(" ");
  return text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text;
}

function whatIn(type: string, data: Thing): string {
  if (type.startsWith("agent.") || type === "mail.read") return "";
  const held = data.reservation as { paths?: unknown; patterns?: unknown } | undefined;
  const paths = [held?.paths, held?.patterns].flatMap((list) => (Array.isArray(list) ? (list as string[]) : []));
  if (paths.length > 0) return firstOf(paths);
  if (type === "commit.announced" && Array.isArray(data.paths)) return firstOf(data.paths as string[]);
  const names = ["workItem.title", "finding.summary", "finding.title", "message.subject", "branch", "path"];
  return names.map((path) => at(data, path)).find((value) => typeof value === "string") ?? "";
}

function firstOf([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function at(data: Thing, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (thing, name) => (typeof thing === "object" && thing !== null ? (thing as Thing)[name] : undefined),
      data,
    );
}
