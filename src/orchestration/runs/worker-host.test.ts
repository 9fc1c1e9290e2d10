import { describe, expect, it } from "vitest";
import { DomainError, type RunId } from "../../contract/index.ts";
import { createLog } from "../../platform/log/index.ts";
import { createPool, takeSlot } from "../../platform/pool/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { createProcessRecorder, type ProcessIdentity } from "../executors/index.ts";
import type { JournalEntry } from "./journal.ts";
import { playedWorker, type PlayedWorker, scratchRuns } from "./testkit.ts";
import { createWorkerHost } from "./worker-host.ts";
import type { RunWork } from "./worker-protocol.ts";

const knownKey = "acme-key-0123456789";

type Changes = { readonly workOf?: () => Promise<RunWork>; readonly slots?: number };

function world({ workOf, slots = 1 }: Changes = {}) {
  const runs = scratchRuns();
  const workers: PlayedWorker[] = [];
  const deeds: string[] = [];
  const logged: string[] = [];
  const pool = createPool({ clock: runs.clock, limits: { all: slots, perGroup: 10 }, queue: { all: 2, perGroup: 2 } });
  const endGroup = async ({ pid }: ProcessIdentity) => void deeds.push(`ended ${pid}`);
  const processes = createProcessRecorder({ store: runs.store, endGroup, log: { error: () => "" } });
  const host = createWorkerHost({
    ...runs,
    log: createLog({ level: "debug", clock: runs.clock, write: (line) => void logged.push(line) }),
    startTimeOf: async (pid) => `start-${pid}`,
    processes,
    spawnWorker() {
      const worker = playedWorker(1000 + workers.length);
      workers.push(worker);
      deeds.push(`spawned ${worker.pid}`);
      return worker.child;
    },
    workOf: workOf ?? (async (run) => ({ run }) as RunWork),
    clean: createRedactor(knownKey).value,
    takeSlot: (job) => takeSlot(pool, job),
  });
  const record = async (worker: PlayedWorker, run: RunId, ...entries: readonly JournalEntry[]) => {
    const id = worker.heard.length + 100;
    worker.say({ kind: "record", id, run, entries });
    return until(() => worker.heard.find((message) => message.kind === "recorded" && message.id === id));
  };
  const ready = async (worker: PlayedWorker) => {
    worker.say({ kind: "ready" });
    await until(() => worker.heard.find(({ kind }) => kind === "go"));
  };
  return {
    ...runs,
    runs,
    pool,
    host,
    processes,
    workers,
    deeds,
    logged,
    record,
    ready,
    [Symbol.dispose]: () => runs[Symbol.dispose](),
  };
}

async function until<T>(probe: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let looks = 0; looks < 2_000; looks++) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error("it did not happen");
}

