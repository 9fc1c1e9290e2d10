/** Incidents as operations: listed, and resolved by hand. */
import {
  type Caller,
  DomainError,
  health,
  type IncidentId,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { incidentView } from "./incident-view.ts";
import { isIncidentOf } from "./show-health.ts";
import type { HealthPorts, HealthRepositories } from "./ports.ts";
import type { IncidentRecord } from "./store.ts";
import type { HealthTracker } from "./tracker.ts";

export type IncidentPorts = Pick<HealthPorts, "store" | "clock" | "liveProjects"> & { readonly tracker: HealthTracker };

export async function listIncidents(
  { all, cursor, limit }: InputOf<"incident.list">,
  caller: Caller,
  { store, tracker }: IncidentPorts,
): Promise<OutputOf<"incident.list">> {
  const kept = await store.reader.health.listIncidents({ all, before: cursor, limit: limit + 1 });
  // While the store takes no changes the newest ones are known here alone.
  const live = new Map(tracker.incidents().map((incident) => [incident.id, incident]));
  const unkept = [...live.values()].filter(({ id }) => cursor === undefined && kept.every((other) => other.id !== id));
  const items = [...unkept, ...kept.map((record) => live.get(record.id) ?? record)]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit);
  return {
    items: items.filter((incident) => isIncidentOf(caller, incident)).map(incidentView),
    ...(kept.length > limit ? { nextCursor: items.at(-1)!.id } : {}),
  };
}

export async function resolveIncident(
  { id, why }: InputOf<"incident.resolve">,
  { transact }: Call<HealthRepositories>,
  { tracker, clock, liveProjects }: IncidentPorts,
): Promise<OutputOf<"incident.resolve">> {
  // It may not be written down yet.
  if (tracker.incidents().some((incident) => incident.id === id)) await tracker.flush();
  const everywhere = await liveProjects();
  return transact("health", async (tx) => {
    const known = await tx.health.findIncident(id);
    if (known === undefined || known.resolvedAt !== undefined) throw notOpen(id, known);
    const standing = tracker.incidents().find((incident) => incident.id === id) ?? known;
    const record: IncidentRecord = { ...standing, resolvedAt: clock.now(), resolution: "by-hand", resolvedWhy: why };
    await tx.health.setIncident(record);
    const incident = incidentView(record);
    for (const project of record.projects.length === 0 ? everywhere : record.projects)
      await tx.events.append(project, health.IncidentResolved.of(id, { incident }));
    tx.afterCommit(() => tracker.resolved(record));
    return { incident };
  });
}

function notOpen(id: IncidentId, known: IncidentRecord | undefined): DomainError {
  const what = known === undefined ? `There is no incident ${id}` : `${id} is already resolved`;
  return new DomainError("incident.not-found", `${what}; "sylk incident list" shows what is unresolved`, {
    details: { id },
  });
}
