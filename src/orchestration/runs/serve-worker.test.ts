import { describe, expect, it } from "vitest";
import type { AgentCaller, NodeId, RunId } from "../../contract/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { guideWorld, echo } from "../guide/testkit.ts";
import { serveWorker, type ServePorts } from "./serve-worker.ts";
import { scratchRuns } from "./testkit.ts";
import type { DaemonMethods } from "./worker-protocol.ts";

const knownKey = "acme-key-0123456789";
const node = "nod_0000000000000000000001" as NodeId;
const heron = { kind: "agent", agent: { name: "heron" } } as unknown as AgentCaller;
const usage = { inputTokens: 60, outputTokens: 40, cacheReadTokens: undefined, cacheWriteTokens: undefined };
const spent = { role: "engineer", node, model: "m", usage };
const { signal } = new AbortController();

function world(changes: Partial<ServePorts> = {}) {
  const at = scratchRuns();
  const seats = new Map<string, AgentCaller>();
  const dispatched: unknown[] = [];
  const reported: unknown[] = [];
  const serve = (run: RunId) =>
    serveWorker(run, {
      store: at.store,
      clock: at.clock,
      routerOf: () => undefined,
      approveCommand: async () => false,
      engineerOf: (of, at) => seats.get(`${of} ${at}`),
      dispatch: async (...given) => (dispatched.push(given.slice(0, 3)), { ok: true }),
      report: async (reports, { project }) => void reported.push([reports, project]),
      index: { ask: () => Promise.reject(new Error("not asked")) },
      librarian: () => Promise.reject(new Error("not asked")),
      clean: createRedactor(knownKey).value,
      ...changes,
    });
  return { ...at, serve, seats, dispatched, reported, [Symbol.dispose]: () => at[Symbol.dispose]() };
}

describe("spending", () => {
  const budget = async (at: ReturnType<typeof world>, tokens: number | undefined) => {
    const { options } = await at.add();
    return at.add({ options: { ...options, budget: tokens } });
  };

  it("is added up in the store, a step of unknown size included, and told once each [RUN-1]", async () => {
    using at = world();
    const { id } = await budget(at, undefined);
    const { spend } = at.serve(id);
    expect(await spend(spent, signal)).toBeUndefined();
    expect(await spend({ ...spent, usage: undefined }, signal)).toBeUndefined();
    const cost = { calls: 2, inputTokens: 60, outputTokens: 40, unknownCalls: 1 };
    expect((await at.store.reader.runs.find(id))?.cost).toEqual(cost);
    const told = await at.events("run.spent");
    expect(told.map(({ data }) => data.cost)).toEqual([
      { calls: 1, inputTokens: 60, outputTokens: 40, unknownCalls: 0 },
      { calls: 1, inputTokens: 0, outputTokens: 0, unknownCalls: 1 },
    ]);
  });

  it("is refused from the step on that uses up the budget, also for the next worker and before its first step [RUN-11]", async () => {
    using at = world();
    const { id } = await budget(at, 200);
    const first = at.serve(id);
    expect([await first.spend(undefined, signal), await first.spend(spent, signal)]).toEqual([undefined, undefined]);
    const refusal = `the run's budget of 200 tokens is used up (200); raise it with "sylk run budget ${id} <tokens> --reason …", then repeat the node with "sylk run retry"`;
    expect(await first.spend(spent, signal)).toBe(refusal);
    expect(await at.serve(id).spend(undefined, signal)).toBe(refusal);
    expect((await at.store.reader.runs.find(id))?.cost.calls, "a question costs nothing").toBe(2);
  });

  it("of two workers at once loses nothing", async () => {
    using at = world();
    const { id } = await budget(at, undefined);
    await Promise.all(Array.from({ length: 6 }, () => at.serve(id).spend(spent, signal)));
    expect((await at.store.reader.runs.find(id))?.cost).toMatchObject({ calls: 6, inputTokens: 360 });
  });
});

