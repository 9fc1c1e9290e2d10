import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonValue } from "../../../test/fuzz/json-value.ts";
import {
  DomainError,
  session as contract,
  type Session,
  type SessionId,
  type SessionState,
} from "../../contract/index.ts";
import { moveSession } from "./session-states.ts";
import { playedWork, type ScratchParts, scratchSessions } from "./testkit.ts";
import type { SessionContext } from "./session-context.ts";

const states = contract.SessionState.options;
const legal: Readonly<Record<SessionState, readonly SessionState[]>> = {
  created: ["active", "failed"],
  active: ["paused", "suspended", "completed", "failed"],
  paused: ["active", "suspended", "completed", "failed"],
  suspended: ["active", "completed", "failed"],
  completed: [],
  failed: [],
};
type Scratch = Awaited<ReturnType<typeof scratchSessions>>;
const steps = ["pause", "resume", "suspend", "complete", "fail", "switch"] as const;
type Step = (typeof steps)[number];
const targetOf: Readonly<Record<Step, SessionState>> = {
  pause: "paused",
  resume: "active",
  suspend: "suspended",
  complete: "completed",
  fail: "failed",
  switch: "active",
};

type Looking = { readonly client: string; readonly onBlur: "pause" | "background" };
const ada: Looking = { client: "ada", onBlur: "background" };

function take(step: Step, id: SessionId, { sessions }: Scratch, { client, onBlur } = ada): Promise<unknown> {
  if (step === "complete" || step === "fail") return sessions.close(id, { failed: step === "fail" });
  return step === "switch" ? sessions.switch(id, client, { onBlur }) : sessions[step](id);
}

it("moves by legal steps only; every other is refused by name and changes nothing [SM-3]", async () => {
  using at = await scratchSessions();
  const session = await at.create();
  fc.assert(
    fc.property(fc.constantFrom(...states), fc.constantFrom(...states), fc.nat(), (from, to, now) => {
      const before: Session = { ...session, state: from };
      const move = () => moveSession(before, to, now);
      if (legal[from].includes(to)) expect(move()).toMatchObject({ state: to, updatedAt: now });
      else expect(move).toThrow(expect.objectContaining({ code: "session.not-possible" }));
      expect(before).toEqual({ ...session, state: from });
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 8 }), async (path) => {
      const { id } = await at.create();
      let state: SessionState = "created";
      for (const step of path) {
        const to = targetOf[step];
        const stays = step === "switch" && state === "active";
        const before = await at.sessions.get(id);
        if (legal[state].includes(to) || stays) {
          await take(step, id, at);
          state = to;
          expect((await at.sessions.get(id)).state).toBe(state);
        } else {
          await expect(take(step, id, at)).rejects.toMatchObject({ code: "session.not-possible" });
          expect(await at.sessions.get(id)).toEqual(before);
        }
      }
    }),
    { numRuns: 25 },
  );
});

it("loses no change of any session, whatever is asked of several at once, and leaves none half-made [SM-6]", async () => {
  const deeds: string[] = [];
  const work = playedWork(deeds);
  /** Takes its time, as a process does. */
  const stopped = async (held: readonly string[]) => {
    for (let turn = 0; held.length > 0 && turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    return work.stopped(held);
  };
  using at = await scratchSessions({ work: [{ ...work, stopped }] });
  const asked = fc.record({
    step: fc.constantFrom(...steps),
    which: fc.nat(3),
    late: fc.nat(3),
    looking: fc.record({
      client: fc.constantFrom("ada", "bob"),
      onBlur: fc.constantFrom("pause" as const, "background" as const),
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 4, maxLength: 24, size: "max" }), async (calls) => {
      const ids = await Promise.all([0, 1, 2, 3].map(async () => (await at.create()).id));
      deeds.length = 0;
      for (const id of ids) work.start(id, id);
      const results = await Promise.allSettled(
        calls.map(async ({ step, which, late, looking }) => {
          for (let turn = 0; turn < late; turn++) await new Promise((resolve) => setImmediate(resolve));
          return take(step, ids[which]!, at, looking);
        }),
      );
      for (const result of results)
        if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "session.not-possible" });
      for (const id of ids) {
        await expectWhole(id, at);
        const ofIt = deeds.filter((deed) => deed.endsWith(id)).map((deed) => deed.slice(0, -id.length - 1));
        expect(ofIt.join(), "held work has stopped before it resumes").not.toMatch(/held,resumed/);
      }
    }),
    { numRuns: 25 },
  );
});

