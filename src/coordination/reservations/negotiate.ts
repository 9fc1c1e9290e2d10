/**
 * Negotiation: an agent that needs a path asks its holder; a holder that never answers loses the path in the end.
 *
 *   ask -> the holder releases it | acknowledges | defers with a time -> after the limit the requester may force
 *
 * Ten minutes, five when it is urgent (settings), counted on the monotonic clock from the request (after a restart from the daemon's
 * start). A deferral moves the limit to the time it names, once and by one more limit at the most. Forcing is pinned to the
 * reservation that was asked for: a later one of the same holder is another matter. A dead holder needs none of this.
 */
import {
  DomainError,
  reservation as contract,
  type AgentCaller,
  type AgentRef,
  type InputOf,
  type OutputOf,
  type ReleaseRequest,
  type ReservationId,
} from "../../contract/index.ts";
import { actorOf, type AuditRepository } from "../../platform/audit/index.ts";
import { defined } from "../../platform/defined.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { postMessage, type MailRepository } from "../mail/index.ts";
import { requireLiveAgent } from "../registry/index.ts";
import { endReservation } from "./end-reservation.ts";
import type { ReservationPorts, ReservationRepositories, ReservationTx } from "./ports.ts";
import { foreign, lost, noSuchReservation, ownRecord } from "./renew-reservation.ts";
import { viewReservation } from "./reservation-view.ts";
import type { RequestRecord, ReservationRecord } from "./store.ts";

type WritingCall = AgentCall<ReservationRepositories & { readonly mail: MailRepository }>;
type AuditedCall = AgentCall<ReservationRepositories & { readonly audit: AuditRepository }>;

export function askForRelease(
  { id, urgency, reason }: InputOf<"reservation.ask">,
  { caller, transact }: WritingCall,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.ask">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const held = await othersHold(id, caller, tx, ports);
    const before = (await tx.reservations.requestsFor(id)).find(({ requester }) => requester.id === caller.agent.id);
    const record: RequestRecord = {
      reservation: id,
      requester: caller.agent,
      urgency,
      ...defined({ reason }),
      state: before?.state ?? "open",
      etaMs: before?.etaMs,
      askedAt: before?.askedAt ?? ports.clock.now(),
    };
    await tx.reservations.saveRequest(record);
    if (before === undefined) ports.requests.asked(id, caller.agent.id);
    ports.leases.contest(held, Math.max(0, ports.requests.leftMs(record)));
    const request = viewRequest(record, ports);
    await tx.events.append(
      held.project,
      contract.ReleaseAsked.of(id, { reservation: viewReservation(held, ports.leases), request }),
    );
    if (before === undefined)
      await write(
        {
          to: held.holder,
          content: { kind: "release-request", reservation: id, urgent: urgency === "urgent" },
          subject: `${caller.agent.name} needs ${namesOf(held)}`,
          body: reason ?? "",
          importance: urgency === "urgent" ? "urgent" : "high",
        },
        caller,
        tx,
        ports,
      );
    return { request };
  });
}

export function answerRequests(
  { id, decision, etaMs }: InputOf<"reservation.answer">,
  { caller, transact }: WritingCall,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.answer">> {
  return transact(caller.project.id, async (tx) => {
    const held = await ownRecord(id, caller, tx);
    if (held.endedAt !== undefined || !ports.leases.isLive(held)) throw lost(id);
    const answered: RequestRecord[] = [];
    for (const request of await tx.reservations.requestsFor(id)) {
      const state = decision === "defer" ? "deferred" : "acknowledged";
      const record: RequestRecord = { ...request, state, etaMs: etaOf(request, etaMs, ports) };
      await tx.reservations.saveRequest(record);
      answered.push(record);
      await write(
        {
          to: record.requester,
          content:
            decision === "defer" && etaMs !== undefined
              ? { kind: "release-defer", reservation: id, etaMs }
              : { kind: "release-ack", reservation: id },
          subject: `${caller.agent.name} ${decision === "defer" ? "needs a while longer with" : "will release"} ${namesOf(held)}`,
          body: "",
          importance: "normal",
        },
        caller,
        tx,
        ports,
      );
    }
    const requests = answered.map((record) => viewRequest(record, ports));
    await tx.events.append(
      held.project,
      contract.ReleaseAnswered.of(id, { reservation: viewReservation(held, ports.leases), requests }),
    );
    return { requests };
  });
}

