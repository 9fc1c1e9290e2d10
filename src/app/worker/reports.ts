/**
 * What a worker tells of its providers, tools and roles, for the daemon's counters.
 *
 *   conversation, tool, role -> outcome, time -> collected for half a second -> health.report
 *
 * No run fails or waits because nobody could count it.
 */
import type { RawInputOf, RoleName } from "../../contract/index.ts";
import type { RoleHandler } from "../../orchestration/guide/index.ts";
import { ModelFailure, type ModelTool } from "../../orchestration/models/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { SylkClient } from "../../surfaces/client/index.ts";

type Report = RawInputOf<"health.report">["reports"][number];
export type Reporter = {
  send(report: Report): void;
  /** Resolves when what was reported so far has arrived, or could not. */
  settled(): Promise<void>;
};

const collectMs = 500;
const mostAtOnce = 100;

export function createReporter(user: SylkClient, clock: Clock): Reporter {
  let waiting: Report[] = [];
  let sending: Promise<unknown> = Promise.resolve();
  function flush(): void {
    const reports = waiting.splice(0, mostAtOnce);
    if (reports.length > 0) sending = user.call("health.report", { reports }).catch(() => {});
  }
  return {
    send(report) {
      if (waiting.length === 0) clock.after(collectMs, flush);
      waiting = [...waiting.slice(1 - mostAtOnce), report];
    },
    async settled() {
      flush();
      await sending;
    },
  };
}

export function reportedConversation(
  converse: RunContext["converse"],
  { send }: Reporter,
  { provider, clock }: { readonly provider: string; readonly clock: Clock },
): RunContext["converse"] {
  return async (role, node, conversation) => {
    const startedAt = clock.monotonic();
    const tools = conversation.tools.map((tool) => reportedTool(tool, role, send, clock));
    const outcome = (changes: Pick<Report, "outcome" | "error">): void =>
      send({ kind: "provider", component: provider, agent: role, ms: clock.monotonic() - startedAt, ...changes });
    try {
      const end = await converse(role, node, { ...conversation, tools });
      outcome({ outcome: "ok" });
      return end;
    } catch (error) {
      if (error instanceof ModelFailure && error.kind !== "aborted")
        outcome({ outcome: "failed", error: error.message.slice(0, 2_000) });
      throw error;
    }
  };
}

function reportedTool(tool: ModelTool, role: string, send: Reporter["send"], clock: Clock): ModelTool {
  return {
    ...tool,
    async run(input, call) {
      const startedAt = clock.monotonic();
      const outcome = (changes: Pick<Report, "outcome" | "error">): void =>
        send({ kind: "tool", component: tool.name, agent: role, ms: clock.monotonic() - startedAt, ...changes });
      try {
        const output = await tool.run(input, call);
        outcome({ outcome: "ok" });
        return output;
      } catch (error) {
        outcome({ outcome: "failed", error: String(error).slice(0, 2_000) });
        throw error;
      }
    },
  };
}

/** A role that answers "failed", or does not answer, has failed; its name is its agent's. */
export function reportedRole(role: RoleName, handle: RoleHandler, { send }: Reporter, clock: Clock): RoleHandler {
  return async (request, signal) => {
    const startedAt = clock.monotonic();
    const outcome = (changes: Pick<Report, "outcome" | "error">): void =>
      send({ kind: "agent", component: role, ms: clock.monotonic() - startedAt, ...changes });
    try {
      const answer = await handle(request, signal);
      outcome(
        answer.type === "TASK_FAILED"
          ? { outcome: "failed", error: answer.payload.reason.slice(0, 2_000) }
          : { outcome: "ok" },
      );
      return answer;
    } catch (error) {
      if (!signal.aborted) outcome({ outcome: "failed", error: String(error).slice(0, 2_000) });
      throw error;
    }
  };
}
