/**
 * Holds of a person that an agent asks for. A person reads no inbox at every step, so these are listed with everything else
 * that waits for them: approving releases the hold, rejecting keeps it for a while longer.
 */
import {
  type AgentCaller,
  DomainError,
  type InboxItem,
  type ProjectId,
  type ReleaseRequest,
  type ReservationId,
} from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { MailRepository } from "../mail/index.ts";
import type { ProjectRepository } from "../registry/index.ts";
import { answerRequests, viewRequest } from "./negotiate.ts";
import type { ReservationPorts, ReservationRepositories } from "./ports.ts";
import { releaseReservation } from "./renew-reservation.ts";

type Repositories = ReservationRepositories & { readonly mail: MailRepository };
type Ports = ReservationPorts & {
  readonly store: Store<ReservationRepositories & { readonly projects: ProjectRepository }>;
};
export type AskedHold = ReleaseRequest & {
  readonly project: ProjectId;
  /** Paths and patterns of the hold. */
  readonly what: readonly string[];
};

/** How much longer a person keeps what they do not release. */
const keptMs = 600_000;

export async function holdsAskedOfPersons(
  project: ProjectId | undefined,
  ports: Pick<ReservationPorts, "store" | "requests" | "leases" | "clock">,
): Promise<readonly AskedHold[]> {
  const { reservations } = ports.store.reader;
  const found: AskedHold[] = [];
  for (const request of await reservations.askedOfPersons(project)) {
    const held = await reservations.find(request.reservation);
    if (held === undefined || !ports.leases.isLive(held)) continue;
    found.push({ ...viewRequest(request, ports), project: held.project, what: [...held.paths, ...held.patterns] });
  }
  return found;
}

export async function decideHold(
  id: ReservationId,
  decision: "approve" | "reject",
  call: Call<Repositories>,
  ports: Ports,
): Promise<InboxItem> {
  const { reservations, agents } = ports.store.reader;
  const held = await reservations.find(id);
  const holder = held && (await agents.find(held.holder.id));
  const asked = (await holdsAskedOfPersons(held?.project, ports)).find(({ reservation }) => reservation === id);
  if (holder === undefined || asked === undefined)
    throw new DomainError(
      "approval.not-found",
      `${id} is not asked of you any more; "sylk approvals" lists what waits`,
      {
        details: { id },
      },
    );
  const { name, client, project, tree } = holder;
  const caller: AgentCaller = { kind: "agent", agent: { id: holder.id, name, client }, project, tree };
  const item = await viewHold(asked, ports);
  if (decision === "approve") await releaseReservation(id, { ...call, caller }, ports);
  else await answerRequests({ id, decision: "defer", etaMs: keptMs }, { ...call, caller }, ports);
  return { ...item, status: decision === "approve" ? "approved" : "rejected", decidedAt: ports.clock.now() };
}

export async function viewHold(
  { reservation, requester, reason, askedAt, mayForceAt, project, what }: AskedHold,
  { store }: Pick<Ports, "store">,
): Promise<InboxItem> {
  return {
    id: reservation,
    kind: "hold",
    question: `Release ${what.join(", ")}?`,
    details: reason === undefined ? [] : [reason],
    status: "waiting",
    createdAt: askedAt,
    deadlineAt: mayForceAt,
    by: requester.name,
    project: (await store.reader.projects.find(project))?.name ?? project,
    byDefault: `${requester.name} may take it`,
    holdsFor: `this hold only; a rejection keeps it for ${keptMs / 60_000} minutes longer`,
  };
}
