/**
 * Claude Code's agent teams behind the client interface: a source of task events, an experiment of its maker's. Fields as of
 * 2.1: Claude's, and `task_id`, `task_subject`, perhaps `task_description`, `teammate_name` and `team_name`.
 *
 * A team's sessions share one task list: a task is known by the team's name and its id there; by the session's where no team
 * is named.
 */
import { createHash } from "node:crypto";
import type { ClientAdapterV1, ClientTask, HookEvent, HookHeaders } from "../../contract/index.ts";
import { claudeCode } from "../claude-code/index.ts";
import { malformed, readSent, type Sent, sessionOf, textOf } from "../hook-input/index.ts";

/** As a work item takes them. */
const longestTitle = 300;
const longestDetails = 20_000;
const longestName = 80;

export const agentTeams: ClientAdapterV1 = { version: 1, name: "agent-teams", readEvent, tell: claudeCode.tell };

export function isTeamEvent(event: string): boolean {
  return event === "TaskCreated" || event === "TaskCompleted" || event === "TeammateIdle";
}

function readEvent(event: string, body: Uint8Array, headers: HookHeaders): HookEvent | undefined {
  if (!isTeamEvent(event)) return undefined;
  const sent = readSent(body);
  const cwd = textOf(sent, "cwd");
  const session = sessionOf(sent, headers, "claude-code");
  if (event === "TeammateIdle") return { kind: "sign-of-life", session, cwd };
  return { kind: "task", session, cwd, change: event === "TaskCreated" ? "created" : "completed", task: taskOf(sent) };
}

function taskOf(sent: Sent): ClientTask {
  const [id, team] = [textOf(sent, "task_id"), optional(sent, "team_name") ?? textOf(sent, "session_id")];
  const title = optional(sent, "task_subject")?.replaceAll(/\s+/g, " ").trim();
  if (!title) throw malformed("has no usable task_subject");
  return {
    list: "Claude Code",
    key: `team-${printOf(team)}-${/^\w{1,40}$/.test(id) ? id : printOf(id)}`,
    title: title.slice(0, longestTitle),
    details: optional(sent, "task_description")?.slice(0, longestDetails),
    by: optional(sent, "teammate_name")?.slice(0, longestName),
  };
}

function optional(sent: Sent, field: string): string | undefined {
  const value = sent[field] ?? undefined;
  if (value === undefined || value === "") return undefined;
  if (typeof value !== "string") throw malformed(`has a ${field} that is not text`);
  return value;
}

/** Names may hold anything; an id may not. */
function printOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
