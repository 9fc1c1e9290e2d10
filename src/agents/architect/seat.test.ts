import { describe, expect, it } from "vitest";
import type { Finding, MessageOf, NodeId, RunId } from "../../contract/index.ts";
import { answerMessages } from "../../orchestration/guide/index.ts";
import { answerOf, guideWorld, messageOf, sessionA } from "../../orchestration/guide/testkit.ts";
import { createCorrections } from "../shared/checks/index.ts";
import { architectSeat } from "./seat.ts";

const run = "run_0000000000000000000001" as RunId;
const node = "nod_0000000000000000000001" as NodeId;

function world() {
  const asked: unknown[] = [];
  const delivered: MessageOf[] = [];
  const guide = guideWorld().guide.open(sessionA);
  guide.register(
    "user",
    answerMessages({
      async CLARIFICATION_REQUEST({ from, to, type, payload, parentId }) {
        asked.push([`${from} > ${to}`, type, payload, parentId]);
        return { type: "CLARIFICATION_RESPONSE", payload: { answer: "euro" } };
      },
    }),
  );
  const corrections = createCorrections();
  const seat = architectSeat({
    run,
    guide,
    corrections,
    brief: async (request) => (request === "known" ? "tried twice" : undefined),
    async worker(message) {
      delivered.push(message);
      return { type: "ACK", payload: { answer: "by the model" } };
    },
  });
  return { asked, delivered, corrections, seat };
}

describe("the Architect's seat in a run", () => {
  it("asks the user on behalf of a node that is blocked, without a model, and brings the answer [MSG-8, MSG-9]", async () => {
    const { asked, delivered, seat } = world();
    const forUser = { deadlineAt: 9, defaultAnswer: "dollar" };
    const help = messageOf("TASK_HELP", { node, question: "Which currency?", forUser });
    expect(await answerOf(seat, help)).toEqual({ type: "ACK", payload: { answer: "euro" } });
    const request = { question: "Which currency?", onBehalfOf: "engineer", node, ...forUser };
    expect([delivered, asked]).toEqual([[], [["architect > user", "CLARIFICATION_REQUEST", request, help.id]]]);
  });

  it("leaves what needs a model to the worker: a request, and a question of an Engineer at work", async () => {
    const { asked, delivered, seat } = world();
    const help = messageOf("TASK_HELP", { node, question: "Which currency?" });
    expect(await answerOf(seat, help)).toEqual({ type: "ACK", payload: { answer: "by the model" } });
    const input = messageOf("USER_INPUT", { text: "Add prices", routedBy: "default" });
    await seat(input, new AbortController().signal);
    expect([delivered, asked]).toEqual([[help, input], []]);
  });

  it("keeps findings for the check that found them, each role's apart, until they are taken", async () => {
    const { corrections, delivered, seat } = world();
    const finding = (message: string) => ({ message }) as unknown as Finding;
    const said = messageOf("VALIDATION_CORRECTIONS", { findings: [finding("unused")] }, { from: "inspector" });
    expect(await answerOf(seat, said)).toEqual({ type: "ACK", payload: { taken: 1 } });
    const failing = { findings: [finding("red")] };
    await answerOf(seat, messageOf("TEST_CORRECTIONS", failing, { from: "tester" }));
    expect(delivered).toEqual([]);
    expect(corrections.take(run, "inspector")).toEqual([{ message: "unused" }]);
    expect([corrections.take(run, "inspector"), corrections.take(run, "tester")]).toEqual([[], [{ message: "red" }]]);
  });
});
