/**
 * Compares what clients were told with what the daemon shows.
 *
 *   done     -> exactly one event says so                      (none: lost, more: doubled)
 *   refused  -> no event                                       (one: half)
 *   waiting  -> no event or one                                (more: doubled)
 *   event    -> exactly one call explains it                   (none: doubled, it happened once more than was asked)
 *   state    -> what its events add up to, step by step        (else: half)
 */
import { isDeepStrictEqual } from "node:util";
import type { AgentRef, LogEvent, Reservation, WorkItem } from "../../src/contract/index.ts";
import type { Call, Snapshot } from "./kill-history.ts";

export type Problem = { readonly kind: "lost" | "doubled" | "half"; readonly what: string };
export type Verdict = {
  readonly problems: readonly Problem[];
  /** Calls that took effect although nobody was told. */
  readonly silentlyDone: number;
};

export function checkHistory(calls: readonly Call[], { events, workItems, reservations }: Snapshot): Verdict {
  const { problems, silentlyDone } = checkCalls(calls, events);
  return {
    problems: [
      ...checkOrder(events),
      ...problems,
      ...checkWorkItems(events, workItems),
      ...checkReservations(events, reservations),
    ],
    silentlyDone,
  };
}

function checkOrder(events: readonly LogEvent[]): readonly Problem[] {
  const ids = new Set(events.map(({ id }) => id));
  const ascending = events.every(({ sequence }, index) => index === 0 || sequence > events[index - 1]!.sequence);
  return [
    ...(ascending ? [] : [half("the log's sequences do not grow")]),
    ...(ids.size === events.length ? [] : [half("an event's id occurs twice")]),
  ];
}

function checkCalls(calls: readonly Call[], events: readonly LogEvent[]): Verdict {
  const problems: Problem[] = [];
  const byMark = new Map<string, LogEvent[]>();
  for (const event of events) for (const mark of marksOf(event)) byMark.set(mark, [...(byMark.get(mark) ?? []), event]);
  const explained = new Set<LogEvent>();
  const waiting: Call[] = [];
  for (const call of calls) {
    if (call.outcome.kind === "waiting") waiting.push(call);
    else problems.push(...checkAnswered(call, byMark.get(markOf(call)) ?? [], explained));
  }
  // After the answered ones: those name their event exactly, a waiting one only what it asked for.
  let silentlyDone = 0;
  for (const call of waiting) {
    const found = (byMark.get(markOf(call)) ?? []).filter((event) => !explained.has(event));
    if (found.length > 1) problems.push(doubled(`${describe(call)} without an answer has ${found.length} events`));
    for (const event of found) explained.add(event);
    if (found.length > 0) silentlyDone++;
  }
  for (const event of events) {
    if (marksOf(event).length > 0 && !explained.has(event))
      problems.push(doubled(`event ${event.sequence} (${event.type} of ${event.subject}) is no call's doing`));
  }
  return { problems, silentlyDone };
}

function checkAnswered(call: Call, marked: readonly LogEvent[], explained: Set<LogEvent>): readonly Problem[] {
  const { outcome } = call;
  if (outcome.kind === "refused")
    return hasOwnMark(call) && marked.length > 0 ? [half(`${describe(call)} was refused and left an event`)] : [];
  const found = marked.filter((event) => !explained.has(event) && saysTheSame(call, event));
  for (const event of found) explained.add(event);
  if (found.length === 1) return [];
  const what = `${describe(call)} was acknowledged and has ${found.length} events`;
  return [found.length === 0 ? { kind: "lost", what } : doubled(what)];
}

/** What a call's event can be found by. Claims and releases carry no text of their own: thing and agent must do. */
function markOf({ operation, input, agent, key }: Call): string {
  switch (operation) {
    case "work-item.claim":
      return `claimed ${input.id} ${agent}`;
    case "work-item.release":
      return `released ${input.id} ${agent}`;
    case "reservation.release":
      return `freed ${input.id} ${agent}`;
    default:
      return `${operation} ${key}`;
  }
}

function hasOwnMark({ operation }: Call): boolean {
  return !["work-item.claim", "work-item.release", "reservation.release"].includes(operation);
}

type Facts = {
  readonly agent: AgentRef;
  readonly workItem: WorkItem;
  readonly reservation: Reservation;
  readonly owner: AgentRef;
  readonly formerOwner: AgentRef;
  readonly fencingToken: number;
};

function factsOf({ data }: LogEvent): Facts {
  return data as unknown as Facts;
}

