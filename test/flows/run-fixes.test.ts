/** Rejections by Inspector and Tester become a correction that is checked again, but not for ever. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { correction, edit, finish, plan, work, write, type Step } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { makeQuickShop, makeShop, messagesOf, shopEnv, workOf } from "./scratch-shop.ts";

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
const wrong: Step = [
  write("src/price.ts", "export function double(cents: number): number {\n  return cents + 1;\n}\n"),
  write("test/price.test.ts", priceTest),
];
/** The later option wins: all of the shop's tests instead of the quick ones. */
const allTests = ["--test-command", "node --test test/*.test.ts"];

describe.concurrent("a rejection", { timeout: 180_000 }, () => {
  it("by the Tester becomes a correction of round 1 that is checked again, with the evidence in its prompt [RUN-5]", async () => {
    const shop = makeQuickShop(daemon);
    const { run, events } = await shop.run(
      [
        ...correction("a price is doubled", edit("src/price.ts", "cents + 1", "cents * 2"), finish("now doubled")),
        plan([{ key: "price" }]),
        ...work("price", wrong, finish()),
      ],
      { args: allTests },
    );
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(workOf(run).map(({ round, title, state }) => [round, title, state])).toEqual([
      [0, "Node price", "succeeded"],
      [1, "Correct one finding of tester", "succeeded"],
    ]);
    expect(workOf(run)[1]?.prompt).toMatch(/a price is doubled[^]*3 !== 4/);
    const tests = run.checks.filter(({ kind }) => kind === "tests");
    expect(tests.map(({ round, outcome, failed }) => [round, outcome, failed])).toEqual([
      [0, "fail", 1],
      [1, "pass", 0],
    ]);
    expect(run.findings).toMatchObject([{ severity: "blocking", category: "tests", by: "tester" }]);
    const types = messagesOf(events).map(({ type }) => type);
    expect(types.filter((type) => type === "TEST_CORRECTIONS" || type === "TASK_DISPATCH")).toEqual([
      "TASK_DISPATCH",
      "TEST_CORRECTIONS",
      "TASK_DISPATCH",
    ]);
  });

  it("by Inspector and Tester together becomes one correction with the findings of both [RUN-5]", async () => {
    const shop = makeShop(daemon);
    const right = "export function double(cents: number): number {\n  return cents * 2;\n}\n";
    const { run } = await shop.run([
      ...correction("no-any", write("src/price.ts", right), finish("typed and doubled")),
      plan([{ key: "price" }]),
      ...work(
        "price",
        [
          write("src/price.ts", "export function double(cents: any): number {\n  return cents + 1;\n}\n"),
          write("test/price.test.ts", priceTest),
        ],
        finish(),
      ),
    ]);
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(workOf(run)[1]).toMatchObject({ round: 1, title: "Correct 2 findings of inspector and tester" });
    expect(workOf(run)[1]?.prompt).toContain("src/price.ts:1");
    expect(run.findings.map(({ by, files }) => [by, files])).toEqual([
      ["inspector", [{ path: "src/price.ts", line: 1 }]],
      ["tester", [{ path: "test/price.test.ts", line: 5 }]],
    ]);
  });

  it("that comes back the same ends the rounds: unverified, with what the tests said [RUN-5]", async () => {
    const shop = makeQuickShop(daemon);
    const { code, run } = await shop.run(
      [
        ...correction("a price is doubled", write("src/other.ts", "export const other = 1;\n"), finish("surely now")),
        plan([{ key: "price" }]),
        ...work("price", wrong, finish()),
      ],
      { args: allTests },
    );
    expect([code, run.status, run.reason]).toEqual([5, "unverified", "tests: 1 of 4 tests failed"]);
    expect(workOf(run).map(({ round }) => round)).toEqual([0, 1]);
    expect(run.commit).toBe(shop.git("rev-parse", run.workspace!.branch));
  });
});
