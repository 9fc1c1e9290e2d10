/** Questions of Engineers in a real run: answered by the Architect, or by the user, who may take their time. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { InboxItem, Run, RunId } from "../../src/contract/index.ts";
import type { SylkClient } from "../../src/surfaces/client/index.ts";
import { type Part, plan, finish, type Turn, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { endedRun, makeQuickShop, messagesOf, nodeOf, patience, shopEnv } from "./scratch-shop.ts";
import { until, within } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv, commands: "as processes" });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const help = (question: string): Part => ({ tool: "request_help", input: { question } });
const routeTo = (target: string, message: string): Part => ({ tool: "route_to", input: { target, message } });
const architect = (question: string, reply: Part): Turn => ({
  when: { tool: "answer_engineer", mentions: `The engineer asks: ${question}` },
  reply: [reply],
});
/** The attempt that knows what was answered; before the first one, whose words it repeats. */
const answered = (key: string, answer: string, ...steps: readonly Part[]): readonly Turn[] =>
  steps.map((part, turn) => ({
    when: { tool: "finish", mentions: [`Do the work named "${key}" here.`, `Answer: ${answer}`], turn },
    reply: [part],
  }));

async function question(run: RunId, user: SylkClient): Promise<InboxItem> {
  return until(
    "somebody is asked",
    async () => {
      const { items } = await user.call("approval.list", { run });
      return items.find(({ kind, status }) => kind === "question" && status === "waiting");
    },
    patience,
  );
}

it("an Engineer's question goes through Orchestrator and Architect to the user, holds no slot, outlives the daemon, and the answer comes back [GUIDE-25, MSG-7, MSG-8, MSG-9]", async () => {
  const shop = makeQuickShop(daemon);
  const user = daemon.clientOf({ project: shop.repository });
  const running = shop.start([
    plan([{ key: "price" }, { key: "tax" }]),
    architect("Which rate?", { tool: "answer_engineer", input: { answer: "16 percent" } }),
    architect("Which rounding?", { tool: "answer_engineer", input: { answer: "half up" } }),
    architect("Which currency?", {
      tool: "clarify",
      input: { question: "Which currency do your customers pay in?", options: ["euro", "dollar"] },
    }),
    ...answered("price", "euro", write("src/price.ts", 'export const price = "1 euro";\n'), finish()),
    ...work("price", write("src/begun.ts", "export const begun = 1;\n"), help("Which currency?")),
    ...work(
      "tax",
      help("Which rate?"),
      { expect: { toolResult: "16 percent" }, reply: [routeTo("architect", "Which rounding?")] },
      { expect: { toolResult: "half up" }, reply: [routeTo("archivalist", "Zanzibar")] },
      { expect: { toolResult: '"entries":\\[\\]' }, reply: [write("src/tax.ts", "export const tax = 0.16;\n")] },
      finish(),
    ),
  ]);
  const { id } = await until(
    "the run is there",
    async () => (await user.call("run.list", {})).items.find(({ request }) => request === "Change the shop"),
    patience,
  );
  const asked = await question(id, user);
  expect(asked).toMatchObject({
    question: "Which currency do your customers pay in? (euro | dollar)",
    details: ["asked while working on: Node price"],
  });
  const waiting = await until(
    "the other branch is done",
    async () => {
      const { run } = await user.call("run.get", { id });
      return nodeOf(run, "Node tax").state === "succeeded" ? run : undefined;
    },
    patience,
  );
  expect(nodeOf(waiting, "Node price")).toMatchObject({ id: asked.node, state: "blocked", question: asked.question });
  const { pool } = await user.call("session.stats", {});
  expect([pool.running, pool.waiting]).toEqual([0, 0]);
  expect((await shop.sylk("run", "show", id)).stdout).toContain(asked.question);
  expect((await shop.sylk("approvals")).stdout).toContain(`sylk answer ${asked.id}`);

  await daemon.kill();
  // The command that follows the run may have started the next daemon already.
  const restarted = await daemon.restart().then(() => "by the test", String);
  expect(restarted).toMatch(/by the test|daemon\.already-running/);
  const unfit = await shop.sylk("approve", id);
  expect([unfit.code, unfit.stderr]).toEqual([2, expect.stringContaining(`sylk answer ${asked.id}`)]);
  const decided = await shop.sylk("approve", id, "--answer", "euro");
  expect([decided.code, decided.stdout.trim()]).toEqual([
    0,
    expect.stringMatching(/^question answered, for engineer.* only$/),
  ]);

  const { run, events } = endedRun(await within("the run ends", running.ended, patience));
  expect([run.status, run.reason]).toEqual(["verified", undefined]);
  expect(shop.git("show", `${run.workspace!.branch}:src/price.ts`)).toBe('export const price = "1 euro";');
  expect(shop.git("show", `${run.workspace!.branch}:src/begun.ts`), "what it wrote before it asked").toContain("begun");
  expect(await approvalsOf(run, user)).toEqual([["question", "answered", "euro"]]);
  const ways = messagesOf(events)
    .filter(({ payload, type }) => /HELP|ACK|CLARIFICATION/.test(type) && JSON.stringify(payload).includes("currency"))
    .map(({ type, from, to }) => `${type} ${from} > ${to}`);
  expect(new Set(ways)).toEqual(
    new Set([
      "TASK_HELP engineer > orchestrator",
      "TASK_HELP orchestrator > architect",
      "ACK architect > orchestrator",
      "ACK orchestrator > engineer",
      "CLARIFICATION_REQUEST architect > user",
    ]),
  );
  expect(messagesOf(events)).toContainEqual(
    expect.objectContaining({
      type: "CLARIFICATION_RESPONSE",
      from: "user",
      to: "architect",
      payload: { answer: "euro" },
    }),
  );
});

async function approvalsOf({ id }: Run, user: SylkClient): Promise<readonly unknown[]> {
  const { items } = await user.call("approval.list", { run: id });
  return items.map(({ kind, status, answer }) => [kind, status, answer]);
}
