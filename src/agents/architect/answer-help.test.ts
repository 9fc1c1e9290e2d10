import { describe, expect, it } from "vitest";
import type { NodeId, PayloadOf } from "../../contract/index.ts";
import { messageOf } from "../../orchestration/guide/testkit.ts";
import type { ModelTool } from "../../orchestration/models/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { answerHelp } from "./answer-help.ts";

const node = "nod_0000000000000000000001" as NodeId;
const minuteMs = 60_000;
type Ports = Parameters<typeof answerHelp>[2];

/** An Architect whose model calls this tool with this input, or none. */
function world(call?: readonly [string, object]) {
  const clock = manualClock();
  const prompts: string[] = [];
  const ports = {
    work: { run: { request: "Add prices" } } as Ports["work"],
    plan: { summary: "Prices as a module" } as Ports["plan"],
    clock,
    openSkills: async () => ({ section: "", tools: [] }),
    async converse(_: string, __: NodeId, { prompt, tools }: { prompt: string; tools: readonly ModelTool[] }) {
      prompts.push(prompt);
      if (call !== undefined) await tools.find(({ name }) => name === call[0])!.run(call[1], {} as never);
      return { reason: "stop", text: "", steps: 1, usage: undefined };
    },
  } as Ports;
  const help = (more: Partial<PayloadOf<"TASK_HELP">> = {}) =>
    answerHelp(
      messageOf("TASK_HELP", { node, question: "Which currency?", ...more }),
      new AbortController().signal,
      ports,
    );
  return { clock, prompts, help };
}

describe("the Architect, asked by an Engineer", () => {
  it("answers by its model, which knows request, plan and question", async () => {
    const { prompts, help } = world(["answer_engineer", { answer: "euro" }]);
    expect(await help({ context: "in cart.ts" })).toEqual({ type: "ACK", payload: { answer: "euro" } });
    for (const part of ["Add prices", "Prices as a module", "Which currency?", "in cart.ts"])
      expect(prompts[0]).toContain(part);
  });

  it.each<[string, object, object, number | undefined]>([
    ["without a default it waits for ever", {}, { question: "Pay in?" }, undefined],
    ["options stand in the question", { options: ["a", "b"] }, { question: "Pay in? (a | b)" }, undefined],
    ["an hour unless said", { default_answer: "a" }, { question: "Pay in?", defaultAnswer: "a" }, 60],
    ["as long as said", { default_answer: "a", minutes: 5 }, { question: "Pay in?", defaultAnswer: "a" }, 5],
    ["a week at most", { default_answer: "a", minutes: 1e9 }, { question: "Pay in?", defaultAnswer: "a" }, 7 * 24 * 60],
    ["a minute at least", { default_answer: "a", minutes: -3 }, { question: "Pay in?", defaultAnswer: "a" }, 1],
  ])("says that the user has to be asked, with what to do in the meantime: %s", async (_, more, ask, minutes) => {
    const { clock, help } = world(["clarify", { question: "Pay in?", ...more }]);
    const until = minutes === undefined ? {} : { deadlineAt: clock.now() + minutes * minuteMs };
    expect(await help()).toEqual({ type: "ACK", payload: { ask: { ...ask, ...until } } });
  });

  it("whose model says neither has the user asked in the Engineer's own words", async () => {
    expect(await world().help()).toEqual({ type: "ACK", payload: { ask: { question: "Which currency?" } } });
  });
});
