import { describe, expect, it } from "vitest";
import type { NodeId } from "../../contract/index.ts";
import type { CommandRequest } from "../executors/index.ts";
import type { Conversation, Model } from "../models/index.ts";
import type { JournalEntry } from "./journal.ts";
import { BudgetExhausted, meteredConversation, recordedCommand } from "./run-context.ts";
import type { RunWork } from "./worker-protocol.ts";

const work = (budget: number | undefined, spent = 0): RunWork =>
  ({
    run: {
      options: { budget, environment: { PATH: "/bin" } },
      cost: { calls: 0, inputTokens: spent, outputTokens: 0, unknownCalls: 0 },
    },
  }) as unknown as RunWork;
const usage = { inputTokens: 60, outputTokens: 40, cacheReadTokens: undefined, cacheWriteTokens: undefined };

describe("a conversation", () => {
  function world(
    budget: number | undefined,
    spent = 0,
    steps: readonly (typeof usage | undefined)[] = [usage, usage, usage],
  ) {
    const recorded: JournalEntry[] = [];
    let asked = 0;
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
    const converse = meteredConversation(work(budget, spent), {
      model,
      record: async (...entries) => void recorded.push(...entries),
    });
    return { recorded, asked: () => asked, talk: () => converse("engineer", "nod_1" as NodeId, {} as Conversation) };
  }

  it("records each step's cost, a step of unknown size included, and is not limited without a budget [RUN-1]", async () => {
    const { recorded, talk } = world(undefined, 0, [usage, undefined]);
    await talk();
    expect(recorded).toEqual([
      { kind: "spent", role: "engineer", node: "nod_1", model: "m", usage },
      { kind: "spent", role: "engineer", node: "nod_1", model: "m", usage: undefined },
    ]);
  });

  it("ends with the step that uses up the budget, which is recorded, and none begins after it [RUN-11]", async () => {
    const { recorded, asked, talk } = world(200);
    await expect(talk()).rejects.toThrow(BudgetExhausted);
    expect([asked(), recorded.length]).toEqual([2, 2]);
    await expect(talk()).rejects.toThrow("budget of 200 tokens is used up (200)");
    expect(asked()).toBe(2);
  });

  it("counts what earlier workers of the run have spent [RUN-4, RUN-11]", async () => {
    const { asked, talk } = world(200, 200);
    await expect(talk()).rejects.toThrow(BudgetExhausted);
    expect(asked()).toBe(0);
  });
});

describe("a command of a run", () => {
  it("is recorded before it runs and forgotten when it has ended, however that was [RUN-4, RUN-8]", async () => {
    for (const outcome of ["resolves", "rejects"] as const) {
      const recorded: JournalEntry[] = [];
      const process = { pid: 7, startedAt: "s" };
      const run = async ({ onStarted, env }: CommandRequest) => {
        await onStarted?.(process);
        expect([env, recorded]).toEqual([{ PATH: "/bin" }, [{ kind: "process", process, running: true }]]);
        if (outcome === "rejects") throw new Error("planted");
        return { end: "exited", exitCode: 0, output: "", truncated: false, durationMs: 1 } as const;
      };
      const command = recordedCommand(work(undefined), {
        commands: { run, endGroup: async () => {} },
        record: async (...entries) => void recorded.push(...entries),
      });
      const ran = command({ argv: ["true"], cwd: "/", timeoutMs: 1 });
      if (outcome === "rejects") await expect(ran).rejects.toThrow("planted");
      else await ran;
      expect(recorded.at(-1)).toEqual({ kind: "process", process, running: false });
    }
  });
});