describe("an operation of an Engineer", () => {
  const act = (operation: string): DaemonMethods["act"]["input"] => ({
    node,
    operation: operation as never,
    input: { a: 1 },
  });

  it("is done as the Engineer of its node, and answered", async () => {
    using at = world();
    const { id } = await at.add();
    at.seats.set(`${id} ${node}`, heron);
    expect(await at.serve(id).act(act("reservation.acquire"), signal)).toEqual({ ok: true });
    expect(at.dispatched).toEqual([["reservation.acquire", { a: 1 }, heron]]);
  });

  it("is refused without an open seat: before it, after it, and for the seat of another run", async () => {
    using at = world();
    const [{ id }, other] = [await at.add(), await at.add()];
    const denied = { code: "caller.denied", details: { needed: "an Engineer at work" } };
    await expect(at.serve(id).act(act("reservation.acquire"), signal)).rejects.toMatchObject(denied);
    at.seats.set(`${other.id} ${node}`, heron);
    await expect(at.serve(id).act(act("reservation.acquire"), signal)).rejects.toMatchObject(denied);
    expect(at.dispatched).toEqual([]);
  });

  it.each(["run.merge", "approval.decide", "run.start", "agent.register", "reservation.release", "store.backup"])(
    "that is %s is refused, also with a seat",
    async (operation) => {
      using at = world();
      const { id } = await at.add();
      at.seats.set(`${id} ${node}`, heron);
      await expect(at.serve(id).act(act(operation), signal)).rejects.toMatchObject({ code: "caller.denied" });
      expect(at.dispatched).toEqual([]);
    },
  );
});

describe("a fact", () => {
  it("is durable when it is answered: the model, processes that began and ended, and loaded skills", async () => {
    using at = world();
    const { id } = await at.add();
    const { record } = at.serve(id);
    await record({ kind: "model", model: "m-1", label: "rehearsal" }, signal);
    expect(await at.store.reader.runs.find(id)).toMatchObject({ model: "m-1", label: "rehearsal" });
    const process = { pid: 77, startedAt: "s" };
    await record({ kind: "process", process, running: true }, signal);
    expect(await at.store.reader.processes.list()).toEqual([{ ...process, owner: id }]);
    await record({ kind: "process", process, running: false }, signal);
    expect(await at.store.reader.processes.list()).toEqual([]);
    const skills = {
      role: "engineer",
      node,
      loaded: [],
      tooLarge: ["big"],
      problems: [],
      budget: { limit: 9, used: 1 },
    };
    await record({ kind: "skills", ...skills } as never, signal);
    expect(await at.events("run.skills-loaded")).toMatchObject([
      { data: { run: id, role: "engineer", tooLarge: ["big"] } },
    ]);
  });

  it("may quote a key: none is recorded, in no row and no event", async () => {
    using at = world();
    const { id } = await at.add();
    await at.serve(id).record({ kind: "model", model: `m ${knownKey}`, label: undefined }, signal);
    expect((await at.store.reader.runs.find(id))?.model).toBe("m [redacted]");
    expect(at.bytes()).not.toContain(knownKey);
  });
});

describe("a message of a role in the worker", () => {
  const asked = {
    from: "architect",
    to: "librarian",
    type: "USER_INPUT",
    parent: undefined,
    deadlineMs: 60_000,
  } as const;

  it("passes the run's router, without keys, and brings its answer", async () => {
    const { guide: guides } = guideWorld();
    const run = "run_0000000000000000000001" as RunId;
    const kept: unknown[] = [];
    const router = guides.open("ses_000000000000000000000a" as never, {
      run,
      record: async ({ payload }) => void kept.push(payload),
    });
    router.register("librarian", echo("librarian"));
    using at = world({ routerOf: () => router });
    const { id } = await at.add();
    const ask = { ...asked, from: "user", payload: { text: `where is ${knownKey}?` } } as const;
    const answer = await at.serve(id).ask(ask, signal);
    expect(answer).toMatchObject({ type: "USER_RESPONSE", payload: { text: "librarian: where is [redacted]?" } });
    expect(JSON.stringify(kept)).not.toContain(knownKey);
  });

  it("of a run that has ended is refused", async () => {
    using at = world();
    const { id } = await at.add();
    await expect(at.serve(id).ask({ ...asked, payload: { text: "?" } }, signal)).rejects.toThrow(`${id} has ended`);
  });
});

it("shows the run as it is, reports health for its project, and passes a command to a person", async () => {
  const argvs: unknown[] = [];
  using at = world({ approveCommand: async (...given) => (argvs.push(given), true) });
  const { id, project } = await at.add({ request: "Add a cart" });
  const served = at.serve(id);
  expect(await served.show(undefined, signal)).toMatchObject({ id, request: "Add a cart", nodes: [] });
  await served.report([{ kind: "tool" }] as never, signal);
  expect(at.reported).toEqual([[[{ kind: "tool" }], project]]);
  expect(await served.approve({ argv: ["rm", "x"] }, signal)).toBe(true);
  expect(argvs).toEqual([[id, { argv: ["rm", "x"] }, signal]]);
});
