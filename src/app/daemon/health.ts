/** The composition root's part for health: who reports, what is shown, and the handlers of its operations. */
import { type Caller, DomainError, type OperationName, type ProjectId } from "../../contract/index.ts";
import { situationLine } from "../../contract/situation.ts";
import type { UnguardedCalls } from "../../coordination/guard/index.ts";
import { locateProject, refOf } from "../../coordination/registry/index.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import {
  type AgentsNow,
  createOutcomeIntake,
  incidentView,
  listIncidents,
  type HealthTracker,
  type OutcomeIntake,
  type Unanswered,
  reportOutcomes,
  resolveIncident,
  showHealth,
} from "../../oversight/health/index.ts";
import type { CallDone, OperationHandlers } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";

export type HealthOperation = Extract<OperationName, `${"health" | "incident"}.${string}`>;

export function healthHandlers(parts: Parts, { settings }: Terms): OperationHandlers<Repositories, HealthOperation> {
  const { health: tracker, store } = parts;
  const incidents = { ...parts, tracker, liveProjects: liveProjectsIn(store) };
  const shown = {
    tracker,
    agentsNow: (caller: Caller) => agentsNow(caller, parts),
    whyNotEnforced: () => whyNotEnforced(parts),
    guards: { edit: settings["guard.edit"], commit: settings["guard.commit"] },
  };
  return {
    "health.report": async (input, { caller }) => reportOutcomes(input, caller, tracker),
    "health.show": (input, { caller }) => showHealth(input, caller, shown),
    "health.greeting": (_, { caller }) => greet(caller, parts),
    "incident.list": (input) => listIncidents(input, incidents),
    "incident.resolve": (input, call) => resolveIncident(input, call, incidents),
  };
}

/** Why nobody is kept apart now: the store refuses changes. */
export async function whyNotEnforced({ store }: Pick<Parts, "store">): Promise<string | undefined> {
  try {
    await store.probe();
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}

async function agentsNow({ kind, project }: Caller, { store, liveness }: Parts): Promise<AgentsNow> {
  const listed = await store.reader.agents.list({
    project: kind === "agent" ? project.id : project?.id,
    includeGone: false,
  });
  return listed
    .filter((record) => liveness.statusOf(record) !== "offline")
    .map((record) => ({ agent: refOf(record), lastSeenAt: liveness.lastSeenAt(record) }));
}

/** Never an error: a session that starts is told what is known, and what is not. */
async function greet(caller: Caller, parts: Parts) {
  const own = caller.kind === "agent" ? caller.agent.id : undefined;
  const notEnforced = await whyNotEnforced(parts);
  const open = parts.health.incidents();
  const others = await agentsNow(caller, parts).then(
    (agents) => agents.filter(({ agent }) => agent.id !== own).map(({ agent }) => agent.name),
    (error: unknown) => ({ unknown: error instanceof Error ? error.message : String(error) }),
  );
  return {
    line: situationLine({ others, notEnforced, incidents: open.map((incident) => incidentView(incident).summary) }),
    others: "unknown" in others ? null : others,
    enforced: notEnforced === undefined,
    incidents: open.length,
  };
}

export function liveProjectsIn({ reader }: Pick<Store<Repositories>, "reader">): () => Promise<readonly ProjectId[]> {
  return async () => {
    const agents = await reader.agents.list({ project: undefined, includeGone: false });
    return [...new Set(agents.map(({ project }) => project.id))];
  };
}

/** Operations that wait for others or for the outside world: their time says nothing about ours. */
const patient: ReadonlySet<OperationName> = new Set([
  "reservation.wait",
  "reservation.acquire",
  "provider.test",
  "store.backup",
  "store.export",
]);

/** Dispatch reports on itself: a refusal is an answer, only what could not be answered is a failure. */
export function reportCalls(tracker: HealthTracker): (done: CallDone) => void {
  return ({ operation, kind, ms, error }) => {
    if (error?.code === "daemon.stopping") return;
    const failed = error !== undefined && (error.family === "unavailable" || error.family === "bug");
    tracker.report({
      kind: "daemon",
      component: kind === "read" ? "reads" : "changes",
      outcome: failed ? "failed" : "ok",
      ...(patient.has(operation) ? {} : { ms }),
      ...(failed ? { error: `${error.code}: ${error.message}` } : {}),
    });
  };
}

/** A part of the daemon that reports each time it has done its work, or could not. */
export function reporting<Args extends readonly unknown[], Result>(
  component: string,
  work: (...args: Args) => Promise<Result>,
  { health, clock }: Pick<Parts, "clock"> & { readonly health: HealthTracker },
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const startedAt = clock.monotonic();
    try {
      const result = await work(...args);
      health.report({ kind: "daemon", component, outcome: "ok", ms: clock.monotonic() - startedAt });
      return result;
    } catch (error) {
      if (!(error instanceof DomainError && error.code === "daemon.stopping"))
        health.report({ kind: "daemon", component, outcome: "failed", error: String(error) });
      throw error;
    }
  };
}

/** What hooks wrote into the log's folder while no daemon answered. */
export function outcomeIntake(parts: Parts, unguarded: UnguardedCalls, { paths, log }: Terms): OutcomeIntake {
  const { store, health: tracker } = parts;
  return createOutcomeIntake({
    ...parts,
    tracker,
    folder: paths.logs,
    onFailed: (error) => log.warn("hook-outcomes.failed", { error }),
    onUnanswered: (hook) => void remember(hook),
    onTaken: (facts) => log.info("hook-outcomes.taken", facts),
    async resolve({ agentKey, project }) {
      const known = project === undefined ? undefined : await projectAt(project, store);
      const record =
        known === undefined || agentKey === undefined
          ? undefined
          : await store.reader.agents.findBySessionKey(known, agentKey);
      const unknown = agentKey === undefined ? undefined : { id: agentKey, name: agentKey };
      return { project: known, agent: record === undefined ? unknown : refOf(record) };
    },
  });

  /** The commit gate's own calls stop by themselves. */
  async function remember({ component, why, agent, place }: Unanswered): Promise<void> {
    if (component.startsWith("hook/git/") || place === undefined) return;
    const located = await locateProject(place).catch(() => undefined);
    const who = agent ?? { id: "", name: "somebody" };
    if (located !== undefined) unguarded.note({ agent: who, tree: located.tree, what: `${component}: ${why}` });
  }
}

async function projectAt(
  place: string,
  { reader }: Pick<Store<Repositories>, "reader">,
): Promise<ProjectId | undefined> {
  if (/^prj_\w+$/.test(place)) return (await reader.projects.find(place as ProjectId))?.id;
  const located = await locateProject(place).catch(() => undefined);
  return located === undefined ? undefined : (await reader.projects.findByPath(located.path))?.id;
}
