import { describe, expect, it } from "vitest";
import {
  messageTypes,
  type Message,
  type MessageType,
  type RoleName,
  type RunId,
  type SessionId,
} from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { randomIds } from "../../platform/ids/index.ts";
import { createGuide, Unanswered, Undeliverable, type RoleHandler } from "./guide.ts";

const session = "ses_0000000000000000000001" as SessionId;
const run = "run_0000000000000000000001" as RunId;
const deadlineMs = 60_000;

function world() {
  const clock = manualClock();
  const recorded: Message[] = [];
  const guide = createGuide({
    session,
    run,
    ids: randomIds(clock),
    clock,
    record: async (message) => void recorded.push(message),
  });
  const { signal } = new AbortController();
  return { clock, recorded, guide, terms: { deadlineMs, signal } };
}

const context: RoleHandler = async ({ payload }) => ({ type: "CONTEXT_RESPONSE", payload: { echo: payload.question } });

describe("the Guide", () => {
  it("records request and answer before the asker goes on, with one correlation and the parent named [RUN-1]", async () => {
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
    });
    expect([answer.payload, answer.status]).toEqual([{ echo: "where" }, "completed"]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it("delivers a type only from and to the roles that the registry names, and records nothing else [RUN-1]", async () => {
    const roles: readonly RoleName[] = [
      "user",
      "guide",
      "architect",
      "orchestrator",
      "engineer",
      "inspector",
      "tester",
      "librarian",
      "academic",
      "archivalist",
    ];
    const types = Object.keys(messageTypes) as MessageType[];
    for (const type of types) {
      const { from, to }: { from: readonly RoleName[]; to: readonly RoleName[] } = messageTypes[type];
      for (const sender of roles)
        for (const receiver of roles) {
          const { guide, recorded, terms } = world();
          guide.register(receiver, () => Promise.reject(new Error("delivered")));
          const failure = await guide.ask(sender, receiver, type, {}, terms).catch((error: unknown) => error as Error);
          const allowed = from.includes(sender) && to.includes(receiver);
          expect([failure instanceof Undeliverable, recorded.length], `${sender} ${type} ${receiver}`).toEqual([
            !allowed,
            allowed ? 1 : 0,
          ]);
        }
    }
  });

  it("refuses an answer that the answering role may not give", async () => {
    const { guide, recorded, terms } = world();
    guide.register("librarian", async () => ({ type: "TASK_COMPLETE", payload: {} }));
    await expect(guide.ask("architect", "librarian", "CONTEXT_REQUEST", {}, terms)).rejects.toThrow(
      "librarian may not send TASK_COMPLETE to architect",
    );
    expect(recorded).toHaveLength(1);
  });

  it("tells at the deadline who did not answer, and stops them [RUN-11]", async () => {
    const { guide, clock, terms } = world();
    let stopped = false;
    guide.register("librarian", (_, signal) => {
      signal.addEventListener("abort", () => (stopped = true));
      return new Promise(() => {});
    });
    const asked = guide.ask("architect", "librarian", "CONTEXT_REQUEST", {}, terms);
    asked.catch(() => {}); // looked at below
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(deadlineMs - 1);
    expect(stopped).toBe(false);
    clock.advance(1);
    await expect(asked).rejects.toThrow(Unanswered);
    await expect(asked).rejects.toThrow("librarian did not answer CONTEXT_REQUEST within 60 s");
    expect(stopped).toBe(true);
  });

  it("says at once that nobody listens, and lets nobody listen for a role that is taken", async () => {
    const { guide, clock, terms } = world();
    await expect(guide.ask("architect", "librarian", "CONTEXT_REQUEST", {}, terms)).rejects.toThrow(
      "0 agents listen as librarian",
    );
    guide.register("librarian", context);
    expect(() => guide.register("librarian", context)).toThrow("somebody listens as librarian already");
    expect((await guide.ask("architect", "librarian", "CONTEXT_REQUEST", {}, terms)).type).toBe("CONTEXT_RESPONSE");
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
    guide.register("librarian", handler);
    await expect(guide.ask("architect", "librarian", "CONTEXT_REQUEST", {}, terms)).rejects.toThrow("planted");
    expect(clock.pendingTimers()).toBe(0);
  });

  it("does not deliver what could not be recorded", async () => {
    const clock = manualClock();
    let delivered = 0;
    const guide = createGuide({
      session,
      run,
      ids: randomIds(clock),
      clock,
      record: () => Promise.reject(new Error("no room")),
    });
    guide.register("librarian", async () => ({ type: "CONTEXT_RESPONSE", payload: { delivered: ++delivered } }));
    await expect(
      guide.ask("architect", "librarian", "CONTEXT_REQUEST", {}, { deadlineMs, signal: new AbortController().signal }),
    ).rejects.toThrow("no room");
    expect(delivered).toBe(0);
  });
});