describe("a worker", () => {
  it("gets its work only after its process was recorded, and one at a time per run [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    at.host.launch(run.id);
    expect([at.workers.length, at.workers[0]!.heard]).toEqual([1, []]);
    await at.ready(at.workers[0]!);
    expect(await at.store.reader.processes.list()).toEqual([{ pid: 1000, startedAt: "start-1000", owner: run.id }]);
    expect(at.workers[0]!.heard).toEqual([{ kind: "go", work: { run: expect.objectContaining({ id: run.id }) } }]);
  });

  it("hears that something is recorded after it is, and why when it cannot be [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    const [worker] = at.workers;
    await at.ready(worker!);
    expect(await at.record(worker!, run.id, { kind: "commit", commit: "abc" })).not.toHaveProperty("error");
    expect((await at.store.reader.runs.find(run.id))?.commit).toBe("abc");
    const bad = { kind: "transition", transition: { node: "nod_none" } } as unknown as JournalEntry;
    const refused = await at.record(worker!, run.id, { kind: "commit", commit: "def" }, bad);
    expect(refused).toHaveProperty("error");
    expect((await at.store.reader.runs.find(run.id))?.commit, "all or nothing").toBe("abc");
  });

  it("may quote a key: none is recorded, in no row and no event", async () => {
    using at = world();
    const run = await at.add();
    const [node] = await at.addNodes(run, "price");
    at.host.launch(run.id);
    await at.ready(at.workers[0]!);
    const finding = { id: "fnd_0000000000000000000001", message: `prints ${knownKey}` };
    await at.record(
      at.workers[0]!,
      run.id,
      { kind: "check", check: { output: knownKey }, findings: [finding] } as unknown as JournalEntry,
      { kind: "approval", about: "evidence", question: `Is ${knownKey} right?`, details: [knownKey] },
      { kind: "status", to: "failed", reason: `the model said ${knownKey}` },
    );
    expect(await at.statusOf(run.id)).toEqual(["failed", "the model said [redacted]"]);
    const kept = JSON.stringify([await at.events(), await at.store.reader.runs.checksOf(run.id), node]);
    expect(kept).toContain("prints [redacted]");
    expect(kept).not.toContain(knownKey);
    expect(at.bytes()).not.toContain(knownKey);
  });

  it("that dies is followed by another, after everything it left was ended [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    await at.ready(at.workers[0]!);
    await at.record(at.workers[0]!, run.id, { kind: "process", process: { pid: 77, startedAt: "s" }, running: true });
    at.workers[0]!.exit();
    await until(() => at.workers.length === 2);
    expect(at.deeds).toEqual([
      "spawned 1000",
      expect.stringMatching(/ended/),
      expect.stringMatching(/ended/),
      "spawned 1001",
    ]);
    expect([...at.deeds].sort()).toEqual(["ended 1000", "ended 77", "spawned 1000", "spawned 1001"].sort());
    expect(await at.store.reader.processes.list()).toEqual([]);
  });

  it("that falls silent is ended and followed by another; whatever it says is a sign of life", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    const [worker] = at.workers;
    await at.ready(worker!);
    for (let beat = 0; beat < 10; beat++) {
      at.clock.advance(10_000);
      worker!.say({ kind: "beat" });
    }
    at.clock.advance(50_000);
    await at.record(worker!, run.id, { kind: "commit", commit: "abc" });
    at.clock.advance(50_000);
    expect(worker!.signals).toEqual([]);
    at.clock.advance(10_000);
    expect(worker!.signals).toEqual(["SIGKILL"]);
    await until(() => at.workers.length === 2);
    expect(at.logged.join("\n")).toContain("worker.silent");
  });

  it("is not followed by another when its run rests, or is no longer wanted [RUN-4]", async () => {
    using at = world();
    for (const status of ["awaiting_approval", "verified", "failed"] as const) {
      const run = await at.add();
      const index = at.workers.length;
      at.host.launch(run.id);
      const worker = at.workers[index]!;
      await at.ready(worker);
      await at.record(worker, run.id, { kind: "status", to: status });
      worker.exit();
      await until(() => at.deeds.includes(`ended ${worker.pid}`));
      await new Promise((resolve) => setImmediate(resolve));
      expect(at.workers.length).toBe(index + 1);
    }
  });

  it("that brings its run no step further four times is the last: the run fails, and says so [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    for (let life = 0; life < 4; life++) {
      const worker = await until(() => at.workers[life]);
      await at.ready(worker);
      await at.record(worker, run.id, { kind: "model", model: "m", label: undefined });
      worker.exit();
    }
    await until(async () => (await at.statusOf(run.id))[0] === "failed");
    expect((await at.statusOf(run.id))[1]).toMatch(/its worker ended 4 times without getting anywhere/);
    expect(at.workers).toHaveLength(4);
  });

  it("may die as often as it likes while its run gets on [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    for (let life = 0; life < 8; life++) {
      const worker = await until(() => at.workers[life]);
      await at.ready(worker);
      const check = { kind: "tests", round: life, outcome: "fail", summary: "no", at: 1 } as const;
      await at.record(worker, run.id, { kind: "check", check, findings: [] });
      worker.exit();
    }
    await until(() => at.workers.length === 9);
    expect((await at.statusOf(run.id))[0]).toBe("running");
  });

  it("that cannot get its work because a person has to do something leaves the run paused with the reason [RUN-8, RUN-11]", async () => {
    const missing = new DomainError("provider.missing", "The key of claude should be in CLAUDE_KEY", { details: {} });
    using at = world({ workOf: () => Promise.reject(missing) });
    const run = await at.add();
    at.host.launch(run.id);
    at.workers[0]!.say({ kind: "ready" });
    await until(() => at.deeds.includes("ended 1000"));
    expect(await at.statusOf(run.id)).toEqual(["paused", "The key of claude should be in CLAUDE_KEY"]);
    expect(at.workers).toHaveLength(1);
  });
});

