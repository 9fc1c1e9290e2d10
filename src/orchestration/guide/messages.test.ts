import { describe, expect, it } from "vitest";
import {
  maySend,
  Message,
  mayAnswer,
  type MessageType,
  messageTerms,
  messageTypes,
  NodeId,
  RoleName,
} from "../../contract/index.ts";
import { answerMessages } from "./role-handler.ts";
import { askAnything, echo, guideWorld, names, sessionA } from "./testkit.ts";
import { standardCards } from "./routing/standard-cards.ts";

const node = {
  id: "nod_0000000000000000000001",
  title: "Discounts",
  role: "engineer",
  prompt: "Add them",
  dependsOn: [],
};
const check = { kind: "tests", round: 0, outcome: "pass", summary: "3 passed", at: 1 };
const report = { check, findings: [] };
const outcome = { outcome: "succeeded", rejected: false, checks: [check] };
const plan = { id: "pln_0000000000000000000001", summary: "One node", nodes: [node] };

type Row = readonly [id: string, type: MessageType, from: RoleName, to: RoleName, payload: Message["payload"]];
const rows: readonly Row[] = [
  ["MSG-1", "DAG_EXECUTE", "architect", "orchestrator", { round: 0, nodes: [node] }],
  ["MSG-2", "DAG_STATUS", "orchestrator", "architect", outcome],
  ["MSG-3", "DAG_CANCEL", "user", "orchestrator", { reason: "changed my mind" }],
  ["MSG-4", "TASK_DISPATCH", "orchestrator", "engineer", { node, attempt: 1, parents: {} }],
  ["MSG-5", "TASK_COMPLETE", "engineer", "orchestrator", { summary: "done" }],
  ["MSG-6", "TASK_FAILED", "engineer", "orchestrator", { reason: "no", class: "permanent" }],
  ["MSG-7", "TASK_HELP", "engineer", "orchestrator", { node: node.id, question: "which currency?" }],
  ["MSG-8", "CLARIFICATION_REQUEST", "architect", "user", { question: "which currency?", onBehalfOf: "engineer" }],
  ["MSG-9", "CLARIFICATION_RESPONSE", "user", "architect", { answer: "euro" }],
  ["MSG-10", "VALIDATE_TASK", "orchestrator", "inspector", { round: 0 }],
  ["MSG-11", "VALIDATION_RESULT", "inspector", "orchestrator", { check }],
  ["MSG-12", "VALIDATION_FULL", "inspector", "user", report],
  ["MSG-13", "VALIDATION_CORRECTIONS", "inspector", "architect", { findings: [] }],
  ["MSG-14", "TEST_PLAN_REQUEST", "architect", "tester", { text: "how?", plan: plan.id }],
  ["MSG-15", "TEST_PLAN_RESPONSE", "tester", "user", { text: "so" }],
  ["MSG-16", "TEST_DAG_REQUEST", "tester", "architect", { nodes: [node] }],
  ["MSG-17", "TESTS_READY", "orchestrator", "tester", { round: 0 }],
  ["MSG-18", "TEST_RESULTS", "tester", "user", { check }],
  ["MSG-19", "TEST_CORRECTIONS", "tester", "architect", { findings: [] }],
  ["MSG-20", "USER_OVERRIDE", "user", "inspector", { reason: "it is fine" }],
  ["MSG-20", "USER_OVERRIDE", "user", "tester", { reason: "it is fine" }],
  ["MSG-21", "USER_INTERRUPT", "user", "architect", { reason: "stop" }],
  ["MSG-22", "WORKFLOW_COMPLETE", "architect", "user", outcome],
];

/** Inside a run the same words go a second way. */
const alsoBetween = { TASK_HELP: "orchestrator architect", TEST_RESULTS: "tester orchestrator" };
const waysOf = (type: string): readonly string[] =>
  RoleName.options.flatMap((from) =>
    RoleName.options.flatMap((to) => (maySend(type, from, to) ? [`${from} ${to}`] : [])),
  );
const optional: ReadonlySet<string> = new Set(["onBehalfOf", "plan"]);
/** Each field of it missing, or something that no field takes. */
const spoilt = (payload: Message["payload"]): readonly Message["payload"][] =>
  Object.keys(payload).flatMap((field) => {
    const { [field]: value, ...rest } = payload;
    const wrong = { ...rest, [field]: Array.isArray(value) ? [-1.5] : -1.5 };
    return optional.has(field) ? [wrong] : [wrong, rest];
  });

it.each(rows.map(([id, type, from, to, payload]) => ({ id, type, from, to, payload })))(
  "$type goes from $from to $to and nowhere else, with its payload and no other [$id]",
  async ({ type, from, to, payload }) => {
    const { guide, recorded, terms } = guideWorld();
    const router = guide.open(sessionA);
    router.register(to, () => Promise.reject(new Error("delivered")));
    const ask = askAnything(router);
    await expect(ask(from, to, type, payload, terms)).rejects.toThrow("delivered");
    expect(recorded).toMatchObject([{ type, from, to, payload, session: sessionA }]);
    await expect(ask(to, from, type, payload, terms)).rejects.toThrow(`${to} may not send ${type} to ${from}`);
    for (const wrong of [{ ...payload, more: 1 }, ...spoilt(payload)])
      await expect(ask(from, to, type, wrong, terms), JSON.stringify(wrong)).rejects.toThrow(`payload of ${type}`);
    const listed = rows.filter((row) => row[1] === type).map((row) => `${row[2]} ${row[3]}`);
    expect(waysOf(type).toSorted()).toEqual(
      [...listed, ...(type in alsoBetween ? [alsoBetween[type as keyof typeof alsoBetween]] : [])].sort(),
    );
    expect(recorded).toHaveLength(1);
  },
);

