/** An event as a sentence. A type that this page does not know is said by its own words. */
import type { LogEvent } from "../daemon/contract.ts";
import { capital, words } from "../parts/wording.ts";

type Data = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<string, (data: Data) => string>> = {
  "run.started": (data) => `Run started: ${text(data, "request")}`,
  "run.status-changed": (data) =>
    `Run is ${words(text(data, "to"))}, was ${words(text(data, "from"))}${because(data, "reason")}`,
  "run.outcome-changed": (data) => `Change was ${text(data, "outcome")}`,
  "run.planned": (data) => `Plan accepted with ${list(data, "nodes").length} nodes (round ${text(data, "round")})`,
  "run.node-changed": (data) =>
    `“${text(data, "title")}” is ${words(text(data, "to"))}, was ${words(text(data, "from"))}${because(data, "error") || because(data, "cause")}`,
  "run.checked": (data) => {
    const check = part(data, "check");
    return `Check ${text(check, "kind")}: ${words(text(check, "outcome"))}. ${text(check, "summary")}`;
  },
  "run.spent": (data) =>
    `${capital(text(data, "role"))} used ${tokensOf(part(data, "cost"))} of ${text(data, "model")}`,
  "run.budget-raised": (data) =>
    `Token limit raised from ${text(data, "from")} to ${text(data, "to")}${because(data, "reason")}`,
  "run.model-retried": (data) => `Model call of ${text(data, "role")} is repeated${because(data, "reason")}`,
  "run.message": (data) => `Message routed: ${text(part(data, "message"), "type")}`,
  "dag.started": (data) => `Graph “${text(data, "name")}” started with ${text(data, "nodes")} nodes`,
  "dag.changed": (data) => {
    const moves = list(data, "transitions").map((move) => `${text(move, "node")} is ${words(text(move, "to"))}`);
    const status = text(data, "status");
    const shown = moves.length > 3 ? [...moves.slice(0, 3), `${moves.length - 3} more nodes changed`] : moves;
    return capital([...shown, ...(status === "" ? [] : [`the graph is ${status}`])].join(", ")) || "Graph changed";
  },
  "work-item.claim-expired": (data) => `Claim of “${titleIn(data)}” expired`,
  "health.incident-opened": (data) => `Incident opened: ${text(part(data, "incident"), "summary")}`,
  "health.incident-escalated": (data) => `Incident keeps failing: ${text(part(data, "incident"), "summary")}`,
  "health.incident-resolved": (data) => `Incident resolved: ${text(part(data, "incident"), "summary")}`,
  "approval.requested": (data) => `Decision asked: ${text(part(data, "approval"), "question")}`,
  "approval.decided": (data) => {
    const approval = part(data, "approval");
    return `Decision ${text(approval, "status")}: ${text(approval, "question")}`;
  },
};

export function sayEvent({ type, data }: LogEvent): string {
  const sentence = sentences[type]?.(data);
  if (sentence !== undefined) return sentence;
  const [noun = type, verb = ""] = type.split(".");
  const about = titleIn(data);
  const who = whoIn(data);
  return `${capital(words(noun))} ${words(verb)}${about === "" ? "" : `: ${about}`}${who === "" ? "" : ` (${who})`}`;
}

/** The files, title, subject or text that the fact is about. */
function titleIn(data: Data): string {
  const thing = firstPart(data);
  const files = [...strings(thing, "paths"), ...strings(thing, "patterns"), ...strings(data, "paths")];
  if (files.length > 0)
    return files.length > 3 ? `${files.slice(0, 3).join(", ")} and ${files.length - 3} more` : files.join(", ");
  for (const key of ["title", "subject", "summary", "path", "name", "branch", "question", "text"])
    for (const source of [thing, data]) if (text(source, key) !== "") return text(source, key);
  return "";
}

function whoIn(data: Data): string {
  const thing = firstPart(data);
  for (const key of ["holder", "owner", "from", "agent", "by", "author"])
    for (const source of [thing, data]) {
      const name = text(part(source, key), "name");
      if (name !== "" && name !== titleIn(data)) return name;
    }
  return "";
}

const thingKeys = [
  "reservation",
  "workItem",
  "message",
  "finding",
  "agent",
  "approval",
  "incident",
  "session",
  "commit",
  "worktree",
  "entry",
  "source",
];

function firstPart(data: Data): Data {
  const key = thingKeys.find((known) => typeof data[known] === "object" && data[known] !== null);
  return key === undefined ? data : part(data, key);
}

function tokensOf(cost: Data): string {
  if (Number(cost["unknownCalls"] ?? 0) > 0) return "an unknown number of tokens";
  return `${(Number(cost["inputTokens"] ?? 0) + Number(cost["outputTokens"] ?? 0)).toLocaleString("en")} tokens`;
}

function because(data: Data, key: string): string {
  return text(data, key) === "" ? "" : `: ${text(data, key)}`;
}

function part(data: Data, key: string): Data {
  const value = data[key];
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function list(data: Data, key: string): readonly Data[] {
  return Array.isArray(data[key]) ? (data[key] as Data[]) : [];
}

function strings(data: Data, key: string): readonly string[] {
  return Array.isArray(data[key]) ? (data[key] as unknown[]).filter((value) => typeof value === "string") : [];
}

function text(data: Data, key: string): string {
  const value = data[key];
  return typeof value === "string" ? value : typeof value === "number" ? value.toLocaleString("en") : "";
}
