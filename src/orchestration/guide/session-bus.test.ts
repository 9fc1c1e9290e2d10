import { expect, it } from "vitest";
import { createBus, createDeadLetters } from "../../platform/bus/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { messageFilter } from "./message-filter.ts";
import { openSessionBus } from "./session-bus.ts";
import { agentTopic, sessionTopic, statusTopic } from "./session-topics.ts";

type Note = { readonly session: string; readonly type: string; readonly priority: number };
const note = (session: string, type = "DAG_STATUS", priority = 50): Note => ({ session, type, priority });

function world() {
  const bus = createBus<Note>({
    deadLetters: createDeadLetters({ clock: manualClock() }),
    onSubscriberError: ({ error }) => {
      throw error;
    },
  });
  const heard: string[] = [];
  const listen = (message: Note, subject: string) => void heard.push(`${subject}:${message.type}`);
  return { bus, heard, listen };
}

it("names topics by session, agent and channel, and refuses ids that could reach elsewhere [BUS-1, GUIDE-12]", () => {
  expect(sessionTopic("ses_1", "librarian", "requests")).toBe("session.ses_1.librarian.requests");
  expect(statusTopic("ses_1")).toBe("session.ses_1.status");
  for (const id of ["", "a.b", "*", "**", "a b", "é", "a\n"]) {
    expect(() => sessionTopic(id, "librarian", "requests"), id).toThrow(/session id .* cannot be part of a topic/);
    expect(() => sessionTopic("ses_1", id, "requests"), id).toThrow(/agent name .* cannot be part of a topic/);
  }
});

it("has the topics of every agent from its start, and none after its end [BUS-2, BUS-3, BUS-12]", () => {
  const { bus } = world();
  const session = openSessionBus(bus, "s1", ["architect"]);
  expect(session.topics).toEqual([
    "session.s1.architect.requests",
    "session.s1.architect.responses",
    "session.s1.architect.errors",
    "session.s1.status",
  ]);
  session.addAgent("tester");
  expect(session.topics).toContain("session.s1.tester.requests");
  expect(() => session.publish("wizard", "requests", note("s1"))).toThrow('s1 has no agent "wizard"; it has architect');
  session.close();
  expect(session.topics).toEqual([]);
});

it("prefixes topics by itself, so that sessions do not hear each other [BUS-13, BUS-15]", () => {
  const { bus, heard, listen } = world();
  const [one, two] = ["s1", "s2"].map((id) => openSessionBus(bus, id, ["architect"]));
  one!.subscribe("architect.requests", listen);
  expect(two!.publish("architect", "requests", note("s2"))).toBe(0);
  expect(one!.publish("architect", "requests", note("s1"))).toBe(1);
  expect(heard).toEqual(["session.s1.architect.requests:DAG_STATUS"]);
});

it("ends every subscription of a closed session, regardless of who made it, and no other; later publishes reach no subscriber [BUS-3, BUS-14]", () => {
  const { bus, heard, listen } = world();
  const [one, two] = ["s1", "s10"].map((id) => openSessionBus(bus, id, ["architect"]));
  one!.subscribe("architect.*", listen);
  one!.subscribe("**", listen, { queue: { whenFull: "block" } });
  one!.subscribeOutside("archivalist.responses", listen);
  bus.subscribe("session.s1.architect.requests", listen);
  two!.subscribe("architect.requests", listen);
  bus.subscribe("session.*.architect.requests", listen);
  one!.close();
  one!.close();
  expect(bus.size).toBe(2);
  expect(one!.publish("architect", "requests", note("s1"))).toBe(0);
  expect(one!.publishStatus(note("s1"))).toBe(0);
  expect(() => one!.subscribe("architect.requests", listen)).toThrow(/"session.s1" is closed/);
  expect(heard).toEqual([]);
  expect(two!.publish("architect", "requests", note("s10"))).toBe(2);
});

it("carries topics without a session for shared agents [BUS-4, GUIDE-13]", () => {
  const { bus, heard, listen } = world();
  bus.subscribe(agentTopic("archivalist", "requests"), listen);
  bus.subscribe("session.**", () => expect.unreachable());
  expect(bus.publish("archivalist.requests", note("s1"))).toBe(1);
  expect(heard).toEqual(["archivalist.requests:DAG_STATUS"]);
});

it("hears the status of all sessions at session.*.status [BUS-5, BUS-6]", () => {
  const { bus, heard, listen } = world();
  bus.subscribe("session.*.status", listen);
  for (const id of ["s1", "s2"]) openSessionBus(bus, id, ["architect"]).publishStatus(note(id));
  openSessionBus(bus, "s3", ["architect"]).publish("architect", "errors", note("s3"));
  expect(heard).toEqual(["session.s1.status:DAG_STATUS", "session.s2.status:DAG_STATUS"]);
});

it("hears the requests of all agents, of sessions and shared, at *.requests [BUS-5, BUS-7]", () => {
  const { bus, heard, listen } = world();
  bus.subscribe("*.requests", listen);
  bus.publish("archivalist.requests", note("s1"));
  const session = openSessionBus(bus, "s1", ["architect"]);
  session.publish("architect", "requests", note("s1"));
  session.publish("architect", "responses", note("s1"));
  expect(heard.map((each) => each.split(":")[0])).toEqual(["archivalist.requests", "session.s1.architect.requests"]);
});

it.each([
  ["session", { session: "s2" }, ["s2 DAG_STATUS 50", "s2 TASK_HELP 100"]],
  ["type", { types: ["TASK_HELP"] }, ["s1 TASK_HELP 25", "s2 TASK_HELP 100"]],
  ["priority", { minPriority: 50 }, ["s2 DAG_STATUS 50", "s2 TASK_HELP 100"]],
  ["all three", { session: "s2", types: ["TASK_HELP"], minPriority: 75 }, ["s2 TASK_HELP 100"]],
  ["nothing", {}, ["s1 TASK_HELP 25", "s2 DAG_STATUS 50", "s2 TASK_HELP 100"]],
])("filters by %s", (_, filter, expected) => {
  const { bus } = world();
  const heard: string[] = [];
  bus.subscribe("**", ({ session, type, priority }) => void heard.push(`${session} ${type} ${priority}`), {
    accepts: messageFilter(filter),
  });
  for (const each of [note("s1", "TASK_HELP", 25), note("s2"), note("s2", "TASK_HELP", 100)]) bus.publish("a", each);
  expect(heard).toEqual(expected);
});
