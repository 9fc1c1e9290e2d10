/** A run is a graph: single nodes are retried, skipped, answered and changed, as those of `sylk dag`, through every surface. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run, RunId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { command, finish, type Part, plan, read, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, nodeOf, patience, type Shop, shopEnv, workOf } from "./scratch-shop.ts";
import { until } from "./until.ts";
import { type WayIn, waysInto } from "./ways-in.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const kinds = ({ nodes }: Run) => nodes.map(({ kind, state }) => `${kind} ${state}`);

async function resting(id: RunId, shop: Shop): Promise<Run> {
  return until(
    "the run rests",
    async () => {
      const { run } = await daemon.clientOf({ project: shop.repository }).call("run.get", { id });
      return ["planning", "running"].includes(run.status) ? undefined : run;
    },
    patience,
  );
}

describe.concurrent("a node of a run", { timeout: 180_000 }, () => {
  it("that failed is retried by its title, with everything that was skipped because of it, to a verified run [RUN-12]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run([
      plan([{ key: "price" }, { key: "tax", dependsOn: ["price"] }]),
      ...work(
        "price",
        [write("src/started.ts", "export const started = 1;\n"), read("oven.txt")],
        { expect: { toolResult: "warm" }, reply: [write("src/price.ts", "export const price = 1;\n")] },
        finish(),
      ),
      ...work("tax", write("src/tax.ts", "export const tax = 1;\n"), finish()),
    ]);
    expect([run.status, run.reason]).toEqual(["failed", expect.stringContaining("a node failed: Node price: ")]);
    expect(kinds(run)).toEqual([
      "plan succeeded",
      "engineer failed",
      "engineer skipped",
      "check skipped",
      "check skipped",
      "judge skipped",
      "conclude succeeded",
    ]);
    writeFileSync(join(run.workspace!.tree, "oven.txt"), "warm");
    const retried = jsonOf<{ run: Run }>(await shop.sylk("run", "retry", run.id, "Node price", "--json")).run;
    expect(["running", "verified"]).toContain(retried.status);
    const done = await resting(run.id, shop);
    expect([done.status, kinds(done).filter((kind) => !kind.endsWith("succeeded"))]).toEqual(["verified", []]);
    expect(done.cost.calls, "what had succeeded was not planned again").toBeLessThan(run.cost.calls + 6);
    const unknown = await shop.sylk("run", "retry", run.id, "Node prise");
    expect([unknown.code, unknown.stderr]).toEqual([3, expect.stringContaining("did you mean Node price?")]);
  });
});

describe.concurrent("verbs of graphs on runs", { timeout: 180_000 }, () => {
  it.each<WayIn["name"]>(["CLI", "HTTP on TCP", "MCP"])(
    "pause, skip, resume, retry, answer and cancel work over %s [RUN-12]",
    async (name) => {
      const shop = makeQuickShop(daemon);
      await using ways = waysInto(daemon);
      const way = ways.all.find((candidate) => candidate.name === name)!;
      const project = shop.repository;
      const call = async (verb: string, input: object): Promise<Run> => {
        const { ok, body } = await way.call(`run.${verb}` as never, input as never, { project });
        expect(ok, `${verb}: ${JSON.stringify(body)}`).toBe(true);
        return (body as { run: Run }).run;
      };
      const { run } = await shop.run(goodChange(["price", "tax"]), { approve: false });
      const { id } = run;
      expect(kinds(run)[1]).toBe("approval blocked");
      expect((await call("pause", { id })).status).toBe("paused");
      const skipped = await call("skip", { id, node: "Node tax", treatAsDone: true, reason: "not today" });
      expect(nodeOf(skipped, "Node tax")).toMatchObject({ state: "skipped", cause: "not today" });
      await call("resume", { id });
      await call("answer", { id, decision: "approve" });
      const done = await resting(id, shop);
      expect([done.status, workOf(done).map(({ state }) => state)]).toEqual(["verified", ["succeeded", "skipped"]]);
      expect((await call("retry", { id, node: "conclude" })).id).toBe(id);
      const again = await resting(id, shop);
      expect([again.status, nodeOf(again, "Conclude").attempt]).toEqual([
        "verified",
        nodeOf(done, "Conclude").attempt + 1,
      ]);
      const second = (await shop.run(goodChange(), { approve: false })).run;
      expect((await call("cancel", { id: second.id })).status).toBe("cancelled");
    },
  );
});

describe.concurrent("what proves a run", { timeout: 180_000 }, () => {
  it("is skipped by the user only, and then the run is never verified [RUN-12]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange(), { approve: false });
    const { client: agent } = await daemon.register("skipper", { project: shop.repository });
    for (const node of ["approval", "inspection", "tests", "judge", "conclude"])
      await expect(agent.call("run.skip", { id: run.id, node })).rejects.toMatchObject({ code: "caller.denied" });
    await expect(agent.call("run.answer", { id: run.id, decision: "approve" } as never)).rejects.toMatchObject({
      code: "caller.denied",
    });
    expect((await shop.sylk("run", "skip", run.id, "tests", "--treat-as-done")).code).toBe(0);
    const approved = await shop.sylk("approve", run.id);
    expect([approved.code, approved.stdout]).toEqual([5, expect.stringContaining("skipped: Run the tests")]);
    expect((await resting(run.id, shop)).status).toBe("unverified");
  });

  it("asks again when the plan is changed, before it was approved and after it, also by an agent [RUN-12]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(
      [
        plan([{ key: "price" }, { key: "tax" }]),
        ...work("price", command("sh", "-c", "true"), write("src/price.ts", "export const price = 1;\n"), finish()),
        ...["docs", "more"].flatMap((key) =>
          work(key, write(`${key}.md`, key === "docs" ? "# Prices\n" : "# More\n"), finish()),
        ),
      ],
      { approve: false },
    );
    const user = daemon.clientOf({ project: shop.repository });
    const { client: agent } = await daemon.register("planner", { project: shop.repository });
    const docs = { title: "Node docs", prompt: 'Do the work named "docs" here.' };
    const changed = (
      await agent.call("run.adjust", { id: run.id, nodes: { docs }, remove: [nodeOf(run, "Node tax").id] })
    ).run;
    expect([changed.version, workOf(changed).map(({ title }) => title)]).toEqual([
      run.version + 1,
      ["Node price", "Node docs"],
    ]);
    const asked = await until("it asks again", async () => {
      const { items } = await agent.call("approval.list", { run: run.id });
      return items.find(({ status, details }) => status === "waiting" && details.includes("Node docs"));
    });
    expect(asked).toMatchObject({ kind: "plan", details: ["Node price", "Node docs"] });
    await expect(
      agent.call("run.adjust", { id: run.id, nodes: { docs }, expectedVersion: run.version }),
    ).rejects.toMatchObject({ code: "dag.stale" });
    await user.call("approval.decide", { id: asked.id, decision: "approve" });
    const waitsFor = (kind: string) =>
      until(
        `a ${kind} waits`,
        async () => {
          const { items } = await user.call("approval.list", { run: run.id });
          return items.find((approval) => approval.kind === kind && approval.status === "waiting");
        },
        patience,
      );
    const asking = await waitsFor("command");
    const more = { title: "Node more", prompt: 'Do the work named "more" here.' };
    await agent.call("run.adjust", { id: run.id, nodes: { more } });
    const changedPlan = await waitsFor("plan");
    expect(changedPlan.question).toBe("Carry out the changed plan? A small plan.");
    await user.call("approval.decide", { id: asking.id, decision: "approve" });
    const waiting = await until(
      "the rest is done",
      async () => {
        const { run: now } = await user.call("run.get", { id: run.id });
        return nodeOf(now, "Node price").state === "succeeded" && nodeOf(now, "Node docs").state === "succeeded" && now;
      },
      patience,
    );
    expect(waiting.status).toBe("awaiting_approval");
    expect(["Node more", "Run the linter"].map((title) => nodeOf(waiting, title).state)).toEqual([
      "pending",
      "pending",
    ]);
    const approved = await shop.sylk("approve", run.id);
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining("verified")]);
    expect(shop.git("show", `${run.workspace!.branch}:docs.md`)).toBe("# Prices");
    expect(shop.git("show", `${run.workspace!.branch}:more.md`)).toBe("# More");
  });
});

describe.concurrent("an Engineer", { timeout: 180_000 }, () => {
  it("is told the summaries, contexts and artifacts of the work before it, and its session [DAG-19, DAG-20, DAG-21]", async () => {
    const shop = makeQuickShop(daemon);
    const user = daemon.clientOf({ project: shop.repository });
    const { session } = await user.call("session.create", { name: "Release" });
    await user.call("session.note", { id: session.id, name: "ticket", text: "SHOP-7" });
    const built: Part = {
      tool: "finish",
      input: { summary: "The price is 8080.", context: { port: 8080 }, artifacts: { report: "out/report.html" } },
    };
    const told = ["The price is 8080.", '"port":8080', '"report":"out/report.html"', "SHOP-7", "Release"];
    const { run } = await shop.run(
      [
        plan([{ key: "price" }, { key: "tax", dependsOn: ["price"] }]),
        ...work("price", write("src/price.ts", "export const price = 8080;\n"), built),
        ...[write("src/tax.ts", "export const tax = 1;\n"), finish()].map((part, turn) => ({
          when: { tool: "finish", mentions: ['Do the work named "tax" here.', ...told], turn },
          reply: [part],
        })),
      ],
      { args: ["--session", session.id] },
    );
    expect([run.status, run.reason]).toEqual(["verified", undefined]);
  });
});