/** One mark for an event that calls of the campaign cause; none for the others. */
function marksOf(event: LogEvent): readonly string[] {
  const { agent, workItem, reservation, owner, formerOwner } = factsOf(event);
  switch (event.type) {
    case "agent.registered":
      return [`agent.register ${agent.name}`];
    case "work-item.created":
      return [`work-item.create ${workItem.title}`];
    case "work-item.claimed":
      return [`claimed ${event.subject} ${owner.id}`];
    case "work-item.released":
      return [`released ${event.subject} ${formerOwner.id}`];
    case "work-item.closed":
      return [`work-item.close ${workItem.closedReason}`];
    case "reservation.acquired":
      return [`reservation.acquire ${reservation.reason}`];
    case "reservation.released":
      return [`freed ${event.subject} ${reservation.holder.id}`];
    default:
      return [];
  }
}

/** The event is the answer's: same thing, same token, same version. */
function saysTheSame({ operation, outcome }: Call, event: LogEvent): boolean {
  if (outcome.kind !== "done") return false;
  const facts = factsOf(event);
  const answer = outcome.answer as Partial<Facts> & { readonly lease?: { readonly fencingToken: number } };
  switch (operation) {
    case "agent.register":
      return event.subject === answer.agent?.id;
    case "work-item.claim":
      return facts.fencingToken === answer.lease?.fencingToken;
    case "work-item.create":
    case "work-item.release":
    case "work-item.close":
      return event.subject === answer.workItem?.id && facts.workItem.version === answer.workItem.version;
    case "reservation.acquire":
    case "reservation.release":
      return event.subject === answer.reservation?.id;
  }
}

function checkWorkItems(events: readonly LogEvent[], workItems: readonly WorkItem[]): readonly Problem[] {
  const problems: Problem[] = [];
  const folded = new Map<string, WorkItem>();
  for (const event of events.filter(({ type }) => type.startsWith("work-item."))) {
    const before = folded.get(event.subject);
    const { workItem } = factsOf(event);
    const wrong = wrongStep(event.type, before, workItem);
    if (wrong !== undefined)
      problems.push(half(`event ${event.sequence} (${event.type} of ${event.subject}) ${wrong}`));
    folded.set(event.subject, workItem);
  }
  const shown = new Map(workItems.map((item) => [item.id as string, item]));
  for (const [id, item] of folded) {
    if (!isDeepStrictEqual(shown.get(id), item)) problems.push(half(`${id} is not what its events add up to`));
  }
  for (const id of shown.keys()) if (!folded.has(id)) problems.push(half(`${id} exists without an event`));
  return problems;
}

function wrongStep(type: string, before: WorkItem | undefined, after: WorkItem): string | undefined {
  if (type === "work-item.created") return before === undefined ? undefined : "creates what exists";
  if (before === undefined) return "is about something that was never created";
  if (before.status === "closed") return "changes what is closed";
  if (after.version !== before.version + 1) return `goes from version ${before.version} to ${after.version}`;
  if (type === "work-item.claimed") {
    if (before.owner !== undefined) return "claims what somebody owns";
    if (after.attempts !== before.attempts + 1) return "does not count the claim";
  }
  if (type === "work-item.released" && before.owner === undefined) return "releases what nobody owns";
  return undefined;
}

function checkReservations(events: readonly LogEvent[], reservations: readonly Reservation[]): readonly Problem[] {
  const problems: Problem[] = [];
  const live = new Map<string, Reservation>();
  let lastToken = 0;
  for (const event of events.filter(({ type }) => type.startsWith("reservation."))) {
    const { reservation } = factsOf(event);
    if (event.type !== "reservation.acquired") {
      if (!live.delete(event.subject))
        problems.push(half(`event ${event.sequence} ends ${event.subject}, which is not live`));
      continue;
    }
    const rival = [...live.values()].find((other) => other.paths.some((path) => reservation.paths.includes(path)));
    if (rival !== undefined) problems.push(half(`${event.subject} was granted while ${rival.id} held the same path`));
    if (reservation.fencingToken <= lastToken)
      problems.push(half(`${event.subject} has a fencing token that was used`));
    lastToken = Math.max(lastToken, reservation.fencingToken);
    live.set(event.subject, reservation);
  }
  const shown = new Set<string>(reservations.map(({ id }) => id));
  for (const id of live.keys()) if (!shown.has(id)) problems.push(half(`${id} should be live by its events`));
  for (const id of shown) if (!live.has(id)) problems.push(half(`${id} is live without an event`));
  return problems;
}

function describe({ operation, key }: Call): string {
  return `${operation} ${key}`;
}

function half(what: string): Problem {
  return { kind: "half", what };
}

function doubled(what: string): Problem {
  return { kind: "doubled", what };
}
