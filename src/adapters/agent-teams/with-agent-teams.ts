/**
 * Claude Code with its agent teams listened to. Nothing rests on them: whatever goes wrong is reported as one trouble of the
 * adapter, and the session's other events are answered as ever.
 *
 *   TaskCreated, TaskCompleted, TeammateIdle -> understood     -> our event
 *                                            -> not understood -> malformed; reported
 *   a task was made, and no TaskCreated came                   -> teams or their hooks are off; reported, once a session
 */
import type { ClientAdapterV1, HookEvent } from "../../contract/index.ts";
import { malformed, readSent, type Sent } from "../hook-input/index.ts";
import { agentTeams, isTeamEvent } from "./agent-teams.ts";

export type TeamReport = {
  readonly kind: "adapter" | "hook";
  readonly component: string;
  readonly outcome: "ok" | "degraded";
  readonly error?: string;
};
type Report = (...reports: readonly TeamReport[]) => void;

const adapter = { kind: "adapter", component: agentTeams.name } as const;
const changed = "is not what agent teams sent so far; their tasks are not mirrored, and nothing else depends on them";
const absent =
  'A task was made, and no TaskCreated came: "sylk install claude-code" sets the hooks up; else Claude Code has none, and "adapters.agentTeams: off" ends this';
const mostSessions = 10_000;

export function withAgentTeams(client: ClientAdapterV1, report: Report): ClientAdapterV1 {
  const heard = new Set<string>();
  const remember = (session: string): void => {
    if (heard.size >= mostSessions) heard.delete(heard.values().next().value!);
    heard.add(session);
  };
  return {
    ...client,
    readEvent(event, body, headers) {
      if (!isTeamEvent(event)) {
        const maker = event === "PostToolBatch" ? makerOfTask(body) : undefined;
        if (maker !== undefined && !heard.has(maker)) {
          remember(maker);
          // Under both names at once: what two parts say within a minute is one incident, at once.
          const trouble = { outcome: "degraded", error: absent } as const;
          report(
            { ...adapter, ...trouble },
            { kind: "hook", component: `hook/${client.name}/TaskCreated`, ...trouble },
          );
        }
        return client.readEvent(event, body, headers);
      }
      const read = understood(() => agentTeams.readEvent(event, body, headers), report);
      if (read?.kind === "task") remember(read.session.parent ?? read.session.key);
      report({ ...adapter, outcome: "ok" });
      return read;
    },
  };
}

/** The same words whatever is missing, and the same as the hook's own report: so all of it is one incident. */
function understood(read: () => HookEvent | undefined, report: Report): HookEvent | undefined {
  try {
    return read();
  } catch (cause) {
    const error = malformed(changed, cause);
    report({ ...adapter, outcome: "degraded", error: `${error.code}: ${error.message}` });
    throw error;
  }
}

/** The session, if one of its tools made a task. */
function makerOfTask(body: Uint8Array): string | undefined {
  try {
    const { session_id: session, tool_calls: calls } = readSent(body);
    if (typeof session !== "string" || !Array.isArray(calls)) return undefined;
    return calls.some((call) => (Object(call) as Sent).tool_name === "TaskCreate") ? session : undefined;
  } catch {
    return undefined; // the client's own reading says what is wrong
  }
}
