import { describe, expect, it } from "vitest";
import type { Message, RunId, SessionId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { Unanswered } from "./delivery/deliver-request.ts";
import { createGuide } from "./guide.ts";
import { answerMessages, type RoleHandler } from "./role-handler.ts";

const session = "ses_0000000000000000000001" as SessionId;
const run = "run_0000000000000000000001" as RunId;
const deadlineMs = 60_000;

function world() {
  const clock = manualClock();
  const recorded: Message[] = [];
  const outside: Message[] = [];
  const guides = createGuide({ ids: randomIds(clock), clock, record: async (message) => void outside.push(message) });
  const guide = guides.open(session, { run, record: async (message) => void recorded.push(message) });
  const { signal } = new AbortController();
  return { clock, recorded, outside, guides, guide, terms: { deadlineMs, signal } };
}

const question = { question: "where" };
const context = answerMessages({
  CONTEXT_REQUEST: async ({ payload }) => ({
    type: "CONTEXT_RESPONSE",
    payload: { files: [payload.question], fileCount: 1, found: [] },
  }),
});

describe("the Guide", () => {
  it("records request and answer before the asker continues, with one correlation and the parent named [RUN-1]", async () => {
    const { guide, recorded, terms, clock } = world();
    guide.register("librarian", async (request, signal) => {
      expect(
        recorded.map(({ id }) => id),
        "recorded before it is delivered",
      ).toEqual([request.id]);
      return context(request, signal);
    });
    const parent = { id: "msg_0000000000000000000009" } as Message;
    const answer = await guide.ask(
      "architect",
      "librarian",
      "CONTEXT_REQUEST",
      { question: "where" },
      { ...terms, parent },
    );
    const [request, response] = recorded;
    expect(request).toMatchObject({
      correlationId: request!.id,
      parentId: parent.id,
      session,
      run,
      status: "processing",
    });
    expect(request!.deadlineAt).toBe(clock.now() + deadlineMs);
    expect(response).toEqual(answer);
    expect(answer).toMatchObject({
      correlationId: request!.id,
      parentId: request!.id,
      from: "librarian",
      to: "architect",
      at: clock.now(),
      processedAt: clock.now(),
      priority: 50,
      attempt: 1,
      maxAttempts: 3,
      metadata: {},
    });
    expect([answer.payload, answer.status]).toEqual([{ files: ["where"], fileCount: 1, found: [] }, "completed"]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("refuses an answer that the answering role may not give", async () => {
    const { guide, recorded, terms } = world();
    guide.register("librarian", async () => ({ type: "TASK_COMPLETE", payload: { summary: "done" } }));
    await expect(guide.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms)).rejects.toThrow(
      "librarian may not send TASK_COMPLETE to architect",
    );
    expect(recorded).toHaveLength(1);
  });

  it("refuses an answer that is for another question, and a question that the role has no answer to", async () => {
    const { guide, recorded, terms } = world();
    guide.register("architect", async () => ({ type: "ACK", payload: {} }));
    await expect(guide.ask("user", "architect", "PLAN_REQUEST", { text: "Add prices" }, terms)).rejects.toThrow(
      "ACK does not answer PLAN_REQUEST",
    );
    guide.register("librarian", context);
    await expect(guide.ask("user", "librarian", "USER_INPUT", { text: "where?" }, terms)).rejects.toThrow(
      "librarian does not answer USER_INPUT",
    );
    expect(recorded.map(({ type }) => type)).toEqual(["PLAN_REQUEST", "USER_INPUT"]);
  });

  it("tells at the deadline who did not answer, and stops them [RUN-11]", async () => {
    const { guide, clock, terms } = world();
    let stopped = false;
    guide.register("librarian", (_, signal) => {
      signal.addEventListener("abort", () => (stopped = true));
      return new Promise(() => {});
    });
    const asked = guide.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
    asked.catch(() => {}); // looked at below
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(deadlineMs - 1);
    expect(stopped).toBe(false);
    clock.advance(1);
    await expect(asked).rejects.toThrow(Unanswered);
    await expect(asked).rejects.toThrow("librarian did not answer CONTEXT_REQUEST within 60 s");
    expect(stopped).toBe(true);
  });

  it("says at once that no role listens, and refuses a second listener for a role", async () => {
    const { guide, clock, terms } = world();
    await expect(guide.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms)).rejects.toThrow(
      "No agent librarian listens",
    );
    guide.register("librarian", context);
    expect(() => guide.register("librarian", context)).toThrow("librarian is already registered");
    expect((await guide.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms)).type).toBe(
      "CONTEXT_RESPONSE",
    );
    expect(clock.pendingTimers()).toBe(0);
  });

  it.each<[string, RoleHandler]>([
    ["rejects", () => Promise.reject(new Error("planted"))],
    [
      "throws",
      () => {
        throw new Error("planted");
      },
    ],
  ])("passes on what a handler that %s says", async (_, handler) => {
    const { guide, clock, terms } = world();
    guide.register("archivalist", handler);
    const kept = { title: "a", content: {} };
    await expect(guide.ask("architect", "archivalist", "STORE_REQUEST", kept, terms)).rejects.toThrow("planted");
    expect(clock.pendingTimers()).toBe(0);
  });

  it("does not deliver what could not be recorded", async () => {
    const clock = manualClock();
    let delivered = 0;
    const record = (): Promise<never> => Promise.reject(new Error("no room"));
    const guide = createGuide({ ids: randomIds(clock), clock, record: async () => {} }).open(session, { run, record });
    guide.register("librarian", (request, signal) => {
      delivered++;
      return context(request, signal);
    });
    await expect(
      guide.ask("architect", "librarian", "CONTEXT_REQUEST", question, {
        deadlineMs,
        signal: new AbortController().signal,
      }),
    ).rejects.toThrow("no room");
    expect(delivered).toBe(0);
  });
});

describe("two runs of one session", () => {
  const other = "run_0000000000000000000002" as RunId;
  const librarian = (name: string): RoleHandler =>
    answerMessages({
      CONTEXT_REQUEST: async () => ({ type: "CONTEXT_RESPONSE", payload: { files: [name], fileCount: 1, found: [] } }),
    });

  it("have the same roles at once and do not meet: each is answered and recorded in its own", async () => {
    const { guides, guide: first, recorded, outside, terms } = world();
    const ofSecond: Message[] = [];
    const second = guides.open(session, { run: other, record: async (message) => void ofSecond.push(message) });
    const ofSession = guides.open(session);
    for (const [router, name] of [
      [first, "first"],
      [second, "second"],
      [ofSession, "session"],
    ] as const)
      router.register("librarian", librarian(name));
    const filesOf = async ({ ask }: typeof first) =>
      (await ask("architect", "librarian", "CONTEXT_REQUEST", question, terms)).payload.files;
    expect(await Promise.all([filesOf(first), filesOf(second), filesOf(ofSession)])).toEqual([
      ["first"],
      ["second"],
      ["session"],
    ]);
    expect([recorded, ofSecond, outside].map((kept) => kept.map((message) => message.run))).toEqual([
      [run, run],
      [other, other],
      [undefined, undefined],
    ]);
  });

  it("end one by one: the roles of the other answer on, and its router stays the same", async () => {
    const { guides, guide: first, terms } = world();
    const record = async (): Promise<void> => {};
    const second = guides.open(session, { run: other, record });
    for (const router of [first, second]) router.register("librarian", librarian("here"));
    first.close();
    expect([guides.get(run), guides.get(other), guides.open(session, { run: other, record })]).toEqual([
      undefined,
      second,
      second,
    ]);
    const { payload } = await second.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
    expect(payload.files).toEqual(["here"]);
    const late = first.ask("architect", "librarian", "CONTEXT_REQUEST", question, terms);
    await expect(late).rejects.toThrow("is closed");
  });
});
