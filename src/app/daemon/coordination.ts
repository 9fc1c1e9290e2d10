/** Handlers of what many agents in one repository share: registry, reservations, commits; and of the daemon itself. */
import type { OperationName } from "../../contract/index.ts";
import type { Announcements } from "../../coordination/commits/index.ts";
import { endAgent } from "../../coordination/agent-end/index.ts";
import { readHandoff } from "../../coordination/handoff/index.ts";
import { listPresence } from "../../coordination/who/index.ts";
import { getAgent, registerAgent } from "../../coordination/registry/index.ts";
import {
  acquireReservation,
  answerRequests,
  askForRelease,
  checkPaths,
  forceRelease,
  listReservations,
  releaseReservation,
  renewReservation,
  reservationStats,
  waitForEnd,
} from "../../coordination/reservations/index.ts";
import type { AuditOperation } from "./audit.ts";
import type { Address } from "./dashboard.ts";
import type { GuardOperation } from "./guard.ts";
import { type HealthOperation, whyNotEnforced } from "./health.ts";
import type { LedgerOperation } from "./ledger.ts";
import type { MailOperation } from "./mail.ts";
import type { Parts, Repositories, Terms } from "./parts.ts";
import type { RecordOperation } from "./records.ts";
import type { RuntimeOperation } from "./runtime.ts";
import type { SkillOperation } from "./skills.ts";
import { daemonStatus } from "./status.ts";
import type { WorkOperation } from "./work.ts";
import type { Settings } from "../../platform/config/index.ts";
import { readEventPage } from "../../platform/event-log/index.ts";
import type { AgentCall, OperationHandlers } from "../../platform/operations/index.ts";

export function coordinationHandlers(
  parts: Parts,
  terms: Terms,
  address: Address,
  announcements: Announcements,
): OperationHandlers<
  Repositories,
  Exclude<
    OperationName,
    | RuntimeOperation
    | WorkOperation
    | MailOperation
    | AuditOperation
    | RecordOperation
    | HealthOperation
    | LedgerOperation
    | SkillOperation
    | GuardOperation
    | "dashboard.link"
  >
> {
  const reservations = reservationPorts(parts, terms);
  /** Who reserves or renews is editing: that moves the work it has claimed. */
  const edited = async <T>(call: AgentCall<Repositories>, granted: Promise<T>): Promise<T> => {
    const answer = await granted;
    parts.progress.worked(call.caller.agent.id);
    return answer;
  };
  return {
    "agent.register": (input, call) => registerAgent(input, call, parts),
    "agent.list": async (input, { caller }) => {
      const notEnforced = await whyNotEnforced(parts);
      return { ...(await listPresence(input, caller, parts)), ...(notEnforced === undefined ? {} : { notEnforced }) };
    },
    "agent.get": ({ id }, { caller }) => getAgent(id, caller, parts),
    "agent.end": ({ id }, call) => endAgent(id, call, parts),
    "agent.handoff": ({ id }, { caller }) => readHandoff(id, caller, parts),
    "reservation.acquire": (input, call) => edited(call, acquireReservation(input, call, reservations)),
    "reservation.list": (input, { caller }) => listReservations(input, caller, reservations),
    "reservation.renew": (input, call) => {
      const renewed = renewReservation(input, call, reservations);
      return input.changed ? edited(call, renewed) : renewed;
    },
    "reservation.check": (input, call) => checkPaths(input, call.caller, reservations),
    "reservation.wait": (input, call) => waitForEnd(input, call, reservations),
    "reservation.ask": (input, call) => askForRelease(input, call, reservations),
    "reservation.answer": (input, call) => answerRequests(input, call, reservations),
    "reservation.force": (input, call) => forceRelease(input, call, reservations),
    "reservation.release": ({ id }, call) => releaseReservation(id, call, reservations),
    "reservation.stats": (input, { caller }) => reservationStats(input, caller, parts),
    "commit.announce": (input, call) => edited(call, announcements.announce(input, call)),
    "commit.catch-up": async (_, call) => {
      const { project, agent } = call.caller;
      const { nextInMs, refresh, ...due } = parts.catchUp.take(project.id, agent.id);
      return { ...due, refresh: [...refresh], ...(nextInMs === undefined ? {} : { nextInMs: Math.ceil(nextInMs) }) };
    },
    "event.list": async ({ after, limit, type }, { caller }) => {
      const { events, lastSequence, more } = await readEventPage(
        { after, limit, type, project: caller.project?.id },
        parts.store,
      );
      return { items: [...events], lastSequence, ...(more ? { nextCursor: String(lastSequence) } : {}) };
    },
    "daemon.status": () => daemonStatus(parts, terms, address.url),
    "daemon.stop": async ({ pid }) => {
      const stopping = pid === undefined || pid === process.pid;
      if (stopping) setImmediate(terms.onStop);
      return { stopping, pid: process.pid };
    },
  };
}

export function reservationPorts(parts: Parts, { settingsOfTree }: Terms) {
  return { ...parts, settingsFor: async (tree: string) => reservationSettings(await settingsOfTree(tree)) };
}

export function reservationSettings({
  "reservations.ttlMs": ttlMs,
  "reservations.maxPerAgent": maxPerAgent,
}: Settings) {
  return { ttlMs, maxPerAgent };
}
