/**
 * Looks after session indexes, so that none of them grows old beside what others commit.
 *
 *   a commit was announced -> its own session's: the shared index takes it over -> each index of the project: built anew
 *   an agent has ended, an hour has passed, a session begins -> of the gone: removed; older than a day: built anew
 */
import type { AgentId, LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock, Timer } from "../../platform/clock/index.ts";
import { refOf, type AgentRecord } from "../registry/index.ts";
import type { SessionIndexPorts } from "./ports.ts";
import { inTurn, rebuildIndex, recordClosedIndex } from "./session-index.ts";

type Ports = SessionIndexPorts & {
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  readonly onFailed: (error: unknown) => void;
};
export type IndexKeeper = {
  /** Removes those of sessions that are gone, and brings the old ones up to date; says which files are gone. */
  look(): Promise<readonly string[]>;
  stop(): void;
};

const everyMs = 3_600_000;
/** An agent that is only offline may come back, with the name of its index still exported. */
const offlineMs = 86_400_000;

export function keepIndexes(ports: Ports): IndexKeeper {
  const { bus, clock, store, indexes } = ports;
  let timer: Timer | undefined;
  let stopped = false;
  const failed = (error: unknown): void => void (stopped || ports.onFailed(error));
  const unsubscribe = [
    bus.subscribe("event.index.opened", scheduleLook),
    bus.subscribe("event.agent.ended", () => void look().catch(failed)),
    bus.subscribe("event.commit.announced", (event) => void committed(event).catch(failed)),
  ];

  /** Without indexes there is no timer. */
  function scheduleLook(): void {
    timer?.cancel();
    if (!stopped && indexes.owners().length > 0) timer = clock.after(everyMs, () => void look().catch(failed));
  }

  async function look(): Promise<readonly string[]> {
    const removed = [...indexes.removeStrays()];
    for (const agent of indexes.owners()) {
      if (stopped) break;
      removed.push(...(await inTurn(agent, ports, () => updateIndexOf(agent))));
    }
    scheduleLook();
    return removed;
  }

  async function updateIndexOf(agent: AgentId): Promise<readonly string[]> {
    const record = await store.reader.agents.find(agent);
    const index = indexes.find(agent);
    if (record !== undefined && index !== undefined && !isGone(record, clock.now())) {
      await rebuildIndex(index, { project: record.project.id, by: refOf(record) }, ports);
      return [];
    }
    indexes.remove(agent);
    if (record !== undefined && index !== undefined)
      await recordClosedIndex(index, { project: record.project.id, by: refOf(record) }, ports);
    return [index?.file ?? agent];
  }

  async function committed({ data, project }: LogEvent): Promise<void> {
    const { commit, by } = data as { readonly commit: string; readonly by: { readonly id: AgentId } };
    for (const agent of indexes.owners()) {
      const record = await store.reader.agents.find(agent);
      if (stopped || record === undefined || record.project.id !== project) continue;
      await inTurn(agent, ports, async () => {
        const index = indexes.find(agent);
        if (index === undefined) return;
        await rebuildIndex(index, { project: record.project.id, by: refOf(record) }, ports);
        if (agent === by.id) await indexes.shareCommit(index, commit);
      });
    }
  }

  void look().catch(failed);
  return {
    look,
    stop() {
      stopped = true;
      timer?.cancel();
      for (const leave of unsubscribe) leave();
    },
  };
}

function isGone({ endedAt, offlineAt }: AgentRecord, now: number): boolean {
  return endedAt !== undefined || (offlineAt !== undefined && now - offlineAt >= offlineMs);
}