/** Its moves form one chain from its creation to its row, and memory agrees with the row. */
async function expectWhole(id: SessionId, at: Scratch): Promise<void> {
  const session = await at.sessions.get(id);
  const moves = (await at.events()).filter(({ type, subject }) => type === "session.changed" && subject === id);
  let state: SessionState = "created";
  for (const { data } of moves) {
    const { from, to } = data as { from: SessionState; to: SessionState };
    expect(from).toBe(state);
    expect(legal[from]).toContain(to);
    state = to;
  }
  expect(session.state).toBe(state);
  const isLoaded = ["created", "active", "paused"].includes(state);
  expect(at.sessions.inMemory(id)?.state).toBe(isLoaded ? state : undefined);
  const isSaved = (await at.store.reader.sessions.findSnapshot(id)) !== undefined;
  if (state === "paused" || state === "suspended") expect(isSaved).toBe(true);
}

it("lets a user look at one session at any instant, however many switches come at once [SM-18]", async () => {
  using at = await scratchSessions();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { minLength: 2, maxLength: 20, size: "max" }), async (targets) => {
      const client = at.ids.next("msg");
      const ids = await Promise.all([0, 1, 2, 3, 4].map(async () => (await at.create()).id));
      const switched = await Promise.all(targets.map((which) => at.sessions.switch(ids[which]!, client)));
      expect(switched.every(({ session }) => session.state === "active")).toBe(true);
      const active = new Set<SessionId>();
      for (const { type, subject, data } of await at.events()) {
        if (type !== "session.changed" || !ids.includes(subject as SessionId)) continue;
        if ((data as { to: SessionState }).to === "active") active.add(subject as SessionId);
        else active.delete(subject as SessionId);
        expect(active.size).toBeLessThanOrEqual(1);
      }
      expect([...active]).toEqual([(await at.sessions.getActive(client))!.id]);
    }),
    { numRuns: 20 },
  );
});

const word = fc.string({ minLength: 1, maxLength: 12 });
const json = jsonValue({ maxDepth: 3 });
const content = fc.record({
  metadata: fc.dictionary(word, fc.string()),
  preferences: fc.dictionary(word, fc.string()),
  agents: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 4 }),
  learnt: fc.array(fc.tuple(word, word), { maxLength: 5 }),
  pending: fc.array(fc.tuple(word, json), { maxLength: 5 }),
});
type Content = typeof content extends fc.Arbitrary<infer Value> ? Value : never;

function fill(context: SessionContext<ScratchParts>, given: Content): void {
  for (const [name, value] of Object.entries(given.metadata)) context.metadata.set(name, value);
  for (const [name, value] of Object.entries(given.preferences)) context.preferences.set(name, value);
  given.agents.forEach(context.addAgent);
  for (const agent of given.agents) context.router!.agents.add(agent);
  for (const [input, to] of given.learnt) context.router!.learnt.set(input, to);
  for (const [id, request] of given.pending) context.router!.pending.set(id, request);
}

const scopeOf = (given: Content) => [new Set(given.agents), new Map(given.learnt), new Map(given.pending)];
const scopeIn = ({ router }: SessionContext<ScratchParts>) => [router!.agents, router!.learnt, router!.pending];

it("takes up what it put down, deep-equal, in this process and in the next [SM-20, SM-28]", async () => {
  using at = await scratchSessions();
  const downs = fc.constantFrom("pause", "suspend", "shutdown");
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 2, maxLength: 3 }),
      downs,
      fc.boolean(),
      async (given, down, crash) => {
        const ids = await Promise.all(given.map(() => at.active()));
        const before = await Promise.all(
          ids.map(async (id, index) => {
            const context = await at.sessions.context(id);
            fill(context, given[index]!);
            return context.serialize();
          }),
        );
        if (down === "shutdown") await at.sessions.shutdown();
        else await Promise.all(ids.map((id) => at.sessions[down](id)));
        if (crash || down === "shutdown") at.again();
        if (down !== "shutdown") await Promise.all(ids.map((id) => at.sessions.resume(id)));
        const after = await Promise.all(ids.map(async (id) => (await at.sessions.context(id)).serialize()));
        expect(after).toEqual(before);
        for (const [index, id] of ids.entries())
          expect(scopeIn(await at.sessions.context(id))).toEqual(scopeOf(given[index]!));
      },
    ),
    { numRuns: 20 },
  );
});

