/**
 * Keeps confined commands that already run up to date with holds that came, went or were replaced on the disk.
 *
 *   a hold changed, a held file was written -> soon -> commands that run confined -> what each must not write now
 *                                                   -> bound anew or released in its namespace
 *
 * A holder that saves by rename leaves the read-only mount behind, and a hold that ended would stay read-only in a server
 * that runs on. In between, for some milliseconds, the old state holds; local history covers that.
 */
import type { AgentId, LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import { type ConfinePorts, stateIn } from "./confine-command.ts";
import type { ConfinedCommand } from "./confinement.ts";
import { foreignHolds } from "./foreign-holds.ts";
import { heldPlaces } from "./held-places.ts";

export type FollowPorts = ConfinePorts & {
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  /** What could not be brought up to date, a sentence each; empty when all was. */
  readonly onFollowed: (troubles: readonly string[]) => void;
  readonly onFailed: (error: unknown) => void;
};
export type HoldFollower = {
  /** A held file may have been replaced. */
  soon(): void;
  /** A command is about to start confined. */
  started(): void;
  stop(): void;
};

const gatherMs = 20;
/** A command whose start was answered before a change may make its namespace only after it was looked for. */
const startMs = 1_000;

export function followHolds(ports: FollowPorts): HoldFollower {
  const { bus, clock } = ports;
  let timer: Timer | undefined;
  let late: Timer | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;
  let following: Promise<void> = Promise.resolve();
  let stopped = false;
  // After a restart some may still run.
  let mayRun = true;
  const unsubscribe = bus.subscribe("event.reservation.*", soon);

  function soon(): void {
    if (stopped || !mayRun) return;
    timer ??= clock.after(gatherMs, () => {
      timer = undefined;
      begin();
    });
    if (clock.monotonic() - startedAt < startMs)
      late ??= clock.after(startMs, () => {
        late = undefined;
        begin();
      });
  }

  function begin(): void {
    following = following.then(follow).catch((error: unknown) => {
      if (!stopped) ports.onFailed(error);
    });
  }

  async function follow(): Promise<void> {
    const commands = await ports.confinement.running();
    if (commands.length === 0 && clock.monotonic() - startedAt >= startMs) mayRun = false;
    const troubles: string[] = [];
    for (const command of commands) troubles.push(...(await bringUpToDate(command, ports)));
    if (commands.length > 0 && !stopped) ports.onFollowed(troubles);
  }

  return {
    soon,
    started() {
      startedAt = clock.monotonic();
      mayRun = true;
    },
    stop() {
      stopped = true;
      unsubscribe();
      timer?.cancel();
      late?.cancel();
    },
  };
}

async function bringUpToDate(command: ConfinedCommand, ports: FollowPorts): Promise<readonly string[]> {
  const { tree, readOnly } = command;
  const agent = await ports.store.reader.agents.find(command.agent as AgentId);
  if (agent === undefined) return [];
  const { enforced } = await stateIn(tree, ports);
  const holds = enforced ? await foreignHolds(tree, { agent, project: agent.project }, ports) : [];
  const wanted = new Set(heldPlaces(tree, holds).readOnly);
  const bound = new Set(readOnly);
  const add = [...wanted].filter((place) => !bound.has(place));
  const remove = readOnly.filter((place) => !wanted.has(place));
  return add.length + remove.length === 0 ? [] : command.change({ add, remove });
}
