/** `health.show`: every component, who is measured, and what is unresolved. */
import type { AgentRef, Caller, Component, InputOf, MeasurementState, OutputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { type Counters, viewOf } from "./counters.ts";
import { incidentView } from "./incident-view.ts";
import type { HealthTracker } from "./tracker.ts";

/** Agents that are alive, as the registry knows them. */
export type AgentsNow = readonly {
  readonly agent: AgentRef;
  readonly lastSeenAt: number;
}[];
export type ShowHealthPorts = {
  readonly tracker: HealthTracker;
  readonly agentsNow: (caller: Caller) => Promise<AgentsNow>;
  /** Why coordination is not enforced now; undefined while it is. */
  readonly whyNotEnforced: () => Promise<string | undefined>;
  readonly guards: OutputOf<"health.show">["guards"];
};

/** An agent that has worked for so long without a report of its hooks is no longer measured. */
const silenceMs = 10 * 60_000;

export async function showHealth(
  { kind, agent }: InputOf<"health.show">,
  caller: Caller,
  { tracker, agentsNow, whyNotEnforced, guards }: ShowHealthPorts,
): Promise<OutputOf<"health.show">> {
  const all = (await tracker.components()).filter(({ project }) => isShownTo(caller, project));
  const whyNot = await whyNotEnforced();
  const listed = all.filter(
    (one) =>
      (kind === undefined || one.kind === kind) &&
      (agent === undefined || one.agent?.name === agent || one.agent?.id === agent),
  );
  return {
    enforced: whyNot === undefined,
    ...defined({ whyNot }),
    components: listed.map(viewOf).sort(byName),
    agents: (await agentsNow(caller)).map((present) => measurementOf(present, all)),
    incidents: tracker
      .incidents()
      .filter((incident) => isIncidentOf(caller, incident))
      .map(incidentView),
    degraded: all.reduce((sum, { degraded }) => sum + degraded, 0),
    unguarded: all.reduce((sum, { unguarded }) => sum + unguarded, 0),
    guards,
  };
}

function byName(one: Component, other: Component): number {
  const nameOf = ({ kind, name, agent = "" }: Component): string => `${kind} ${name} ${agent}`;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

/** In a project its own are shown, and those that belong to none; a user outside of any sees all. */
function isShownTo({ project: own }: Caller, project: string | undefined): boolean {
  return own === undefined || project === undefined || project === own.id;
}

export function isIncidentOf(caller: Caller, { projects }: { readonly projects: readonly string[] }): boolean {
  return projects.length === 0 || projects.some((project) => isShownTo(caller, project));
}

function measurementOf(
  { agent, lastSeenAt }: AgentsNow[number],
  all: readonly Counters[],
): { agent: AgentRef; measurement: MeasurementState; lastReportAt?: number } {
  const reports = all.filter((one) => one.agent?.id === agent.id).map(({ lastReportAt }) => lastReportAt);
  if (reports.length === 0) return { agent, measurement: "never" };
  const lastReportAt = Math.max(...reports);
  // Its own sign of life, not the time: a silent agent is idle, not unmeasured.
  return { agent, measurement: lastSeenAt - lastReportAt >= silenceMs ? "stopped" : "measured", lastReportAt };
}
