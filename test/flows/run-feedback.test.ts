/** A plan that waits is made again with a word of feedback; a run that has ended is continued with it, on its own branch. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LogEvent, Run } from "../../src/contract/index.ts";
import { endedRun, goodChange, makeQuickShop, patience, type Shop, shopEnv, workOf } from "./scratch-shop.ts";
import { jsonOf } from "./run-sylk.ts";
import { finish, type Part, plan, type Turn, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const feedback = "also handle negative numbers";
/** A plan that only a model makes that was told all of this. */
const planFor = (key: string, ...mentions: readonly string[]): Turn => ({
  ...plan([{ key }]),
  when: { tool: "propose_plan", mentions },
});
const failingTest = `import { test } from "node:test";
import { existsSync } from "node:fs";
test("negative prices", () => { if (!existsSync("src/negative.ts")) throw new Error("no negatives"); });
`;

const give = async (shop: Shop, id: string, ...more: readonly string[]) =>
  endedRun(await shop.sylk("run", "feedback", id, feedback, "--json", ...more));
const negative: Part = write("src/negative.ts", "export const negative = -1;\n");

describe.concurrent("feedback", { timeout: 180_000 }, () => {
  it("plans again with the earlier plan and its evidence, asks, and ends verified on the same branch [RUN-14]", async () => {
    const shop = makeQuickShop(daemon, { "test/format.test.ts": failingTest });
    const told = [
      feedback,
      "A small plan.",
      "Node price: succeeded",
      "added src/price.ts",
      "negative prices",
      "Result: ",
    ];
    const turns = [
      planFor("negative", ...told),
      plan([{ key: "price" }]),
      ...work("negative", negative, finish()),
      ...work("price", write("src/price.ts", "export const price = 1;\n"), finish()),
      // The corrections of the first plan change nothing, so its findings stay the same.
      { when: { tool: "finish", mentions: "The checks rejected the change", turn: 0 }, reply: [finish()] },
    ];
    const first = await shop.run(turns, { args: ["--test-command", "node --test test/format.test.ts"] });
    expect([first.run.status, first.run.checks.at(-1)?.outcome]).toEqual(["unverified", "fail"]);
    const { id, workspace } = first.run;

    const asked = await give(shop, id);
    expect([asked.code, asked.run.status, asked.run.workspace]).toEqual([0, "awaiting_approval", workspace]);
    const second = asked.run.nodes.filter(({ kind }) => kind === "plan")[1]!;
    expect([second.prompt, second.round > first.run.nodes.at(-2)!.round]).toEqual([feedback, true]);
    const done = await shop.sylk("approve", id);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("verified")]);
    expect(done.stdout, "the work of the feedback is no correction").not.toContain("fix Node negative");
    const { run } = jsonOf<{ run: Run }>(await shop.sylk("run", "show", id, "--json"));
    expect([run.status, run.plan?.nodes.map(({ title }) => title)]).toEqual(["verified", ["Node negative"]]);
    expect(workOf(run).map(({ title }) => title)).toContain("Node price");
    const changed = shop.git("diff", "--name-only", "main", workspace!.branch).split("\n");
    expect(changed).toEqual(["src/negative.ts", "src/price.ts"]);
    const { items } = await daemon.clientOf({ project: shop.repository }).call("event.list", { limit: 1000 });
    const statuses = items.filter((event: LogEvent) => event.type === "run.status-changed" && event.subject === id);
    expect(statuses.map(({ data }) => data.to).filter((to) => to !== "running")).toEqual([
      "unverified",
      "planning",
      "awaiting_approval",
      "verified",
    ]);
  });

  it("continues a verified run, a failed one and a rejected plan; a merged, discarded or cancelled run is refused [RUN-14]", async () => {
    const shop = makeQuickShop(daemon);
    const more = [planFor("negative", feedback), ...work("negative", negative, finish())];
    const verified = (await shop.run([...more, ...goodChange()])).run;
    const again = await give(shop, verified.id, "--yes");
    expect([again.run.status, again.run.nodes.some(({ kind }) => kind === "approval")]).toEqual(["verified", false]);
    expect(again.run.commit).not.toBe(verified.commit);

    const failed = (await shop.run([...more, { when: { tool: "propose_plan" }, reply: [{ text: "Which shop?" }] }]))
      .run;
    expect([failed.status, failed.reason]).toEqual(["failed", "the model proposed no plan. It said: Which shop?"]);
    expect((await give(shop, failed.id, "--yes")).run.status).toBe("verified");

    const asked = (await shop.run([...more, ...goodChange()], { approve: false })).run;
    expect((await shop.sylk("approve", asked.id, "--reject")).code).toBe(0);
    expect((await give(shop, asked.id, "--yes")).run.status).toBe("verified");

    expect((await shop.sylk("merge", verified.id)).code).toBe(0);
    expect((await shop.sylk("discard", failed.id)).code).toBe(0);
    const waiting = (await shop.run(goodChange(), { approve: false })).run;
    expect((await shop.sylk("run", "cancel", waiting.id)).code).toBe(0);
    for (const { id } of [verified, failed, waiting]) {
      const refused = await shop.sylk("run", "feedback", id, feedback);
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringMatching(/was (merged|discarded)|is cancelled/)]);
    }
  });

  it("on a plan that waits makes it again, edits of the user included, and withdraws the question about the first one [RUN-14]", async () => {
    const shop = makeQuickShop(daemon);
    const told = [feedback, "None of its work was done", "A small plan.", "Node price", "Round up."];
    const turns = [
      planFor("negative", ...told),
      plan([{ key: "price" }]),
      ...work("negative", negative, finish()),
      ...work("price", write("src/price.ts", "export const price = 1;\n"), finish()),
    ];
    const first = (await shop.run(turns, { approve: false })).run;
    const [price] = workOf(first);
    const client = daemon.clientOf({ project: shop.repository });
    const edited = { title: price!.title, prompt: `${price!.prompt} Round up.` };
    await client.call("run.adjust", { id: first.id, nodes: { [price!.id]: edited }, expectedVersion: first.version });

    const again = await give(shop, first.id);
    expect([again.code, again.run.status, workOf(again.run).map(({ title }) => title)]).toEqual([
      0,
      "awaiting_approval",
      ["Node negative"],
    ]);
    const { items } = await client.call("approval.list", { run: first.id });
    expect(items.map(({ details: [title], status }) => `${title} ${status}`)).toEqual([
      "Node price expired",
      "Node price expired",
      "Node negative waiting",
    ]);
    const done = await shop.sylk("approve", first.id);
    expect([done.code, done.stdout]).toEqual([0, expect.stringMatching(/✔ Node negative[\s\S]*\nverified\n/)]);
    const { run } = await client.call("run.get", { id: first.id });
    expect(shop.git("diff", "--name-only", "main", run.workspace!.branch)).toBe("src/negative.ts");
    const log = await client.call("event.list", { limit: 1000 });
    const statuses = log.items.filter((event) => event.type === "run.status-changed" && event.subject === first.id);
    expect(statuses.map(({ data }) => data.to).filter((to) => to !== "running")).toEqual([
      "awaiting_approval",
      "awaiting_approval", // the edited plan
      "planning",
      "awaiting_approval",
      "verified",
    ]);
  });

  it("is refused while work is under way or paused, with what to type instead [RUN-14]", async () => {
    const shop = makeQuickShop(daemon);
    const slow = { reply: [write("src/price.ts", "export const price = 1;\n")], fault: { delayMs: 60_000 } };
    const running = shop.start([plan([{ key: "price" }]), ...work("price", slow, finish())]);
    const isAtWork = (): boolean => /"title":"Node price","from":"queued","to":"running"/.test(running.output());
    await until("the node runs", isAtWork, patience);
    const id = /run_\w+/.exec(running.output())![0];
    const early = await shop.sylk("run", "feedback", id, feedback);
    expect([early.code, early.stderr]).toEqual([4, expect.stringContaining(`"sylk run adjust ${id} <file>"`)]);
    expect((await shop.sylk("run", "pause", id, "--abort")).code).toBe(0);
    const paused = await shop.sylk("run", "feedback", id, feedback);
    expect([paused.code, paused.stderr]).toEqual([4, expect.stringContaining(`"sylk run resume ${id}"`)]);
    expect((await shop.sylk("run", "cancel", id)).code).toBe(0);
    await running.ended;
  });

  it("of an agent is never approved in advance [RUN-14]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange());
    const { client } = await daemon.register("critic", { project: shop.repository });
    await expect(client.call("run.feedback", { id: run.id, text: feedback, approve: true })).rejects.toMatchObject({
      code: "caller.denied",
    });
  });
});
