/**
 * Reports the outcomes of a worker's providers and tools to the daemon's health counters.
 *
 *   conversation, tool -> outcome, time -> collected for half a second -> health.report
 *
 * A run neither fails nor waits when a report cannot be sent; the next one that arrives says how many were lost.
 */
import type { RawInputOf } from "../../contract/index.ts";
import { ModelFailure, type Model, type ModelTool } from "../../orchestration/models/index.ts";
import type { RunContext } from "../../orchestration/runs/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { defined } from "../../platform/defined.ts";

type Report = RawInputOf<"health.report">["reports"][number];
export type Reporter = {
  send(report: Report): void;
  /** Resolves when all reports so far have arrived or failed. */
  settled(): Promise<void>;
};

const collectMs = 500;
const mostAtOnce = 100;

export function createReporter(report: (reports: Report[]) => Promise<void>, clock: Clock): Reporter {
  let waiting: Report[] = [];
  let sending: Promise<unknown> = Promise.resolve();
  let lost = 0;
  function flush(): void {
    const reports = waiting.splice(0, mostAtOnce);
    if (reports.length === 0) return;
    const said = lost;
    lost = 0;
    sending = report(said === 0 ? reports : [lostReports(said), ...reports]).catch(() => {
      lost += said + reports.length;
    });
  }
  return {
    send(report) {
      if (waiting.length === 0) clock.after(collectMs, flush);
      if (waiting.length === mostAtOnce) lost++;
      waiting = [...waiting.slice(1 - mostAtOnce), report];
    },
    async settled() {
      flush();
      await sending;
    },
  };
}

function lostReports(count: number): Report {
  const error = `${count} ${count === 1 ? "report" : "reports"} of a run's worker did not arrive`;
  return { kind: "adapter", component: "worker reports", outcome: "failed", error };
}

export function reportedConversation(
  converse: RunContext["converse"],
  { send }: Reporter,
  { model, clock }: { readonly model: () => Promise<Pick<Model, "provider" | "label">>; readonly clock: Clock },
): RunContext["converse"] {
  return async (role, node, conversation) => {
    const startedAt = clock.monotonic();
    const sendLabelled = async (report: Report): Promise<void> => {
      const { label } = await model();
      send({ ...report, ...defined({ label }) });
    };
    const tools = conversation.tools.map((tool) => reportedTool(tool, role, sendLabelled, clock));
    const outcome = async (changes: Pick<Report, "outcome" | "error">): Promise<void> => {
      const ms = clock.monotonic() - startedAt;
      await sendLabelled({ kind: "provider", component: (await model()).provider, agent: role, ms, ...changes });
    };
    try {
      const end = await converse(role, node, { ...conversation, tools });
      await outcome({ outcome: "ok" });
      return end;
    } catch (error) {
      if (error instanceof ModelFailure && error.kind !== "aborted")
        await outcome({ outcome: "failed", error: error.message.slice(0, 2_000) });
      throw error;
    }
  };
}

function reportedTool(tool: ModelTool, role: string, send: (report: Report) => Promise<void>, clock: Clock): ModelTool {
  return {
    ...tool,
    async run(input, call) {
      const startedAt = clock.monotonic();
      const outcome = (changes: Pick<Report, "outcome" | "error">): Promise<void> =>
        send({ kind: "tool", component: tool.name, agent: role, ms: clock.monotonic() - startedAt, ...changes });
      try {
        const output = await tool.run(input, call);
        await outcome({ outcome: "ok" });
        return output;
      } catch (error) {
        await outcome({ outcome: "failed", error: String(error).slice(0, 2_000) });
        throw error;
      }
    },
  };
}
