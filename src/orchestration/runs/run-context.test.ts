import { describe, expect, it } from "vitest";
import type { NodeId } from "../../contract/index.ts";
import type { CommandRequest } from "../executors/index.ts";
import type { Conversation, Model } from "../models/index.ts";
import { BudgetExhausted, meteredConversation, recordedCommand } from "./run-context.ts";
import type { DaemonMethods, RunFact, RunWork } from "./worker-protocol.ts";

const usage = { inputTokens: 60, outputTokens: 40, cacheReadTokens: undefined, cacheWriteTokens: undefined };

describe("a conversation", () => {
  /** `refusals`: what the daemon says to each report in turn, the question before the first one included. */
  function world(refusals: readonly (string | undefined)[], steps: readonly (typeof usage | undefined)[] = []) {
    const spent: DaemonMethods["spend"]["input"][] = [];
    let [opened, asked] = [0, 0];
    const model = {
      name: "m",
      async converse({ onStep }: Conversation) {
        for (const step of steps) {
          asked++;
          await onStep?.({ text: "", tools: [], usage: step });
        }
        return { reason: "stop", text: "", steps: steps.length, usage: undefined };
      },
    } as unknown as Model;
    const converse = meteredConversation({
      model: async () => (opened++, model),
      spend: async (one) => refusals[spent.push(one) - 1],
      record: async () => {},
    });
    const talk = () => converse("engineer", "nod_1" as NodeId, {} as Conversation);
    return { spent, figures: () => ({ opened, asked }), talk };
  }

  it("reports each step's cost, a step of unknown size included [RUN-1]", async () => {
    const { spent, talk } = world([], [usage, undefined]);
    expect((await talk()).reason).toBe("stop");
    expect(spent).toEqual([
      undefined,
      { role: "engineer", node: "nod_1", model: "m", usage },
      { role: "engineer", node: "nod_1", model: "m", usage: undefined },
    ]);
  });

  it("ends with the step that uses up the budget, which is reported, and none begins after it [RUN-11]", async () => {
    const { spent, figures, talk } = world([undefined, undefined, "the budget is used up"], [usage, usage, usage]);
    await expect(talk()).rejects.toThrow(BudgetExhausted);
    expect([figures().asked, spent.length]).toEqual([2, 3]);
  });

  it("asks before its first step, so that what earlier workers spent counts: the model is not even opened [RUN-11]", async () => {
    const { figures, talk } = world(["the budget of 200 tokens is used up (200)"], [usage]);
    await expect(talk()).rejects.toThrow("budget of 200 tokens is used up (200)");
    expect(figures()).toEqual({ opened: 0, asked: 0 });
  });
});

describe("a command of a run", () => {
  it("is recorded before it runs and forgotten when it has ended, in success and in failure [RUN-8]", async () => {
    const work = { run: { options: { environment: { PATH: "/bin" } } } } as unknown as RunWork;
    for (const outcome of ["resolves", "rejects"] as const) {
      const recorded: RunFact[] = [];
      const process = { pid: 7, startedAt: "s" };
      const run = async ({ onStarted, env }: CommandRequest) => {
        await onStarted?.(process);
        expect([env, recorded]).toEqual([
          { PATH: "/bin", IN: "sandbox" },
          [{ kind: "process", process, running: true }],
        ]);
        if (outcome === "rejects") throw new Error("planted");
        return { end: "exited", exitCode: 0, output: "", truncated: false, durationMs: 1 } as const;
      };
      const command = recordedCommand(work, {
        commands: { run, endGroup: async () => {} },
        record: async (fact) => void recorded.push(fact),
        enclose: ({ env, ...rest }) => ({ ...rest, env: { ...env, IN: "sandbox" } }),
      });
      const ran = command({ argv: ["true"], cwd: "/", timeoutMs: 1 });
      if (outcome === "rejects") await expect(ran).rejects.toThrow("planted");
      else await ran;
      expect(recorded.at(-1)).toEqual({ kind: "process", process, running: false });
    }
  });
});