const envelope = {
  id: "msg_0000000000000000000001",
  correlationId: "msg_0000000000000000000001",
  from: "user",
  to: "architect",
  type: "ACK",
  payload: {},
  priority: 50,
  at: 1,
  attempt: 1,
  maxAttempts: 1,
  status: "queued",
  metadata: {},
};

it("a priority is a whole number from 0 to 100", () => {
  const taken = (priority: number) => Message.safeParse({ ...envelope, session: sessionA, priority }).success;
  expect([-1, 0, 1.5, 100, 101].map(taken)).toEqual([false, true, false, true, false]);
});

it("has all types in one registry, each with a payload and its ways; a message without a session is none [MSG-0]", () => {
  const added =
    "USER_INPUT USER_RESPONSE SESSION_CREATE SESSION_SWITCH SESSION_SUSPEND SESSION_RESUME SESSION_COMPLETE RESEARCH_REQUEST RESEARCH_RESPONSE CONTEXT_REQUEST CONTEXT_RESPONSE TOOLS_REQUEST TOOLS_RESPONSE HISTORY_REQUEST HISTORY_RESPONSE STORE_REQUEST PLAN_REQUEST PLAN_RESPONSE PLAN_APPROVED PLAN_MODIFIED REROUTE_REQUEST ACK";
  const listed = new Set([...rows.map(([, type]) => type), ...added.split(" ")]);
  expect(new Set(Object.keys(messageTypes))).toEqual(listed);
  for (const type of listed) {
    const { payload, ways } = messageTerms(type)!;
    expect([payload.safeParse("nothing").success, ways.length > 0], type).toEqual([false, true]);
  }
  expect([messageTerms("toString"), maySend("NO_SUCH", "user", "architect")]).toEqual([undefined, false]);
  expect(Message.safeParse({ ...envelope, session: sessionA }).success).toBe(true);
  expect(Message.safeParse({ ...envelope }).success).toBe(false);
  const states = ["queued", "processing", "completed", "failed", "expired", "cancelled"];
  for (const status of [...states, "lost"])
    expect([status, Message.safeParse({ ...envelope, session: sessionA, status }).success]).toEqual([
      status,
      states.includes(status),
    ]);
});

it("names for every request an answer that each receiver may give back to each sender", () => {
  const answering = Object.keys(messageTypes).filter((type) => messageTerms(type)!.answers !== undefined);
  for (const type of answering)
    for (const way of waysOf(type)) {
      const [from, to] = way.split(" ") as [RoleName, RoleName];
      const answers = messageTerms(type)!.answers!.filter((answer) => maySend(answer, to, from));
      expect(answers, `${type} ${way}`).not.toEqual([]);
      expect(answers.every((answer) => mayAnswer(answer, type))).toBe(true);
    }
  expect([mayAnswer("ACK", "CONTEXT_REQUEST"), mayAnswer("ACK", "NO_SUCH")]).toEqual([false, false]);
});

describe("Engineers", () => {
  it("are out of a person's reach: no type goes from the user to them or from them to the user [GUIDE-25]", () => {
    for (const type of Object.keys(messageTypes))
      expect([maySend(type, "user", "engineer"), maySend(type, "engineer", "user")], type).toEqual([false, false]);
  });

  it("bring their questions to the user through Orchestrator and Architect, and the answer back [GUIDE-25]", async () => {
    const { guide, recorded, terms } = guideWorld();
    const router = guide.open(sessionA);
    const help = { node: NodeId.parse(node.id), question: "which currency?" };
    router.register(
      "orchestrator",
      answerMessages({
        TASK_HELP: (parent, signal) =>
          router.ask("orchestrator", "architect", "TASK_HELP", parent.payload, { ...terms, parent, signal }),
      }),
    );
    router.register(
      "architect",
      answerMessages({
        async TASK_HELP(parent, signal) {
          const asked = { ...terms, parent, signal };
          const question = { question: parent.payload.question, onBehalfOf: "engineer" } as const;
          const { payload } = await router.ask("architect", "user", "CLARIFICATION_REQUEST", question, asked);
          return { type: "ACK", payload: { answer: payload.answer } };
        },
      }),
    );
    router.register("user", async () => ({ type: "CLARIFICATION_RESPONSE", payload: { answer: "euro" } }));
    router.register(standardCards.librarian, echo("librarian"));
    const answer = await router.ask("engineer", "orchestrator", "TASK_HELP", help, terms);
    expect(answer.payload).toEqual({ answer: "euro" });
    expect(recorded.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      "engineer > orchestrator",
      "orchestrator > architect",
      "architect > user",
      "user > architect",
      "architect > orchestrator",
      "orchestrator > engineer",
    ]);
    expect(names(router.agents().filter(({ constraints }) => constraints?.internal !== true))).toEqual(["librarian"]);
  });
});