export function forceRelease(
  { id }: InputOf<"reservation.force">,
  { caller, transact }: AuditedCall,
  ports: ReservationPorts,
): Promise<OutputOf<"reservation.force">> {
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const held = await othersHold(id, caller, tx, ports);
    const record = (await tx.reservations.requestsFor(id)).find(({ requester }) => requester.id === caller.agent.id);
    if (record === undefined)
      throw new DomainError("caller.denied", `Ask for ${id} first: "sylk negotiate ${id}"`, {
        details: { needed: "a request whose time limit has passed" },
      });
    const leftMs = ports.requests.leftMs(record);
    if (leftMs > 0) throw tooEarly(held, leftMs);
    const request = viewRequest(record, ports);
    const reservation = await endReservation(held, "released", tx, ports);
    await tx.events.append(held.project, contract.ReservationForced.of(id, { reservation, by: caller.agent, request }));
    await tx.audit.append({
      actor: actorOf(caller),
      action: "reservation.forced",
      subject: id,
      project: held.project,
      details: { holder: held.holder.id, urgency: record.urgency },
    });
    return { reservation };
  });
}

/** The asked or answered agent finds it in its inbox, also when it was away. */
async function write(
  {
    to,
    ...message
  }: Pick<Parameters<typeof postMessage>[0], "content" | "subject" | "body" | "importance"> & {
    readonly to: AgentRef;
  },
  { agent: from, project }: AgentCaller,
  tx: ReservationTx & { readonly mail: MailRepository },
  { ids, clock }: ReservationPorts,
): Promise<void> {
  const id = ids.next("msg");
  const sent = {
    id,
    thread: id,
    project: project.id,
    from,
    audience: "agents",
    to: [to],
    sentAt: clock.now(),
  } as const;
  await postMessage({ ...sent, ...message }, tx);
}

function namesOf({ paths, patterns }: ReservationRecord): string {
  const [first = "", ...others] = [...paths, ...patterns];
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** The first deferral counts; putting it off again and again would be no answer. */
function etaOf(request: RequestRecord, etaMs: number | undefined, { requests }: ReservationPorts): number | undefined {
  if (request.etaMs !== undefined || etaMs === undefined) return request.etaMs;
  return Math.round(requests.sinceMs(request)) + etaMs;
}

async function othersHold(
  id: ReservationId,
  { agent, project }: AgentCaller,
  tx: ReservationTx,
  { leases }: ReservationPorts,
): Promise<ReservationRecord> {
  const held = await tx.reservations.find(id);
  if (held === undefined) throw noSuchReservation(id);
  if (held.project !== project.id) throw foreign(id);
  if (held.holder.id === agent.id)
    throw new DomainError("caller.denied", `${id} is your own; release it with "sylk free ${id}"`, {
      details: { needed: "a reservation of another agent" },
    });
  if (held.endedAt !== undefined || !leases.isLive(held)) throw lost(id);
  return held;
}

function tooEarly({ id, holder }: ReservationRecord, leftMs: number): DomainError {
  return new DomainError(
    "reservation.conflict",
    `${holder.name} has ${Math.ceil(leftMs / 1000)} s more to release ${id}; wait, or work on something else`,
    { details: { holder, waitFor: id, suggestedAction: "wait" }, retryAfterMs: leftMs },
  );
}

export function viewRequest(
  { etaMs: _eta, ...request }: RequestRecord,
  { clock, requests }: Pick<ReservationPorts, "clock" | "requests">,
): ReleaseRequest {
  return {
    ...request,
    mayForceAt: clock.now() + Math.max(0, requests.leftMs({ ...request, etaMs: _eta })),
  };
}