it("keeps what was set, whatever the sessions go through meanwhile, crashes among it [SM-32]", async () => {
  using at = await scratchSessions();
  const name = fc.constantFrom("a", "b", "c");
  const value = fc.option(fc.string({ maxLength: 5 }), { nil: undefined });
  const change = fc.record({ notes: fc.dictionary(name, value), preferences: fc.dictionary(name, value) });
  const step = fc.oneof(
    fc.record({ set: change }),
    fc.record({ move: fc.constantFrom("pause", "resume", "suspend") }),
    fc.record({ crash: fc.constant(true) }),
  );
  const without = (values: Record<string, string | undefined>) =>
    Object.fromEntries(Object.entries(values).filter(([, given]) => given !== undefined));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, step), { maxLength: 10 }), async (steps) => {
      const ids = [await at.active(), await at.active()];
      const wanted = ids.map(() => ({ notes: {}, preferences: {} }));
      for (const pair of steps) {
        await Promise.all(
          pair.map(async (each, index) => {
            if ("move" in each) await at.sessions[each.move](ids[index]!).catch(unlessNotPossible);
            if (!("set" in each)) return;
            await at.sessions.set(ids[index]!, each.set);
            Object.assign(wanted[index]!.notes, each.set.notes);
            Object.assign(wanted[index]!.preferences, each.set.preferences);
          }),
        );
        if (pair.some((each) => "crash" in each)) at.again();
      }
      for (const [index, id] of ids.entries()) {
        const { notes, preferences } = wanted[index]!;
        expect((await at.sessions.get(id)).metadata).toEqual(without(notes));
        expect(await at.sessions.preferences(id)).toEqual(without(preferences));
        if ((await at.sessions.get(id)).state === "suspended") await at.sessions.resume(id);
        const context = await at.sessions.context(id);
        expect([context.metadata.all(), context.preferences.all()]).toEqual([without(notes), without(preferences)]);
      }
    }),
    { numRuns: 25 },
  );
});

function unlessNotPossible(error: unknown): void {
  if (!(error instanceof DomainError && error.code === "session.not-possible")) throw error;
}

it("keeps a hundred sessions, made at once, distinct and apart: none sees what another wrote [SM-25, SM-26]", async () => {
  using at = await scratchSessions();
  const ids = await Promise.all(Array.from({ length: 100 }, () => at.active()));
  expect(new Set(ids).size).toBe(100);
  const writes = fc.array(fc.record({ which: fc.nat(99), given: content }), { minLength: 2, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(writes, async (all) => {
      const before = await Promise.all(ids.map(async (id) => (await at.sessions.context(id)).serialize()));
      const heard: string[] = [];
      const listening = ids.map(async (id) =>
        (await at.sessions.context(id)).bus.subscribe("status", ({ session }) => void heard.push(`${id} ${session}`)),
      );
      const leave = await Promise.all(listening);
      await Promise.all(
        all.map(async ({ which, given }) => {
          const context = await at.sessions.context(ids[which]!);
          fill(context, given);
          context.bus.publishStatus({ session: context.id, type: "X", priority: 1, payload: given });
        }),
      );
      leave.forEach((end) => end());
      expect(heard.every((line) => line.split(" ")[0] === line.split(" ")[1])).toBe(true);
      expect(heard).toHaveLength(all.length);
      const written = new Set(all.map(({ which }) => which));
      for (const [index, id] of ids.entries())
        if (!written.has(index)) expect((await at.sessions.context(id)).serialize()).toEqual(before[index]);
    }),
    { numRuns: 10 },
  );
});

it("gives every session parts of its own, which neither the work nor the end of another changes [SM-25]", async () => {
  using at = await scratchSessions();
  await fc.assert(
    fc.asyncProperty(content, content, async (one, other) => {
      const ids = await Promise.all([at.active(), at.active()]);
      const [first, second] = await Promise.all(ids.map((id) => at.sessions.context(id)));
      fill(first!, one);
      fill(second!, other);
      expect([scopeIn(first!), scopeIn(second!)]).toEqual([scopeOf(one), scopeOf(other)]);
      await at.sessions.close(ids[0]);
      expect(scopeIn(second!)).toEqual(scopeOf(other));
    }),
    { numRuns: 15 },
  );
});

it("lets many sessions use one archive at once: each writes under its own name, all read the same", async () => {
  using at = await scratchSessions();
  const ids = await Promise.all(Array.from({ length: 12 }, () => at.active()));
  const { project, store } = at;
  let number = 0;
  /** What a role of a session is given: the archive, as that session. */
  const roleOf = ({ id: session }: SessionContext<ScratchParts>) => ({
    store: (title: string) => {
      const entry = { id: `note-${++number}`, session, category: "note", title, content: {}, at: number };
      return store.transact(session, (tx) => tx.archive.keep(project, entry));
    },
    all: () => store.reader.archive.list({ project, sessions: undefined, before: undefined, limit: 10_000 }),
  });
  const roles = await Promise.all(ids.map(async (id) => roleOf(await at.sessions.context(id))));
  const told = ids.map((): string[] => []);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(11), word), { minLength: 2, maxLength: 20 }), async (notes) => {
      await Promise.all(notes.map(([which, title]) => roles[which]!.store(title)));
      for (const [which, title] of notes) told[which]!.push(title);
      const [first, last] = await Promise.all([roles[0]!.all(), roles.at(-1)!.all()]);
      expect(first).toEqual(last);
      for (const [which, id] of ids.entries())
        expect(
          first
            .filter(({ session }) => session === id)
            .map(({ title }) => title)
            .toSorted(),
        ).toEqual(told[which]!.toSorted());
    }),
    { numRuns: 15 },
  );
  const entry = { id: "x", session: ids[0]!, category: "note", title: "x", content: {}, at: 1 };
  await expect(store.reader.archive.keep(project, entry)).rejects.toThrow(/readonly/);
});
