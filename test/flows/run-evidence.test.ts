/** The evidence gate at work: what may be called verified, and what only after a person has looked. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { correction, edit, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, makeShop, shopEnv, type Shop } from "./scratch-shop.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const price = write("src/price.ts", "export const price = 1;\n");

describe.concurrent("a change that touches what its checks rely on", { timeout: 180_000 }, () => {
  it("such as the test script stays unverified until a person approves, then it is judged again and verified [RUN-6]", async () => {
    const shop = makeShop(daemon);
    const always = `node -e \\"console.log('# pass 9')\\"`;
    const { code, run } = await shop.run([
      plan([{ key: "price" }]),
      ...work("price", [price, edit("package.json", "node --test test/*.test.ts", always)], finish()),
    ]);
    expect([code, run.status, run.reason]).toEqual([5, "unverified", "the change touches what its checks rely on"]);
    // The command is the base commit's, whatever the model has made of package.json since.
    expect(run.checks.find(({ kind }) => kind === "tests")).toMatchObject({
      command: ["npm", "run", "--silent", "test"],
      source: 'script "test" of package.json at the base commit',
    });
    const refused = await shop.sylk("merge", run.id);
    expect([refused.code, refused.stderr]).toEqual([
      4,
      expect.stringContaining("is unverified, so it cannot be merged"),
    ]);
    expect((await shop.sylk("approvals")).stdout).toContain("modified package.json");
    const approved = await shop.sylk("approve", run.id);
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining("verified")]);
    const after = await runOf(shop, run.id);
    expect([after.status, after.checks.length]).toEqual(["verified", 2]);
  });

  it("such as an existing test stays unverified when that is rejected [RUN-6]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run([
      plan([{ key: "price" }]),
      ...work("price", [price, edit("test/format.test.ts", '"19.99"', "formatPrice(1999)")], finish()),
    ]);
    expect([run.status, run.reason]).toEqual(["unverified", "the change touches what its checks rely on"]);
    expect((await shop.sylk("approve", run.id, "--reject")).code).toBe(0);
    expect((await runOf(shop, run.id)).status).toBe("unverified");
    expect((await shop.sylk("approve", run.id)).stderr).toContain("does not wait for a decision");
  });

  it("and that is edited after it was asked about is not verified by that approval [RUN-6]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run([
      plan([{ key: "price" }]),
      ...work("price", [price, edit("test/format.test.ts", '"19.99"', "formatPrice(1999)")], finish()),
    ]);
    expect([run.status, run.checks.at(-1)?.outcome]).toEqual(["unverified", "pass"]);
    writeFileSync(join(run.workspace!.tree, "src/price.ts"), "export const price = 2;\n");
    const approved = await shop.sylk("approve", run.id);
    expect([approved.code, approved.stdout]).toEqual([
      5,
      expect.stringContaining("the change was edited after its tests"),
    ]);
    expect((await runOf(shop, run.id)).status).toBe("unverified");
  });
});

describe.concurrent("evidence", { timeout: 180_000 }, () => {
  it("older than the last edit does not count: a test run that writes into the tree leaves it unverified [RUN-6]", async () => {
    const writer = `import { appendFileSync } from "node:fs";\nimport { test } from "node:test";\ntest("writes", () => appendFileSync("src/cart.ts", "// again\\n"));\n`;
    const shop = makeQuickShop(daemon, { "test/format.test.ts": writer });
    const { code, run } = await shop.run(goodChange());
    expect([code, run.status, run.reason]).toEqual([5, "unverified", "the change was edited after its tests"]);
    expect(run.checks.at(-1)).toMatchObject({ kind: "tests", outcome: "pass" });
  });

  it("comes from no command of the model's: a test script it adds is not run, and the change not verified [RUN-6, RUN-11]", async () => {
    const shop = makeShop(daemon, { "package.json": '{ "name": "shop", "type": "module" }\n' });
    const { code, run } = await shop.run([
      plan([{ key: "price" }]),
      ...work("price", [price, write("package.json", '{ "scripts": { "test": "echo 1 passing" } }\n')], finish()),
    ]);
    expect([code, run.status]).toEqual([5, "unverified"]);
    expect(run.reason).toContain("the tests were not run: no tests were found; name the command in .sylk/config.yaml");
    expect(run.checks.map(({ kind, outcome, command }) => [kind, outcome, command])).toEqual([
      ["inspection", "not-run", undefined],
      ["tests", "not-run", undefined],
    ]);
    expect((await shop.sylk("approve", run.id)).stderr).toContain("does not wait for a decision");
  });

  it("is never made of an exit code alone: failures behind a zero and a run without tests are not green [RUN-6, RUN-11]", async () => {
    const shop = makeShop(daemon, {
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test test/bad.test.ts || true" } }),
      "test/bad.test.ts": 'import { test } from "node:test";\ntest("fails", () => { throw new Error("no"); });\n',
    });
    const hidden = await shop.run([...correction("no", price, finish()), ...goodChange()]);
    expect([hidden.run.status, hidden.run.reason]).toEqual(["unverified", "tests: 1 of 1 test failed"]);
    const empty = makeShop(daemon, { "package.json": JSON.stringify({ scripts: { test: "true" } }) });
    const { run } = await empty.run(goodChange());
    expect([run.status, run.checks.at(-1)?.outcome]).toEqual(["unverified", "no-tests"]);
  });

  it("needs no linter: where none is configured the inspection is not run, and the tests decide [RUN-11]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    expect([run.status, run.checks[0]?.outcome, run.checks[1]?.outcome]).toEqual(["verified", "not-run", "pass"]);
    expect(run.checks[1]).toMatchObject({ source: "given by the user" });
  });

  it("is needed for a change: a run that changes nothing is not verified [RUN-6]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run([plan([{ key: "idle" }]), ...work("idle", finish("nothing to do"))]);
    expect([run.status, run.reason]).toEqual(["unverified", "nothing was changed"]);
  });
});

async function runOf(shop: Shop, id: string): Promise<Run> {
  return jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json")).run;
}
