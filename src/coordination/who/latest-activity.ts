/**
 * What each agent did last, in memory: a list of hundreds of agents reads no log.
 *
 *   first question -> the newest events of the log -> from then on each event as it is committed
 *
 * An agent that none of these events names has no last activity here: not known, which is not "none".
 */
import type { Activity, AgentId, LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { EventRepository } from "../../platform/event-log/index.ts";
import { agentOf, textOf } from "./describe-event.ts";

export type LatestActivity = { of(agents: readonly AgentId[]): Promise<ReadonlyMap<AgentId, Activity>> };

const eventsRead = 1_000;
const mostKept = 5_000;

export function createLatestActivity({
  bus,
  events,
}: {
  readonly bus: Bus<LogEvent>;
  readonly events: Pick<EventRepository, "page">;
}): LatestActivity {
  const latest = new Map<AgentId, LogEvent>();
  let loading: Promise<void> | undefined;

  function note(event: LogEvent): void {
    const agent = agentOf(event);
    if (agent === undefined || (latest.get(agent)?.sequence ?? 0) >= event.sequence) return;
    latest.delete(agent); // to the end: the longest silent is the first to make room
    latest.set(agent, event);
    if (latest.size > mostKept) latest.delete(latest.keys().next().value!);
  }
  async function load(): Promise<void> {
    bus.subscribe("event.**", note);
    const page = await events.page({ after: 0, limit: eventsRead, newest: true, types: undefined, project: undefined });
    page.events.forEach(note);
  }
  return {
    async of(agents) {
      loading ??= load();
      await loading;
      const known = agents.flatMap((agent) => {
        const event = latest.get(agent);
        return event === undefined ? [] : [[agent, activityIn(event)] as const];
      });
      return new Map(known);
    },
  };
}

export function activityIn(event: LogEvent): Activity {
  return { at: event.at, type: event.type, text: textOf(event) };
}
