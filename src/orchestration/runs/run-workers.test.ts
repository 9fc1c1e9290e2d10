/** Workers as real processes: a small program plays what a worker does; the clock is moved by hand. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { createCommands, startTimeOf } from "../../adapters/processes/index.ts";
import { DomainError, type RunId } from "../../contract/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { createLog } from "../../platform/log/index.ts";
import { Interrupted } from "../dag/index.ts";
import { createProcessRecorder, type ProcessIdentity } from "../executors/index.ts";
import { messageOf } from "../guide/testkit.ts";
import { WorkerUnavailable } from "./reach-worker.ts";
import { createRunWorkers, type WorkerPorts } from "./run-workers.ts";
import { serveWorker } from "./serve-worker.ts";
import { scratchRuns } from "./testkit.ts";
import type { RunWork } from "./worker-protocol.ts";

/** Does what the text of each message says, and nothing for one that it does not know. */
const program = `
const { spawn } = require("node:child_process");
const say = (message) => process.send(message);
const heard = [];
const answer = (id, text) => say({ kind: "done", id, output: { type: "USER_RESPONSE", payload: { text } } });
let waits;
process.on("message", (message) => {
  heard.push(message.kind);
  if (message.kind === "stop" && waits !== "stubborn") process.exit(0);
  if (message.kind === "done") answer(waits.id, String(waits.pid));
  if (message.kind === "abort") say({ kind: "failed", id: message.id, trouble: { type: "defect", message: "stopped" } });
  if (message.kind !== "call") return;
  const { id, input: { payload: { text } } } = message;
  if (text === "hear") answer(id, heard.join(" "));
  if (text === "die") process.exit(3);
  if (text === "beat") { say({ kind: "beat" }); answer(id, "beaten"); }
  if (text === "stubborn") { waits = "stubborn"; answer(id, "no"); }
  if (text === "leave behind") {
    const { pid } = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    waits = { id, pid };
    say({ kind: "call", id: 1, method: "record", input: { kind: "process", process: { pid, startedAt: "?" }, running: true } });
  }
});
say({ kind: "ready" });
`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function world(changes: Partial<WorkerPorts> = {}) {
  const at = scratchRuns();
  const deeds: string[] = [];
  const logged: string[] = [];
  const beats: RunId[] = [];
  const ended: (string | undefined)[] = [];
  const spawned: ChildProcess[] = [];
  const commands = createCommands(systemClock());
  async function endGroup(left: ProcessIdentity): Promise<void> {
    // The program does not know it.
    const startedAt = left.startedAt === "?" ? ((await startTimeOf(left.pid)) ?? "") : left.startedAt;
    await commands.endGroup({ ...left, startedAt });
    deeds.push(`ended ${left.pid}`);
  }
  const processes = createProcessRecorder({ store: at.store, endGroup, log: { error: () => "" } });
  const workers = createRunWorkers({
    clock: at.clock,
    log: createLog({ level: "debug", clock: at.clock, write: (line) => void logged.push(line) }),
    processes,
    startTimeOf,
    spawnWorker() {
      const child = spawn(process.execPath, ["-e", program], {
        detached: true,
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      children.push(child);
      spawned.push(child);
      return child;
    },
    workFor: async (run) => ({ run: (await at.store.reader.runs.find(run))! }) as RunWork,
    serve: (run) => serveWorker(run, { store: at.store, clock: at.clock, clean: <T>(value: T) => value } as never),
    onBeat: (run) => void beats.push(run),
    onWorkerEnded: (error) => void ended.push(error),
    ...changes,
  });
  const { signal } = new AbortController();
  const deliver = async (run: RunId, text: string, stop: AbortSignal = signal) => {
    const { payload } = await workers.deliver(run, messageOf("USER_INPUT", { text }), { signal: stop });
    return (payload as { text: string }).text;
  };
  const recorded = () => at.store.reader.processes.list();
  return {
    ...at,
    workers,
    deeds,
    logged,
    beats,
    ended,
    spawned,
    deliver,
    recorded,
    [Symbol.dispose]: () => at[Symbol.dispose](),
  };
}

const gone = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
};
const runs = (pid: number) => startTimeOf(pid).then((start) => start !== undefined);

describe("a worker", () => {
  it("gets its work only after its process was recorded, and there is one per run", async () => {
    let atGo: readonly unknown[] = [];
    using at = world({ workFor: async () => ((atGo = await at.recorded()), {} as RunWork) });
    const { id } = await at.add();
    const [first, second] = await Promise.all([at.workers.open(id), at.workers.open(id)]);
    expect([first, at.spawned.length]).toEqual([second, 1]);
    expect(atGo).toEqual([{ pid: first, startedAt: await startTimeOf(first), owner: id }]);
  });

  it("hears frames that come with its work, after it: messages that waited for it are answered", async () => {
    using at = world();
    const { id } = await at.add();
    const said = await Promise.all([at.deliver(id, "hear"), at.deliver(id, "hear")]);
    expect(said).toEqual(["go call", "go call call"]);
    expect(at.spawned).toHaveLength(1);
  });

  it("that dies interrupts what it did, after everything it left was ended, and is followed by another", async () => {
    using at = world();
    const { id } = await at.add();
    const left = Number(await at.deliver(id, "leave behind"));
    expect(await runs(left)).toBe(true);
    const [worker] = at.spawned;
    const dying = at.deliver(id, "die");
    await expect(dying).rejects.toThrow(Interrupted);
    await expect(dying).rejects.toThrow("its worker ended unexpectedly");
    expect([await runs(left), await runs(worker!.pid!)], "before the node is told").toEqual([false, false]);
    expect([new Set(at.deeds), await at.recorded()]).toEqual([new Set([`ended ${left}`, `ended ${worker!.pid}`]), []]);
    expect(at.ended).toEqual(["it ended before its work"]);
    expect(await at.deliver(id, "hear")).toBe("go call");
    expect(at.spawned).toHaveLength(2);
  });

  it("that ended before a message meant for it came interrupts that message; its successor never gets it", async () => {
    using at = world();
    const { id } = await at.add();
    const pid = await at.workers.open(id);
    const meant = (text: string) =>
      at.workers.deliver(id, messageOf("USER_INPUT", { text }), { signal: new AbortController().signal, pid });
    expect((await meant("hear")).payload).toEqual({ text: "go call" });
    at.spawned[0]!.kill("SIGKILL");
    await gone(at.spawned[0]!);
    await expect(meant("hear")).rejects.toThrow(Interrupted);
    await expect(meant("hear")).rejects.toThrow("its worker ended unexpectedly");
    expect(await at.deliver(id, "hear"), "the first message that the successor hears").toBe("go call");
  });

  it("that falls silent for six beats is killed, and what it did is interrupted; whatever it says is a sign of life", async () => {
    using at = world();
    const { id } = await at.add();
    const hanging = at.deliver(id, "hang");
    hanging.catch(() => {}); // looked at below
    await at.deliver(id, "hear");
    for (let round = 0; round < 3; round++) {
      at.clock.advance(50_000);
      await at.deliver(id, "beat");
    }
    expect([at.beats, at.spawned[0]!.signalCode]).toEqual([[id, id, id], null]);
    at.clock.advance(50_000);
    expect(at.logged.join("\n")).not.toContain("worker.silent");
    at.clock.advance(10_000);
    await expect(hanging).rejects.toThrow(Interrupted);
    expect(at.spawned[0]!.signalCode).toBe("SIGKILL");
    expect(at.logged.join("\n")).toContain("worker.silent");
  });

  it("that cannot get its work because a person has to do something is unavailable, with the reason [RUN-8, RUN-11]", async () => {
    const missing = new DomainError("provider.missing", "The key of claude should be in CLAUDE_KEY", { details: {} });
    using at = world({ workFor: () => Promise.reject(missing) });
    const { id } = await at.add();
    const refused = at.deliver(id, "hear");
    await expect(refused).rejects.toThrow(WorkerUnavailable);
    await expect(refused).rejects.toMatchObject({ message: missing.message, cause: missing });
    await gone(at.spawned[0]!);
    expect(at.spawned).toHaveLength(1);
  });

  it("that cannot get its work for another reason interrupts what waits for it", async () => {
    using at = world({ workFor: () => Promise.reject(new Error("no room")) });
    const { id } = await at.add();
    await expect(at.deliver(id, "hear")).rejects.toThrow(Interrupted);
    expect(at.logged.join("\n")).toContain("no room");
  });

  it("that has nothing to do leaves after a second, as it should; with something to do it stays", async () => {
    using at = world();
    const { id } = await at.add();
    await at.deliver(id, "hear");
    at.clock.advance(999);
    await at.deliver(id, "hear");
    at.clock.advance(999);
    expect(at.spawned[0]!.exitCode).toBe(null);
    at.clock.advance(1);
    await gone(at.spawned[0]!);
    await at.workers.rest(id);
    expect([at.spawned[0]!.exitCode, at.ended, await at.recorded()]).toEqual([0, [undefined], []]);
  });

  it("that is opened for an Engineer does not leave before that Engineer's message", async () => {
    using at = world();
    const { id } = await at.add();
    await at.deliver(id, "hear");
    at.clock.advance(999);
    const pid = await at.workers.open(id);
    at.clock.advance(5_000);
    expect(await at.deliver(id, "hear")).toBe("go call call");
    expect([pid, at.spawned.length]).toEqual([at.spawned[0]!.pid, 1]);
  });

  it("is told when an asker stops waiting, and the asker hears its own reason", async () => {
    using at = world();
    const { id } = await at.add();
    const leaving = new AbortController();
    const hanging = at.deliver(id, "hang", leaving.signal);
    hanging.catch(() => {}); // looked at below
    await at.deliver(id, "hear");
    leaving.abort(new Error("the user left"));
    await expect(hanging).rejects.toThrow("the user left");
    expect(await at.deliver(id, "hear")).toContain("abort");
  });
});

describe("a run that rests", () => {
  it("tells its worker to stop, kills it after its grace, and rests when everything is gone", async () => {
    using at = world();
    const { id } = await at.add();
    await at.deliver(id, "stubborn");
    const left = at.spawned[0]!;
    const resting = at.workers.rest(id);
    at.clock.advance(2_999);
    expect(at.deeds).toEqual([]);
    at.clock.advance(1);
    await resting;
    expect([left.signalCode, at.deeds, at.ended]).toEqual(["SIGKILL", [`ended ${left.pid}`], [undefined]]);
    await at.workers.rest(id);
  });

  it("and continues before its worker is gone gets a new one, after the old one", async () => {
    using at = world();
    const { id } = await at.add();
    await at.deliver(id, "hear");
    const resting = at.workers.rest(id);
    const next = at.deliver(id, "hear");
    expect(at.spawned).toHaveLength(1);
    await resting;
    expect(await next).toBe("go call");
    expect(at.spawned).toHaveLength(2);
    expect(await at.recorded()).toMatchObject([{ pid: at.spawned[1]!.pid, owner: id }]);
  });

  it("interrupts what its worker did", async () => {
    using at = world();
    const { id } = await at.add();
    await at.deliver(id, "hear");
    const hanging = at.deliver(id, "hang");
    hanging.catch(() => {}); // looked at below
    await at.workers.rest(id);
    await expect(hanging).rejects.toThrow(Interrupted);
  });

  it("has none to stop when it never had one", async () => {
    using at = world();
    await at.workers.rest((await at.add()).id);
    expect(at.spawned).toEqual([]);
  });
});