describe("a run that is stopped", () => {
  it("has its worker asked, killed when it does not leave, and everything it left ended [RUN-4]", async () => {
    using at = world();
    const run = await at.add({ status: "paused" });
    at.host.launch(run.id);
    const [worker] = at.workers;
    await at.ready(worker!);
    let stopped = false;
    const stopping = at.host.stop(run.id).then(() => (stopped = true));
    expect(worker!.heard.at(-1)).toEqual({ kind: "stop" });
    at.clock.advance(2_999);
    expect(worker!.signals).toEqual([]);
    at.clock.advance(1);
    expect([worker!.signals, stopped]).toEqual([["SIGKILL"], false]);
    await stopping;
    expect(at.deeds).toEqual(["spawned 1000", "ended 1000"]);
    await at.host.stop(run.id);
  });

  it("and resumed before its worker is gone gets a new one, after the old one [RUN-4]", async () => {
    using at = world();
    const run = await at.add({ status: "paused" });
    at.host.launch(run.id);
    await at.ready(at.workers[0]!);
    const stopping = at.host.stop(run.id);
    await at.store.transact("resume", async (tx) => tx.runs.update({ ...run, status: "running" }));
    at.host.launch(run.id);
    expect(at.workers).toHaveLength(1);
    at.workers[0]!.exit();
    await stopping;
    await until(() => at.workers.length === 2);
    await at.ready(at.workers[1]!);
    expect(await at.store.reader.processes.list()).toEqual([{ pid: 1001, startedAt: "start-1001", owner: run.id }]);
  });

  it("keeps its status, whatever its worker still has to say [RUN-2, RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    const [node] = await at.addNodes(run, "One");
    at.host.launch(run.id);
    await at.ready(at.workers[0]!);
    await at.store.transact("cancel", async (tx) => tx.runs.update({ ...run, status: "cancelled", reason: "by hand" }));
    const transition = { node: node!, from: "running", to: "succeeded", attempt: 1, retries: 0, at: 1 } as const;
    await at.record(at.workers[0]!, run.id, { kind: "transition", transition }, { kind: "status", to: "verified" });
    expect(await at.statusOf(run.id)).toEqual(["cancelled", "by hand"]);
    expect((await at.store.reader.runs.nodesOf(run.id))[0]?.state).toBe("pending");
  });
});

describe("a daemon that starts", () => {
  it("ends everything that was left, then goes on with what was under way and nothing else [RUN-4]", async () => {
    using at = world();
    const wanted = [await at.add({ status: "planning" }), await at.add({ status: "running" })];
    for (const status of ["awaiting_approval", "paused", "verified", "unverified", "failed", "cancelled"] as const)
      await at.add({ status });
    await at.store.transact("left", (tx) => tx.processes.add({ pid: 55, startedAt: "s", owner: wanted[0]!.id }));
    await at.processes.endLeftovers();
    expect([at.deeds, await at.store.reader.processes.list()]).toEqual([["ended 55"], []]);
    await at.host.goOn({ autoResume: true });
    expect(at.workers).toHaveLength(2);
  });

  it("leaves it paused when it is told not to go on, with no node shown as running [RUN-4]", async () => {
    using at = world();
    const run = await at.add();
    const [done, running] = await at.addNodes(run, "Done", "Running");
    await at.store.transact("moves", async (tx) => {
      const { applyJournal } = await import("./journal.ts");
      const move = (node: typeof done, to: "succeeded" | "running") =>
        ({
          kind: "transition",
          transition: { node: node!, from: "queued", to, attempt: 1, retries: 0, at: 1 },
        }) as const;
      await applyJournal(run.id, [move(done, "succeeded"), move(running, "running")], tx, at);
    });
    await at.host.goOn({ autoResume: false });
    expect(await at.statusOf(run.id)).toEqual(["paused", `the daemon ended; go on with "sylk resume ${run.id}"`]);
    const nodes = await at.store.reader.runs.nodesOf(run.id);
    expect(nodes.map(({ state, record }) => [state, record?.cause])).toEqual([
      ["succeeded", undefined],
      ["queued", "interrupted"],
    ]);
    expect(at.workers).toEqual([]);
  });
});

