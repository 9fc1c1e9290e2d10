/** The checker must be able to fail: an honest history passes, and each way of lying is found. */
import { describe, expect, it } from "vitest";
import type { LogEvent, Reservation, WorkItem } from "../../src/contract/index.ts";
import { checkHistory, type Problem } from "./check-history.ts";
import type { Call, Snapshot } from "./kill-history.ts";

type History = {
  readonly calls: Call[];
  readonly snapshot: { -readonly [Key in keyof Snapshot]: Snapshot[Key][number][] };
};

it("finds nothing wrong with an honest history, and counts what took effect unheard", () => {
  const { calls, snapshot } = honestHistory();
  expect(checkHistory(calls, snapshot)).toEqual({ problems: [], silentlyDone: 2 });
});

describe("finds", () => {
  const corruptions: [string, Problem["kind"], (history: History) => void][] = [
    [
      "an acknowledged creation without its event",
      "lost",
      ({ snapshot }) => remove(snapshot, "work-item.created", "w1"),
    ],
    ["an acknowledged claim without its event", "lost", ({ snapshot }) => remove(snapshot, "work-item.claimed", "w1")],
    ["an acknowledged close without its event", "lost", ({ snapshot }) => remove(snapshot, "work-item.closed", "w1")],
    [
      "an acknowledged reservation without its event",
      "lost",
      ({ snapshot }) => remove(snapshot, "reservation.acquired", "r2"),
    ],
    [
      "an acknowledged release without its event",
      "lost",
      ({ snapshot }) => remove(snapshot, "reservation.released", "r1"),
    ],
    [
      "an acknowledged registration without its event",
      "lost",
      ({ snapshot }) => remove(snapshot, "agent.registered", "a1"),
    ],
    [
      "an answer that names another thing than its event",
      "lost",
      ({ calls }) => (answerOf(calls, "k1").workItem.id = "w9" as never),
    ],
    [
      "a claim with another token than its event",
      "lost",
      ({ calls }) => (answerOf(calls, "k2").lease.fencingToken = 7),
    ],
    ["a creation that happened twice", "doubled", ({ snapshot }) => repeat(snapshot, "work-item.created", "w1", "w7")],
    [
      "a reservation that happened twice",
      "doubled",
      ({ snapshot }) => repeat(snapshot, "reservation.acquired", "r2", "r7"),
    ],
    [
      "a registration that happened twice",
      "doubled",
      ({ snapshot }) => repeat(snapshot, "agent.registered", "a1", "a7"),
    ],
    [
      "an unanswered creation that happened twice",
      "doubled",
      ({ snapshot }) => repeat(snapshot, "work-item.created", "w3", "w8"),
    ],
    ["an event that nobody asked for", "doubled", ({ snapshot }) => repeat(snapshot, "work-item.closed", "w1", "w2")],
    [
      "a refused call that left an event",
      "half",
      ({ calls }) => (find(calls, "k1").outcome = { kind: "refused", code: "agent.ended" }),
    ],
    [
      "a work item without an event",
      "half",
      ({ snapshot }) => void snapshot.workItems.push({ ...snapshot.workItems[0]!, id: "w9" as never }),
    ],
    ["an event without its work item", "half", ({ snapshot }) => void snapshot.workItems.shift()],
    ["a status that its events do not lead to", "half", ({ snapshot }) => change(snapshot, "w1", { status: "open" })],
    ["an owner that its events do not lead to", "half", ({ snapshot }) => change(snapshot, "w2", { owner: agent })],
    ["a version that jumps", "half", ({ snapshot }) => versionOf(snapshot, "work-item.claimed", "w1", 5)],
    [
      "a live reservation without an event",
      "half",
      ({ snapshot }) => void snapshot.reservations.push({ ...snapshot.reservations[0]!, id: "r9" as never }),
    ],
    ["a reservation that is gone without an event", "half", ({ snapshot }) => void snapshot.reservations.pop()],
    [
      "a release that did not end the reservation",
      "half",
      ({ snapshot }) => void snapshot.reservations.push(reservation("r1", "a.ts", 1, "k7")),
    ],
    ["one path granted to two", "half", ({ snapshot }) => remove(snapshot, "reservation.released", "r1")],
    ["a fencing token used again", "half", ({ snapshot }) => tokenOf(snapshot, "r2", 1)],
    ["sequences that go back", "half", ({ snapshot }) => void snapshot.events.reverse()],
    [
      "one event id for two events",
      "half",
      ({ snapshot }) => Object.assign(snapshot.events[1]!, { id: snapshot.events[0]!.id }),
    ],
  ];

  it.each(corruptions)("%s (%s) [CORE-11]", (_what, kind, corrupt) => {
    const history = honestHistory();
    corrupt(history);
    const { problems } = checkHistory(history.calls, history.snapshot);
    expect(problems.map((problem) => problem.kind)).toContain(kind);
  });
});

const agent = { id: "a1", name: "c1", client: "other" } as never;

