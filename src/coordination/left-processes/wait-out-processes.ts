/**
 * Waits out the processes that a killed session left, and then frees its holds.
 *
 *   agent.processes-left -> look every second -> all have ended -> holds released, agent.processes-over
 *                                                  -> agents.leftProcesses is "end": SIGTERM, later SIGKILL
 *
 * The handoff of the session keeps what was seen, so that a new daemon waits on. Signals go only to processes of which it is
 * proven that the session started them.
 */
import { agent as contract, type LeftProcesses, type LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { HandoffRecord, HandoffRepositories } from "../handoff/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import { heldBackMs } from "../agent-end/index.ts";
import { refOf, type AgentRecord } from "../registry/index.ts";
import { endReservation } from "../reservations/index.ts";
import { decideWait, type LeftProcessMode } from "./decide-wait.ts";

type LeftProcess = LeftProcesses["processes"][number];
type Session = Pick<AgentRecord, "client" | "sessionKey">;
type How = "ended" | "stopped" | "returned";
export type WaitPorts = {
  readonly store: Store<HandoffRepositories>;
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  readonly leases: LeaseClock;
  readonly mode: LeftProcessMode;
  /** Processes that sessions started and that still run: a process that is left may start others. */
  readonly leftBy: (sessions: readonly Session[]) => Promise<readonly (readonly LeftProcess[])[]>;
  readonly goneAmong: (processes: readonly LeftProcess[]) => Promise<readonly LeftProcess[]>;
  readonly signal: (processes: readonly LeftProcess[], signal: "SIGTERM" | "SIGKILL") => Promise<void>;
  /** Those of the files that were written after that time. */
  readonly changedSince: (tree: string, paths: readonly string[], at: number) => Promise<readonly string[]>;
  readonly onFailed: (error: unknown) => void;
};

const everyMs = 1_000;

export function waitOutProcesses(ports: WaitPorts): { stop(): void } {
  const { bus, clock, store } = ports;
  const since = new Map<string, number>();
  let timer: Timer | undefined;
  let stopped = false;
  const unsubscribe = bus.subscribe("event.**", ({ type }) => {
    if (type === "agent.processes-left") schedule();
  });

  function schedule(): void {
    if (!stopped) timer ??= clock.after(everyMs, () => void look());
  }

  async function look(): Promise<void> {
    timer = undefined;
    try {
      const kept = await store.reader.handoffs.withLeftProcesses();
      for (const one of kept.filter(({ belongings }) => belongings.left!.overAt === undefined)) {
        const name = `${one.agent} ${one.leftAt}`;
        if (!since.has(name)) since.set(name, clock.monotonic());
        if (await attend(one, clock.monotonic() - since.get(name)!, ports)) since.delete(name);
        else schedule();
      }
    } catch (error) {
      if (stopped) return;
      ports.onFailed(error);
      schedule();
    }
  }

  void look();
  return {
    stop() {
      stopped = true;
      unsubscribe();
      timer?.cancel();
    },
  };
}

/** True when the wait is over. */
async function attend(handoff: HandoffRecord, waitedMs: number, ports: WaitPorts): Promise<boolean> {
  const { mode, store, signal } = ports;
  const record = await store.reader.agents.find(handoff.agent);
  const processes = await allOf(handoff, record, ports);
  const gone = await ports.goneAmong(processes);
  const running = processes.filter((process) => !gone.includes(process));
  // Its session came back, or the user ended it: there is nothing to release any more.
  if (record === undefined || !isGone(record)) {
    await close({ handoff, processes, running, how: "returned" }, ports);
    return true;
  }
  const decision = decideWait({ mode, running: running.length, waitedMs });
  if (decision.do === "signal") await signal(running, decision.signal);
  if (decision.do !== "release") {
    // Again at each look: a daemon that stopped looking must not hold them for ever.
    for (const held of await store.reader.reservations.liveOf(record.project.id, record.id))
      ports.leases.holdBack(held, heldBackMs);
    return false;
  }
  await close({ handoff, processes, running, how: mode === "end" ? "stopped" : "ended" }, ports);
  return true;
}

/** Those that were left, and those that they started since. */
async function allOf(
  { belongings }: HandoffRecord,
  record: AgentRecord | undefined,
  { store, leftBy }: WaitPorts,
): Promise<readonly LeftProcess[]> {
  const { processes } = belongings.left!;
  let head = record;
  while (head?.parent !== undefined) head = await store.reader.agents.find(head.parent);
  if (head === undefined) return processes;
  const { client, sessionKey } = head;
  const [found = []] = await leftBy([{ client, sessionKey }]);
  const isKnown = (one: LeftProcess): boolean =>
    processes.some(({ pid, start }) => pid === one.pid && start === one.start);
  return [...processes, ...found.filter((one) => !isKnown(one))];
}

type Closing = {
  readonly handoff: HandoffRecord;
  readonly processes: readonly LeftProcess[];
  readonly running: readonly LeftProcess[];
  readonly how: How;
};

async function close({ handoff, processes, running, how }: Closing, ports: WaitPorts): Promise<void> {
  const { store, clock, leases } = ports;
  const { agent, leftAt, belongings } = handoff;
  const seen = await store.reader.agents.find(agent);
  const paths = belongings.reservations.flatMap((held) => held.paths);
  const changed = seen === undefined ? [] : await ports.changedSince(seen.tree, paths, leftAt);
  const left: LeftProcesses = {
    processes: processes.map((process) => ({ ...process, state: stateOf(process, running, how) })),
    changed: [...changed],
    overAt: clock.now(),
  };
  await store.transact("left-processes", async (tx) => {
    const [record, latest] = [await tx.agents.find(agent), await tx.handoffs.find(agent)];
    if (record === undefined || latest?.leftAt !== leftAt) return;
    await tx.handoffs.save({ ...latest, belongings: { ...latest.belongings, left } });
    if (isGone(record)) {
      for (const held of await tx.reservations.liveOf(record.project.id, agent))
        await endReservation(held, leases.isLive(held) ? "released" : "expired", tx, ports);
    }
    const event = contract.AgentProcessesOver.of(agent, { agent: refOf(record), how, changed: [...changed] });
    await tx.events.append(record.project.id, event);
  });
}

function isGone({ offlineAt, endedAt }: AgentRecord): boolean {
  return offlineAt !== undefined && endedAt === undefined;
}

function stateOf(process: LeftProcess, running: readonly LeftProcess[], how: How): LeftProcess["state"] {
  if (running.includes(process)) return "running";
  return how === "stopped" ? "stopped" : "ended";
}