it("a daemon that stops lets its workers go and starts none, while the runs stay under way [RUN-4]", async () => {
  using at = world();
  const run = await at.add();
  at.host.launch(run.id);
  await at.ready(at.workers[0]!);
  const closing = at.host.close();
  at.workers[0]!.exit();
  await closing;
  at.host.launch(run.id);
  expect([at.workers.length, (await at.statusOf(run.id))[0]]).toEqual([1, "running"]);
});

describe("a slot", () => {
  const granted = (worker: PlayedWorker, id: number) =>
    worker.heard.some((message) => message.kind === "slot-granted" && message.id === id);

  it("is granted to one worker at a time, given back when freed, and counted for its session [POOL-9, POOL-13]", async () => {
    using at = world();
    const runs = [await at.add(), await at.add()];
    for (const { id } of runs) at.host.launch(id);
    const [first, second] = at.workers as [PlayedWorker, PlayedWorker];
    await Promise.all([at.ready(first), at.ready(second)]);
    first.say({ kind: "slot", id: 1, role: "engineer", lane: "normal" });
    await until(() => granted(first, 1));
    second.say({ kind: "slot", id: 1, role: "engineer", lane: "normal" });
    await until(() => at.pool.metrics().waiting === 1);
    at.clock.advance(250);
    expect(granted(second, 1)).toBe(false);
    first.say({ kind: "slot-freed", id: 1 });
    await until(() => granted(second, 1));
    const { groups, lanes } = at.pool.metrics();
    expect(groups[runs[1]!.session]).toMatchObject({ started: 1, running: 1, wait: { count: 1, maxMs: 250 } });
    expect(lanes.normal.wait.count).toBe(2);
  });

  it("comes back from a worker that dies, also one that it only waited for [POOL-6]", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    const worker = at.workers[0]!;
    await at.ready(worker);
    worker.say({ kind: "slot", id: 1, role: "engineer", lane: "normal" });
    worker.say({ kind: "slot", id: 2, role: "engineer", lane: "normal" });
    await until(() => granted(worker, 1) && at.pool.metrics().waiting === 1);
    worker.exit();
    await until(() => at.pool.metrics().running === 0);
    expect(at.pool.metrics().waiting).toBe(0);
  });

  it("is refused with a time to ask again when there is no room to wait, and never granted by a daemon that stops", async () => {
    using at = world();
    const run = await at.add();
    at.host.launch(run.id);
    const worker = at.workers[0]!;
    await at.ready(worker);
    for (const id of [1, 2, 3, 4]) worker.say({ kind: "slot", id, role: "engineer", lane: "normal" });
    const refused = await until(() => worker.heard.find((message) => message.kind === "slot-refused"));
    expect(refused).toMatchObject({ id: 4, retryAfterMs: expect.any(Number) });
    const closing = at.host.close();
    const before = worker.heard.length;
    worker.say({ kind: "slot", id: 5, role: "engineer", lane: "normal" });
    worker.exit();
    await closing;
    expect(worker.heard.slice(before).filter(({ kind }) => kind === "slot-granted")).toEqual([]);
  });
});
