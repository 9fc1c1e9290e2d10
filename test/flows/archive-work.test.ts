/** All work that ends is in the archive: runs and graphs, well or badly, with their outcome, times, corrections and definition. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OutputOf } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { correction, edit, finish, plan, type Turn, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, shopEnv } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const priceTest = `
import assert from "node:assert/strict";
import { test } from "node:test";
import { double } from "../src/price.ts";
test("a price is doubled", () => assert.equal(double(2), 4));
`;
const corrected: readonly Turn[] = [
  ...correction("a price is doubled", edit("src/price.ts", "cents + 1", "cents * 2"), finish("now doubled")),
  plan([{ key: "price" }]),
  ...work(
    "price",
    [
      write("src/price.ts", "export function double(cents: number): number {\n  return cents + 1;\n}\n"),
      write("test/price.test.ts", priceTest),
    ],
    finish(),
  ),
];

it(
  "runs and graphs that succeed, fail or are cancelled; recording them calls no model [COMMON-9, ARCV-12]",
  { timeout: 120_000 },
  async () => {
    const shop = makeQuickShop(daemon);
    const good = await shop.run(corrected, {
      request: "Double the prices",
      args: ["--test-command", "node --test test/*.test.ts"],
    });
    const failed = await shop.run([{ when: { tool: "propose_plan" }, reply: [{ text: "no" }] }], {
      request: "Do magic",
    });
    const waiting = await shop.run(goodChange(), { request: "Never mind", approve: false });
    await shop.sylk("approve", waiting.run.id, "--reject");
    shop.commit({
      "ship.yaml": "name: ship\nnodes:\n  build: { run: 'true' }\n",
      "sink.yaml": "name: sink\nnodes:\n  build: { run: 'false' }\n",
      "gate.yaml": "name: gate\nnodes:\n  first: { run: 'true', approve: true }\n",
    });
    for (const file of ["ship.yaml", "sink.yaml"]) await shop.sylk("dag", "run", file);
    const detached = await shop.sylk("dag", "run", "gate.yaml", "--detach", "--json");
    const { id } = jsonOf<OutputOf<"dag.run">>(detached).dag;
    expect((await shop.sylk("dag", "cancel", id)).code).toBe(0);

    const words = ["history", "--category", "workflow", "--all-sessions", "--json"];
    const { items } = jsonOf<OutputOf<"history.list">>(await shop.sylk(...words));
    expect(items.map(({ title, content }) => [title, content.status, content.corrections])).toEqual([
      ["gate", "cancelled", 0],
      ["sink", "failed", 0],
      ["ship", "succeeded", 0],
      ["Never mind", "cancelled", 0],
      ["Do magic", "failed", 0],
      ["Double the prices", "verified", 1],
    ]);
    const run = items.at(-1)!;
    expect([run.id, run.session]).toEqual([good.run.id, good.run.session]);
    expect(run.content).toMatchObject({
      startedAt: good.run.createdAt,
      plan: { summary: "A small plan." },
      nodes: [
        { title: "Node price", state: "succeeded", round: 0, attempt: 1 },
        { title: "Correct one finding of tester", state: "succeeded", round: 1, result: { summary: "now doubled" } },
      ],
      findings: [{ by: "tester", category: "tests" }],
      cost: good.run.cost,
    });
    expect(Number(run.content.durationMs)).toBe(Number(run.content.endedAt) - Number(run.content.startedAt));
    expect(items.find(({ title }) => title === "Do magic")!.content.reason).toContain("the model proposed no plan");
    expect(items.find(({ title }) => title === "Never mind")!.content.reason).toBe("the plan was rejected");
    // A plan, two turns of the engineer and two of its correction.
    expect([good.run.cost.calls, failed.run.cost.calls]).toEqual([5, 1]);
  },
);
