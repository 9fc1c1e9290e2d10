/**
 * The registry: every operation and every durable event, once. All surfaces, the client and the reference are made from it;
 * `Handlers` is a mapped type over it, so an operation without a handler does not compile.
 */
import * as agent from "./agent.ts";
import * as approval from "./approval.ts";
import * as audit from "./audit.ts";
import type { Caller } from "./caller.ts";
import * as daemon from "./daemon.ts";
import * as dashboard from "./dashboard.ts";
import type { EventDefinition, Input, Operation, Output, RawInput } from "./define.ts";
import * as event from "./event.ts";
import * as history from "./history.ts";
import * as project from "./project.ts";
import * as provider from "./provider.ts";
import * as reservation from "./reservation.ts";
import * as run from "./run.ts";
import * as session from "./session.ts";
import * as store from "./store.ts";
import * as workItem from "./work-item.ts";

export const operations = {
  "agent.register": agent.register,
  "agent.list": agent.list,
  "agent.get": agent.get,
  "agent.heartbeat": agent.heartbeat,
  "agent.end": agent.end,
  "reservation.acquire": reservation.acquire,
  "reservation.list": reservation.list,
  "reservation.renew": reservation.renew,
  "reservation.release": reservation.release,
  "work-item.create": workItem.create,
  "work-item.list": workItem.list,
  "work-item.ready": workItem.ready,
  "work-item.get": workItem.get,
  "work-item.claim": workItem.claim,
  "work-item.unclaim": workItem.unclaim,
  "work-item.release": workItem.release,
  "work-item.close": workItem.close,
  "session.create": session.create,
  "session.list": session.list,
  "run.start": run.start,
  "run.list": run.list,
  "run.get": run.get,
  "run.interrupt": run.interrupt,
  "run.resume": run.resume,
  "run.cancel": run.cancel,
  "run.diff": run.diff,
  "run.merge": run.merge,
  "run.discard": run.discard,
  "approval.list": approval.list,
  "approval.decide": approval.decide,
  "history.list": history.list,
  "provider.add": provider.add,
  "provider.list": provider.list,
  "provider.test": provider.test,
  "provider.remove": provider.remove,
  "audit.list": audit.list,
  "audit.verify": audit.verify,
  "project.list": project.list,
  "project.forget": project.forget,
  "store.backup": store.backup,
  "store.export": store.exportRecords,
  "store.purge": store.purge,
  "event.list": event.list,
  "daemon.status": daemon.status,
  "daemon.stop": daemon.stop,
  "dashboard.link": dashboard.link,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Input<Operations[Name]>;
export type RawInputOf<Name extends OperationName> = RawInput<Operations[Name]>;
export type OutputOf<Name extends OperationName> = Output<Operations[Name]>;

/** What a handler is written against: one function per operation; `Call` is what the runtime hands to each call. */
export type Handlers<Call> = {
  readonly [Name in OperationName]: (input: InputOf<Name>, call: Call) => Promise<OutputOf<Name>>;
};

/** The one function surfaces know. */
export type Dispatch = <Name extends OperationName>(
  name: Name,
  input: unknown,
  caller: Caller,
  options?: { readonly idempotencyKey?: string | undefined },
) => Promise<OutputOf<Name>>;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** The registry seen as plain rows, for surfaces that treat every operation alike. */
export function allOperations(): readonly (Operation & { readonly name: OperationName })[] {
  return Object.values(operations);
}

export const eventDefinitions: readonly EventDefinition[] = [
  agent.AgentRegistered,
  agent.AgentReturned,
  agent.AgentOffline,
  agent.AgentEnded,
  reservation.ReservationAcquired,
  reservation.ReservationReleased,
  reservation.ReservationExpired,
  workItem.WorkItemCreated,
  workItem.WorkItemClaimed,
  workItem.WorkItemReleased,
  workItem.WorkItemClaimExpired,
  workItem.WorkItemClosed,
  session.SessionCreated,
  run.RunStarted,
  run.RunStatusChanged,
  run.RunPlanned,
  run.RunNodeChanged,
  run.RunChecked,
  run.RunSpent,
  run.RunMessage,
  approval.ApprovalRequested,
  approval.ApprovalDecided,
];