/** One agent: two items, one of them closed; one file given back and taken again; two calls without an answer. */
function honestHistory(): History {
  const created = (id: string, title: string) => item(id, title, { status: "open", version: 1, attempts: 0 });
  const open2 = item("w2", "k4", { status: "open", version: 3, attempts: 1 });
  const claimed = (id: string, title: string) =>
    item(id, title, { status: "in_progress", version: 2, attempts: 1, owner: agent });
  const closed1 = item("w1", "k1", { status: "closed", version: 3, attempts: 1, closedReason: "k3" });
  const [first, second] = [reservation("r1", "a.ts", 1, "k7"), reservation("r2", "a.ts", 2, "k9")];
  const closed3 = item("w3", "k11", { status: "closed", version: 2, attempts: 0, closedReason: "k13" });
  return {
    calls: [
      done("agent.register", "c1", {}, { agent: { id: "a1" } }),
      done("work-item.create", "k1", { title: "k1" }, { workItem: created("w1", "k1") }),
      done("work-item.claim", "k2", { id: "w1" }, { workItem: claimed("w1", "k1"), lease: { fencingToken: 1 } }),
      done("work-item.close", "k3", { id: "w1", reason: "k3" }, { workItem: closed1 }),
      done("work-item.create", "k4", { title: "k4" }, { workItem: created("w2", "k4") }),
      done("work-item.claim", "k5", { id: "w2" }, { workItem: claimed("w2", "k4"), lease: { fencingToken: 1 } }),
      done("work-item.release", "k6", { id: "w2" }, { workItem: open2 }),
      done("reservation.acquire", "k7", { paths: ["a.ts"], reason: "k7" }, { reservation: first }),
      done("reservation.release", "k8", { id: "r1" }, { reservation: first }),
      done("reservation.acquire", "k9", { paths: ["a.ts"], reason: "k9" }, { reservation: second }),
      call("work-item.claim", "k10", { id: "w1" }, { kind: "refused", code: "work-item.closed" }),
      call("work-item.create", "k11", { title: "k11" }, { kind: "waiting" }),
      call("work-item.create", "k12", { title: "k12" }, { kind: "waiting" }),
      call("work-item.close", "k13", { id: "w3", reason: "k13" }, { kind: "waiting" }),
    ],
    snapshot: {
      events: [
        event(1, "agent.registered", "a1", { agent }),
        event(2, "work-item.created", "w1", { workItem: created("w1", "k1") }),
        event(3, "work-item.claimed", "w1", { workItem: claimed("w1", "k1"), owner: agent, fencingToken: 1 }),
        event(4, "work-item.closed", "w1", { workItem: closed1 }),
        event(5, "work-item.created", "w2", { workItem: created("w2", "k4") }),
        event(6, "work-item.claimed", "w2", { workItem: claimed("w2", "k4"), owner: agent, fencingToken: 1 }),
        event(7, "work-item.released", "w2", { workItem: open2, formerOwner: agent }),
        event(8, "reservation.acquired", "r1", { reservation: first }),
        event(9, "reservation.released", "r1", { reservation: first }),
        event(10, "reservation.acquired", "r2", { reservation: second }),
        event(11, "work-item.created", "w3", { workItem: created("w3", "k11") }),
        event(12, "work-item.closed", "w3", { workItem: closed3 }),
      ],
      workItems: [closed1, open2, closed3],
      reservations: [second],
    },
  };
}

function call(operation: string, key: string, input: object, outcome: object): Call {
  return { operation, key, agent: "a1", input, outcome } as unknown as Call;
}

function done(operation: string, key: string, input: object, answer: object): Call {
  return call(operation, key, input, { kind: "done", answer });
}

function event(sequence: number, type: string, subject: string, data: object): LogEvent {
  return {
    sequence,
    id: `evt_${sequence}`,
    type,
    version: 1,
    project: "p",
    subject,
    at: 0,
    data,
  } as unknown as LogEvent;
}

function item(id: string, title: string, rest: object): WorkItem {
  return {
    id,
    title,
    type: "change",
    priority: 2,
    dependsOn: [],
    createdAt: 0,
    updatedAt: 0,
    ...rest,
  } as unknown as WorkItem;
}

function reservation(id: string, path: string, fencingToken: number, reason: string): Reservation {
  return { id, paths: [path], patterns: [], fencingToken, reason, holder: agent } as unknown as Reservation;
}

type Told = { workItem: { id: string }; lease: { fencingToken: number } };

function find(calls: Call[], key: string): Call {
  return calls.find((one) => one.key === key)!;
}

function answerOf(calls: Call[], key: string): Told {
  const { outcome } = find(calls, key);
  const answer = structuredClone((outcome as unknown as { answer: Told }).answer);
  find(calls, key).outcome = { kind: "done", answer } as never;
  return answer;
}

function remove({ events }: History["snapshot"], type: string, subject: string): void {
  events.splice(
    events.findIndex((one) => one.type === type && one.subject === subject),
    1,
  );
}

/** The same fact once more, at the end, about another thing. */
function repeat(snapshot: History["snapshot"], type: string, subject: string, other: string): void {
  const original = snapshot.events.find((one) => one.type === type && one.subject === subject)!;
  const copy = structuredClone(original) as unknown as { sequence: number; id: string; subject: string };
  snapshot.events.push({ ...copy, sequence: 99, id: "evt_99", subject: other } as unknown as LogEvent);
}

function change({ workItems }: History["snapshot"], id: string, other: object): void {
  const index = workItems.findIndex((one) => (one.id as string) === id);
  workItems[index] = { ...workItems[index]!, ...other };
}

function dataOf({ events }: History["snapshot"], type: string, subject: string) {
  const found = events.find((one) => one.type === type && one.subject === subject)! as { data: unknown };
  found.data = structuredClone(found.data);
  return found.data as { workItem: { version: number }; reservation: { fencingToken: number } };
}

function versionOf(snapshot: History["snapshot"], type: string, subject: string, version: number): void {
  dataOf(snapshot, type, subject).workItem.version = version;
}

function tokenOf(snapshot: History["snapshot"], subject: string, token: number): void {
  dataOf(snapshot, "reservation.acquired", subject).reservation.fencingToken = token;
}
