import { describe, expect, it } from "vitest";
import type { NodeId, PayloadOf } from "../../../contract/index.ts";
import { type Answer, answerMessages } from "../../../orchestration/guide/index.ts";
import { guideWorld, messageOf, sessionA } from "../../../orchestration/guide/testkit.ts";
import { helpTool } from "./help-tool.ts";

const node = "nod_0000000000000000000001" as NodeId;

function world(reply: PayloadOf<"ACK">, answered = 0) {
  const asked: unknown[] = [];
  const waits: Answer[] = [];
  const guide = guideWorld().guide.open(sessionA);
  guide.register(
    "orchestrator",
    answerMessages({
      async TASK_HELP({ from, to, type, payload }) {
        asked.push([`${from} > ${to}`, type, payload]);
        return { type: "ACK", payload: reply };
      },
    }),
  );
  const parent = messageOf("DAG_EXECUTE", { round: 0, nodes: [] });
  const tool = helpTool({
    node,
    parent,
    answered,
    guide,
    onWait: (help) => void waits.push(help),
  });
  const ask = (input: object) => tool.run(input, { signal: new AbortController().signal } as never);
  return { asked, waits, ask };
}

describe("a question of an Engineer", () => {
  it("goes to the Orchestrator; what the Architect answers is the tool's answer, and the work continues [GUIDE-25]", async () => {
    const { asked, waits, ask } = world({ answer: "16 percent" });
    expect(await ask({ question: "Which rate?", context: "for books" })).toEqual({ answer: "16 percent" });
    const payload = { node, question: "Which rate?", context: "for books" };
    expect([asked, waits]).toEqual([[["engineer > orchestrator", "TASK_HELP", payload]], []]);
  });

  it("that only the user can answer ends the attempt, in the Architect's words and with its deadline", async () => {
    const until = { deadlineAt: 9, defaultAnswer: "euro" };
    const { waits, ask } = world({ ask: { question: "What do customers pay in?", ...until } });
    await ask({ question: "Which currency?" });
    const payload = { node, question: "What do customers pay in?", forUser: until };
    expect(waits).toEqual([{ type: "TASK_HELP", payload }]);
  });

  it("is the last of five about one piece of work: then it has to decide", async () => {
    const { asked, ask } = world({ ask: { question: "Again?" } }, 5);
    await expect(ask({ question: "Which currency?" })).rejects.toThrow("decide with what is known");
    expect(asked).toEqual([]);
  });

  it.each([{}, { question: 7 }])("is refused when it is none: %j", async (input) => {
    const { asked, ask } = world({ answer: "x" });
    await expect(ask(input)).rejects.toThrow("question");
    expect(asked).toEqual([]);
  });
});
