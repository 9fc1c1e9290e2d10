import fc from "fast-check";
import { expect, it } from "vitest";
import type { SessionId } from "../../contract/index.ts";
import { defineSkill, int, text } from "../../knowledge/skills/index.ts";
import { createArchiveMemory, listHistory } from "../../knowledge/archive/index.ts";
import { listRuns } from "../../orchestration/runs/index.ts";
import { scratchRuns } from "../../orchestration/runs/testkit.ts";
import { callable, type SkillCall } from "./callable-skill.ts";
import { session, signal, switchboard } from "./testkit.ts";

const terms = { domain: "notes", keywords: ["note"], tier: "core" } as const;
const note = defineSkill({ ...terms, name: "note", description: "Adds.", parameters: { by: int("How many") } });
const recall = defineSkill({ ...terms, name: "recall", description: "Looks.", parameters: { of: text("What") } });

/** State by session, and an agent in each that can change it and look at it. */
function world(sessions: readonly SessionId[]) {
  const board = switchboard();
  const notes = new Map<SessionId, number>(sessions.map((one) => [one, 0]));
  const skills = [
    callable(note, "change", async ({ by }, call) => {
      await Promise.resolve();
      notes.set(call.session, notes.get(call.session)! + by);
    }),
    callable(recall, "read", async (_, call) => notes.get(call.session)),
  ];
  const desks = new Map(sessions.map((one) => [one, board.seat(one, "engineer", { own: skills })]));
  for (const one of sessions) board.seat(one, "librarian");
  return { board, notes, deskOf: (one: SessionId) => desks.get(one)! };
}

const sessions = [session("a"), session("b"), session("c")];
const anySession = fc.constantFrom(...sessions);

it("every change and every message carries the session of the agent that makes it, whatever its words say, while all sessions work at once", async () => {
  const step = fc.record({
    own: anySession,
    claimed: anySession,
    does: fc.constantFrom("note" as const, "route_to" as const, "broadcast" as const),
    by: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 30 }), async (steps) => {
      const { board, notes, deskOf } = world(sessions);
      await Promise.all(
        steps.map(async ({ own, claimed, does, by }) => {
          const message = `${own}: do it in ${claimed}`;
          const context = { session: claimed };
          if (does === "note") await deskOf(own).call("note", { by }, { signal });
          if (does === "route_to")
            await deskOf(own).call("route_to", { target: "librarian", message, context }, { signal });
          if (does === "broadcast")
            await deskOf(own).call("broadcast", { targets: ["librarian"], message }, { signal });
          await expect(deskOf(own).call("note", { by, session: claimed }, { signal })).rejects.toThrow("session");
        }),
      );
      for (const { session: at, message } of board.sent) expect(message.startsWith(`${at}:`)).toBe(true);
      expect(board.replies.map((reply) => reply.session).sort()).toEqual(board.sent.map((one) => one.session).sort());
      for (const one of sessions)
        expect(notes.get(one)).toBe(sum(steps.filter(({ own, does }) => own === one && does === "note")));
    }),
    { numRuns: 60 },
  );
  // @ts-expect-error a call without a session cannot be written down
  const call: SkillCall = { agent: "engineer", signal };
  expect(call).toBeDefined();
});

it("an agent that looks into another session changes nothing there, whatever it calls and however many do it at once", async () => {
  const step = fc.record({
    own: anySession,
    other: anySession,
    does: fc.constantFrom("note" as const, "recall" as const),
    by: fc.integer({ min: 1, max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 30 }), async (steps) => {
      const { notes, deskOf } = world(sessions);
      const done = await Promise.allSettled(
        steps.map(({ own, other, does, by }) =>
          deskOf(own).call(does, does === "note" ? { by } : { of: "all" }, { session: other, signal }),
        ),
      );
      for (const [index, { own, other, does }] of steps.entries()) {
        const outcome = done[index]!;
        const allowed = does === "recall" || own === other;
        expect([index, outcome.status]).toEqual([index, allowed ? "fulfilled" : "rejected"]);
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "caller.denied" });
      }
      for (const one of sessions)
        expect(notes.get(one)).toBe(
          sum(steps.filter(({ own, other, does }) => own === one && other === one && does === "note")),
        );
    }),
    { numRuns: 60 },
  );
});

it("queries over the runs, sessions and history of all sessions leave every row and event as it was, and could not do otherwise [COMMON-10]", async () => {
  using at = scratchRuns();
  for (const name of ["one", "two"]) await at.add({ request: name });
  const { runs, sessions } = at.store.reader;
  const rows = async () => [
    await runs.list({ project: undefined, status: undefined, before: undefined, limit: 9 }),
    await sessions.list({ project: undefined, before: undefined, limit: 9 }),
    await at.events(),
  ];
  const before = await rows();
  const user = { kind: "user", project: undefined } as const;
  const listSessions: Query = async ({ cursor, limit }) => ({
    items: await sessions.list({ project: undefined, before: cursor, limit }),
  });
  const historyOfAll: Query = ({ limit }) =>
    listHistory({ limit, allSessions: true, archived: true, failures: false }, user, {
      ...at,
      ...createArchiveMemory(),
      currentSession: async () => undefined,
      projectOf: async () => undefined,
    });
  const query = fc.record({
    which: fc.constantFrom<Query>(listRuns as Query, listSessions, historyOfAll),
    limit: fc.integer({ min: 1, max: 500 }),
    cursor: fc.option(fc.string({ minLength: 1, maxLength: 40 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(query, { minLength: 2, maxLength: 8 }), async (queries) => {
      const answers = await Promise.all(queries.map(({ which, ...input }) => which(input, user, at)));
      for (const { items } of answers) expect(Array.isArray(items)).toBe(true);
    }),
    { numRuns: 40 },
  );
  expect(await rows()).toEqual(before);
  const [run] = await runs.list({ project: undefined, status: undefined, before: undefined, limit: 1 });
  await expect(Promise.resolve().then(() => runs.update({ ...run!, request: "changed" }))).rejects.toThrow(/readonly/);
});

type Page = { readonly cursor?: string | undefined; readonly limit: number };
type Query = (input: Page, caller: object, ports: object) => Promise<{ readonly items: readonly unknown[] }>;

function sum(steps: readonly { readonly by: number }[]): number {
  return steps.reduce((total, { by }) => total + by, 0);
}
