import { describe, expect, it } from "vitest";
import type { PayloadOf } from "../../contract/index.ts";
import { Blocked, type NodeAnswer, type NodeRecord, startDag } from "../../orchestration/dag/index.ts";
import { answerMessages } from "../../orchestration/guide/index.ts";
import { guideWorld, sessionA } from "../../orchestration/guide/testkit.ts";
import { answerBlocked } from "./help.ts";

const hourMs = 60 * 60_000;
const price = "nod_0000000000000000000001";

/** A graph of one node that asks before it works, and an Architect who says what the test says. */
function world({ restored = new Map<string, NodeRecord>(), wait = (_now: number): object => ({}) } = {}) {
  const { clock, guide: sessions } = guideWorld();
  const guide = sessions.open(sessionA);
  const asked: { readonly payload: PayloadOf<"TASK_HELP">; readonly signal: AbortSignal }[] = [];
  const reply = Promise.withResolvers<string>();
  const got: (readonly NodeAnswer[])[] = [];
  const { signal } = new AbortController();
  const run = startDag({
    dag: {
      nodes: [{ id: price, role: "engineer", title: "Price", prompt: "", dependsOn: [] }],
      policy: { maxConcurrency: 1, failFast: false, defaultRetry: { max: 0, backoffMs: 1 }, defaultTimeoutMs: hourMs },
    },
    restored,
    journal: { record: async () => {} },
    async dispatch(_, { answers }) {
      if (answers.length === 0)
        throw new Blocked({ on: "clarification", question: "Which currency?", ...wait(clock.now()) });
      got.push(answers);
      return {};
    },
    clock,
    random: () => 0,
    signal,
  });
  guide.register(
    "architect",
    answerMessages({
      async TASK_HELP({ payload }, stop) {
        asked.push({ payload, signal: stop });
        return { type: "ACK", payload: { answer: await reply.promise } };
      },
    }),
  );
  answerBlocked(run, restored, signal, { guide });
  const given = async () => (await run.finished, got.map((answers) => answers.map(({ answer }) => answer)));
  return { clock, run, asked, reply, given };
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a node that asks", () => {
  it("is blocked until the Architect brings the answer, and continues with it [GUIDE-25]", async () => {
    const { run, asked, reply, given } = world();
    await turns();
    expect(asked.map(({ payload }) => payload)).toEqual([{ node: price, question: "Which currency?", forUser: {} }]);
    expect(run.status().counts.blocked).toBe(1);
    reply.resolve("euro");
    expect(await given()).toEqual([["euro"]]);
  });

  it("continues with the default answer at its deadline; then the question ends", async () => {
    const { clock, asked, given } = world({
      wait: (now) => ({ deadlineAt: now + hourMs, defaultAnswer: "dollar" }),
    });
    await turns();
    expect(asked[0]!.payload).toMatchObject({ forUser: { deadlineAt: clock.now() + hourMs, defaultAnswer: "dollar" } });
    expect(asked[0]!.signal.aborted).toBe(false);
    clock.advance(hourMs);
    expect(await given()).toEqual([["dollar"]]);
    expect(asked[0]!.signal.aborted).toBe(true);
  });

  it("is asked about again by the daemon after the one in which it was blocked", async () => {
    const block = { on: "clarification", question: "Which currency?" } as const;
    const { asked, reply, given } = world({
      restored: new Map([[price, { state: "blocked", attempt: 1, retries: 0, block } as NodeRecord]]),
    });
    await turns();
    expect(asked).toHaveLength(1);
    reply.resolve("euro");
    expect(await given()).toEqual([["euro"]]);
  });

  it("does not wait for ever when the user cannot be asked: it is told so", async () => {
    const { reply, given } = world();
    reply.reject(new Error("the architect is gone"));
    expect(await given()).toEqual([["the user could not be asked (the architect is gone)"]]);
  });
});
