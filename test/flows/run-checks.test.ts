/** A project's own checks: which command judges, what it says when it is red, and what it leaves behind. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Check, Run } from "../../src/contract/index.ts";
import { correction, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, makeShop, shopEnv } from "./scratch-shop.ts";
import { jsonOf } from "./run-sylk.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const price = write("src/price.ts", "export const price = 1;\n");
const settings = (checks: object) => JSON.stringify({ checks });
const failing = `import { test } from "node:test";
import assert from "node:assert";
import { existsSync } from "node:fs";
test("prices are whole numbers", () => assert.ok(existsSync("src/whole.ts"), "1.5 is not whole"));
test("prices exist", () => {});
`;

describe.concurrent("a check that fails", { timeout: 180_000 }, () => {
  it("names the failing test with its output in the tree, in run show, in JSON and in its event [RUN-14]", async () => {
    const shop = makeQuickShop(daemon, { "test/format.test.ts": failing });
    const turns = [
      plan([{ key: "price" }]),
      ...correction("prices are whole numbers", write("src/other.ts", "export const other = 1;\n"), finish()),
      ...work("price", price, finish()),
    ];
    const testCommand = ["--test-command", "node --test test/format.test.ts"];
    const { code, stdout } = await shop.sylk(
      "run",
      "Change the shop",
      "--rehearse",
      shop.scenario(turns),
      "--yes",
      ...testCommand,
    );
    expect(code).toBe(5);
    const told = ["✘ prices are whole numbers  test/format.test.ts:4", "1.5 is not whole"];
    for (const words of told) expect(stdout).toContain(words);
    expect(stdout, "the tests that passed are not told").not.toContain("prices exist");
    const id = /run_\w+/.exec(stdout)![0];
    for (const words of told) expect((await shop.sylk("run", "show", id)).stdout).toContain(words);
    const { run } = jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json"));
    const failure = {
      name: "prices are whole numbers",
      file: "test/format.test.ts",
      line: 4,
      output: expect.stringContaining("1.5 is not whole"),
    };
    const tests = run.checks.filter(({ kind }) => kind === "tests");
    expect(tests.map(({ outcome, failures }) => [outcome, failures])).toEqual([
      ["fail", [failure]],
      ["fail", [failure]],
    ]);
    const { items } = await daemon.clientOf({ project: shop.repository }).call("event.list", { limit: 1000 });
    const events = items.filter(({ type, data }) => type === "run.checked" && data.run === id);
    expect(events.map(({ data }) => (data.check as Check).failures).filter(Boolean)).toEqual([[failure], [failure]]);
  });
});

describe.concurrent("the command of a check", { timeout: 180_000 }, () => {
  it("is checks.test of the settings at the base commit; a run that writes others is judged by the old ones [RUN-6]", async () => {
    const shop = makeShop(daemon, { ".sylk/config.yaml": settings({ test: "node test/format.test.ts | cat" }) });
    const { run } = await shop.run([
      plan([{ key: "price" }]),
      ...work("price", [price, write(".sylk/config.yaml", settings({ test: "echo 1 passing" }))], finish()),
    ]);
    expect(run.checks.at(-1)).toMatchObject({
      outcome: "pass",
      command: ["sh", "-c", "node test/format.test.ts | cat"],
      source: "checks.test of .sylk/config.yaml at the base commit",
    });
    expect([run.status, run.reason]).toEqual(["unverified", "the change touches what its checks rely on"]);
  });

  it("that config set wrote counts once it is committed, and config set says so with the command to type [RUN-6]", async () => {
    const shop = makeShop(daemon, { "package.json": "{}\n" });
    const planned = async (): Promise<readonly string[]> => {
      const { run } = await shop.run(goodChange(), { approve: false });
      await shop.sylk("run", "cancel", run.id);
      return run.plan!.checks!.map(({ source }) => source);
    };
    const set = await shop.sylk("-C", "src", "config", "set", "checks.test", "node test/format.test.ts", "--project");
    const [, add] = /so commit it: (git add \S+) && git commit$/m.exec(set.stderr)!;
    expect([set.code, add, await planned()]).toEqual([0, "git add ../.sylk/config.yaml", []]);
    shop.git("-C", "src", ...add!.split(" ").slice(1));
    shop.git("commit", "--quiet", "--message", "Checks");
    expect(await planned()).toEqual(["checks.test of .sylk/config.yaml at the base commit"]);
  });

  it("that no file names is said with the lines to add; one that is not installed is not a red test [RUN-11]", async () => {
    const bare = makeShop(daemon, { "package.json": "{}\n" });
    const nothing = (await bare.run(goodChange())).run;
    expect(nothing.checks.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('.sylk/config.yaml and commit it: checks.lint: "<command>"'),
      expect.stringContaining('.sylk/config.yaml and commit it: checks.test: "<command>"'),
    ]);
    const shop = makeShop(daemon, {
      "package.json": JSON.stringify({ scripts: { test: "no-such-runner --all" } }),
      ".sylk/config.yaml": settings({ lint: "no-such-linter ." }),
    });
    const { run } = await shop.run(goodChange());
    expect(run.checks.map(({ kind, outcome, summary }) => [kind, outcome, summary])).toEqual([
      ["inspection", "not-run", "command not found: no-such-linter"],
      ["tests", "not-run", "command not found: no-such-runner"],
    ]);
    expect([run.status, run.reason]).toEqual([
      "unverified",
      "the tests were not run: command not found: no-such-runner",
    ]);
    const given = await shop.run(goodChange(), { args: ["--test-command", "no-such-program -q"] });
    expect(given.run.checks.at(-1)).toMatchObject({ summary: "command not found: no-such-program" });
  });

  it("may write what it likes: its files are no part of the change, those of engineers are [RUN-6]", async () => {
    const writer = `import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
test("writes", () => { mkdirSync("coverage", { recursive: true }); writeFileSync("coverage/report.json", String(Date.now())); });
`;
    const shop = makeQuickShop(daemon, { "test/format.test.ts": writer });
    const { run } = await shop.run(goodChange());
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
    expect(existsSync(join(run.workspace!.tree, "coverage/report.json"))).toBe(true);
    expect(shop.git("diff", "--name-only", "main", run.workspace!.branch)).toBe("src/price.ts");
  });
});
