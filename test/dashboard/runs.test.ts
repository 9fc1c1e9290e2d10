/** Runs, in a real browser against a real daemon with real graphs. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DagId, RunId } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { goodChange, makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { correction, finish, plan, work, write } from "../flows/scenario-turns.ts";
import { until } from "../flows/until.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
const hostile = `<img src=x onerror="window.harmed=1">\u202Eevil ${"x".repeat(200)}`;
const testOf = (holds: boolean): string =>
  `import assert from "node:assert";\nimport { test } from "node:test";\ntest("prices are whole", () => assert.ok(${holds}));\n`;
const [failingTest, passingTest] = [testOf(false), testOf(true)];

/** How far the middle of the nodes is from the middle of their canvas. */
function offMiddle(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const places = [...document.querySelectorAll(".react-flow__node")].map((node) => node.getBoundingClientRect());
    const canvas = document.querySelector(".graph-canvas").getBoundingClientRect();
    const middle = (Math.min(...places.map(({ left }) => left)) + Math.max(...places.map(({ right }) => right))) / 2;
    return Math.abs(middle - (canvas.left + canvas.right) / 2);
  })()`);
}

describe("Runs", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon({ env: shopEnv });
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says what to type without a run, says when a run is gone, and lists a new graph at once [DASH-2]", async () => {
    const page = await browser.openDashboard("/runs");
    await page.getByText('sylk run "…"').waitFor();
    await startGraph({ only: { run: "true" } }, "first light");
    await page.getByRole("link", { name: "first light" }).waitFor();
    await page.getByRole("listitem").getByText("succeeded").waitFor();
    await page.getByLabel("State").selectOption("succeeded");
    expect(new URL(page.url()).search).toBe("?state=succeeded");
    const gone = await browser.openDashboard("/runs/run_01jd8q3m7k4x9t2v5b8n1c");
    expect(await gone.getByRole("alert").innerText()).toContain("run_01jd8q3m7k4x9t2v5b8n1c");
  });

  it("a plan is changed and approved on the page, its nodes change before one's eyes, and the change is merged [DASH-2, DASH-3, DASH-18]", async () => {
    const shop = makeQuickShop(daemon);
    const [planned, ...rest] = goodChange(["price"]);
    const [proposal] = planned!.reply as [{ tool: string; input: object }];
    const existing = [{ title: "Prices are formatted", files: ["src/format.ts"] }];
    const told = { ...planned!, reply: [{ ...proposal, input: { ...proposal.input, existing } }] };
    const { run } = await daemon.user.call("run.start", {
      request: `Prices ${hostile}`,
      project: { path: shop.repository },
      rehearse: shop.scenario([told, ...rest]),
      testCommand: ["node", "test/format.test.ts"],
      environment: shopEnv,
      budget: 1_000_000,
    });
    await until("the plan waits", async () => (await runOf(run.id)).status === "awaiting_approval");
    const page = await browser.openDashboard(`/runs/${run.id}`);
    await page.getByText("rehearsal").first().waitFor();
    await page.locator(".graph-node", { hasText: "Node price" }).getByText("pending").waitFor();
    await browser.expectSound(page, "run-waiting");
    for (const width of [2560, 1100, 1280]) {
      await page.setViewportSize({ width, height: 850 });
      await expect.poll(() => offMiddle(page), { message: `the graph is in the middle at ${width}` }).toBeLessThan(30);
    }

    await page.getByRole("list", { name: "Exists already" }).getByText("src/format.ts").waitFor();
    await page.getByRole("button", { name: "Change Node price" }).click();
    await page.getByLabel("What holds when it is done").fill("Node price, changed");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.locator(".graph-node", { hasText: "Node price, changed" }).waitFor();
    expect((await runOf(run.id)).nodes.map(({ title }) => title)).toContain("Node price, changed");

    await page.getByRole("button", { name: "Raise budget…" }).click();
    await page.getByLabel("New limit in tokens").fill("5");
    await page.getByLabel("Reason").fill("too low");
    await page.getByRole("button", { name: "Raise the limit" }).click();
    await page.locator(".notice.bad").waitFor();
    await page.getByLabel("New limit in tokens").fill("2,000,000");
    await page.getByRole("button", { name: "Raise the limit" }).click();
    await page.getByText("limit 2,000,000").waitFor();

    await page.getByRole("button", { name: "Approve the plan" }).click();
    await page.locator(".run-facts").getByText("verified", { exact: true }).waitFor();
    await page.locator(".graph-node", { hasText: "Node price, changed" }).getByText("succeeded").waitFor();
    expect(await page.locator(".graph-node.critical").count()).toBeGreaterThan(3);

    await page.locator(".graph-node", { hasText: "Node price, changed" }).getByRole("link").click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("It holds now.", { exact: true }).waitFor();
    await drawer.getByText("Do the work named").waitFor();
    expect(new URL(page.url()).searchParams.get("node")).toMatch(/^nod_/);
    await browser.expectSound(page, "run-node");
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Timeline" }).click();
    await page.getByRole("list", { name: "Timeline" }).getByText("Node price, changed").waitFor();
    await browser.expectSound(page, "run-timeline");
    await page.getByRole("link", { name: "Changes" }).click();
    await page.getByText("+ export const price = 1;").waitFor();
    await browser.expectSound(page, "run-changes");
    await page.getByRole("button", { name: "Merge…" }).click();
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    await page.locator(".run-facts").getByText("merged").waitFor();
    expect(shop.git("show", "HEAD:src/price.ts")).toBe("export const price = 1;");
    expect(await page.evaluate("window.harmed")).toBe(undefined);
  });

  it("a blocked node is approved, a failed one retried and skipped, a graph paused, resumed and cancelled, at 360 px [DASH-3, DASH-18]", async () => {
    const id = await startGraph({
      gate: { run: "echo passed", approve: true },
      fails: { run: ["sh", "-c", "echo broken output; exit 3"] },
      after: { run: "true", dependsOn: ["gate"], approve: true },
      last: { run: "true", dependsOn: ["fails"] },
    });
    const page = await browser.openDashboard(`/runs/${id}`, { viewport: { width: 360, height: 800 } });
    await page.getByRole("table", { name: "Nodes" }).waitFor();
    await row(page, "fails").getByText("failed").waitFor();
    await row(page, "fails").getByRole("link").click();
    await page.getByLabel("Output", { exact: true }).getByText("broken output").waitFor();
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await until("its second attempt failed", async () => (await nodeOf(id, "fails")).attempt >= 2);
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
    await row(page, "gate").getByRole("link").click();
    await page.getByRole("dialog").getByText("The decision holds for this node alone.").waitFor();
    await page.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByLabel("Output", { exact: true }).getByText("passed").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close", exact: true }).click();
    await row(page, "after").getByRole("link").click();
    await page.getByRole("button", { name: "Skip…" }).click();
    await page.getByLabel("Reason (optional)").fill("not today");
    await page.getByRole("button", { name: "Skip the node" }).click();
    await page.getByRole("dialog").getByText("not today").waitFor();
    expect((await nodeOf(id, "after")).state).toBe("skipped");

    const slow = await startGraph({ wait: { run: "true", approve: true } });
    await page.goto(new URL(`/runs/${slow}`, page.url()).href);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".run-facts").getByText("paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator(".run-facts").getByText("waiting").waitFor();
    await page.getByRole("button", { name: "Cancel…" }).click();
    await page.getByRole("button", { name: "Cancel it" }).click();
    await page.locator(".run-facts").getByText("cancelled").waitFor();
    expect((await daemon.user.call("dag.show", { id: slow })).dag.status).toBe("cancelled");
  });

  it("shows states, durations, attempts and the critical path, and leads every edge from a dependency to what needs it [DASH-2]", async () => {
    const id = await startGraph(
      {
        first: { run: "true", approve: true },
        second: { run: "true", dependsOn: ["first"] },
        third: { run: "true", dependsOn: ["first", "second"] },
        alone: { run: "true", approve: true },
        breaks: { run: ["sh", "-c", "echo tried; exit 7"], retry: { max: 1, backoffMs: 10 } },
      },
      "critical",
    );
    const page = await browser.openDashboard(`/runs/${id}`);
    const node = (name: string) => page.locator(".graph-node", { has: page.locator(`[data-node="${name}"]`) });
    await node("breaks").getByText("failed").waitFor();
    await node("breaks").getByText("attempt 2").waitFor();
    await node("breaks")
      .getByText(/^\d+ s$/)
      .waitFor();
    await node("first").getByText("blocked").waitFor();
    await daemon.user.call("dag.answer", { id, node: "first", decision: "approve" });
    await node("third").getByText("succeeded").waitFor();
    await node("third")
      .getByText(/^\d+ s$/)
      .waitFor();
    const edges = page.locator(".react-flow__edge");
    const drawn = await edges.evaluateAll((all) => all.map((edge) => edge.getAttribute("data-id")!));
    expect(new Set(drawn)).toEqual(new Set(["first second", "first third", "second third"]));
    const critical = await page.locator(".react-flow__edge.critical").count();
    const path = await page
      .locator(".graph-node.critical [data-node]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-node")));
    expect(critical).toBe(path.length - 1);
    await page.getByRole("link", { name: "Table" }).click();
    expect(await row(page, "third").innerText()).toMatch(/succeeded[\s\S]*\d+ s[\s\S]*1[\s\S]*first, second/);
    expect(await row(page, "breaks").innerText()).toMatch(/failed[\s\S]*2[\s\S]*nothing/);
    await page.getByRole("link", { name: "Graph" }).click();

    const waiting = await startGraph(
      {
        one: { run: "true", approve: true },
        two: { run: "true", dependsOn: ["one"] },
        other: { run: "true", approve: true },
      },
      "not started",
    );
    await page.goto(new URL(`/runs/${waiting}`, page.url()).href);
    await node("two").getByText("pending").waitFor();
    expect(
      await page.locator(".graph-node.critical [data-node]").evaluateAll((all) => all.map((one) => one.textContent)),
    ).toEqual([expect.stringContaining("one"), expect.stringContaining("two")]);
    await daemon.user.call("dag.cancel", { id: waiting });
  });

  it("a node's drawer has prompt, output, artifacts, findings, cost and log [DASH-2]", async () => {
    const shop = makeQuickShop(daemon, { "test/format.test.ts": failingTest });
    const { run } = await daemon.user.call("run.start", {
      request: "Prices with a note",
      project: { path: shop.repository },
      rehearse: shop.scenario([
        plan([{ key: "price" }]),
        ...correction("prices are whole", write("test/format.test.ts", passingTest), finish("Corrected.")),
        ...work("price", write("src/price.ts", "export const price = 1;\n"), {
          tool: "finish",
          input: { summary: "It holds now.", artifacts: { report: "docs/price-report.md" } },
        }),
      ]),
      testCommand: ["node", "--test", "test/format.test.ts"],
      environment: shopEnv,
      approve: true,
    });
    const ended = await until("the run has ended", async () => {
      const now = await runOf(run.id);
      return ["verified", "unverified", "failed"].includes(now.status) && now;
    });
    const page = await browser.openDashboard(`/runs/${run.id}`);
    const drawer = page.getByRole("dialog");
    const open = async (id: string) => page.goto(new URL(`/runs/${run.id}?node=${id}`, page.url()).href);
    const priced = ended.nodes.find(({ title }) => title === "Node price")!;
    await open(priced.id);
    await drawer.getByRole("heading", { name: "Node price" }).waitFor();
    await drawer.getByText('Do the work named "price" here.').waitFor();
    await drawer.getByText("It holds now.", { exact: true }).waitFor();
    await drawer.getByText("docs/price-report.md").waitFor();
    const spent = (await daemon.user.call("ledger.show", { by: "node", since: run.createdAt })).items.find(
      ({ name }) => name === priced.id,
    )!;
    await drawer
      .getByText(`${(spent.input! + spent.output!).toLocaleString("en")} tokens`)
      .first()
      .waitFor();
    const log = drawer.getByRole("list", { name: "Log" });
    await log.getByText(/^running, was queued, attempt 1/).waitFor();
    await log.getByText(/^succeeded, was running, attempt 1/).waitFor();
    await log
      .getByText(/^orchestrator to engineer: task dispatch/)
      .first()
      .waitFor();
    await log
      .getByText(/^engineer to orchestrator: task complete, It holds now\./)
      .first()
      .waitFor();
    await log
      .getByText(/answered: [\d,]+ tokens$/)
      .first()
      .waitFor();

    const tests = ended.nodes.find(({ kind, role, round }) => kind === "check" && role === "tester" && round === 0)!;
    await open(tests.id);
    await drawer.getByText("prices are whole").first().waitFor();
    expect(await drawer.innerText()).toMatch(/Findings\s+blocking\s+prices are whole/);
    await drawer.getByText("no model call").waitFor();
    await drawer.getByText("node --test test/format.test.ts").waitFor();

    const last = ended.nodes.find(({ kind }) => kind === "conclude")!;
    await open(last.id);
    await drawer.getByText(ended.commit!).waitFor();
    await drawer.getByText("Judge the checks").waitFor();
    await browser.expectSound(page, "run-conclude");
    await page.keyboard.press("Escape");
    const into = page.locator(`.react-flow__edge[data-id$=" ${last.id}"]`);
    await into.first().waitFor({ state: "attached" });

    const graph = await startGraph({
      makes: { run: ["sh", "-c", `echo made; echo '{"artifacts":{"bundle":"out/shop.js"}}' > $SYLK_DAG_OUTPUT`] },
    });
    await page.goto(new URL(`/runs/${graph}?node=makes`, page.url()).href);
    await drawer.getByLabel("Output", { exact: true }).getByText("made").waitFor();
    await drawer.getByText("out/shop.js", { exact: true }).waitFor();
    await drawer
      .getByRole("list", { name: "Log" })
      .getByText(/^succeeded, was running/)
      .waitFor();
  });

  it("a waiting plan is changed by hand and with feedback, its versions tell what changed, and its waiting shows on the timeline [DASH-3, DASH-18]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await daemon.user.call("run.start", {
      request: "Prices again",
      project: { path: shop.repository },
      rehearse: shop.scenario([
        { ...plan([{ key: "tax" }]), when: { tool: "propose_plan", mentions: "Only taxes" } },
        plan([{ key: "price" }, { key: "label" }]),
      ]),
      testCommand: ["node", "test/format.test.ts"],
      environment: shopEnv,
    });
    await until("the plan waits", async () => (await runOf(run.id)).status === "awaiting_approval");
    const page = await browser.openDashboard(`/runs/${run.id}?view=plan`, { viewport: { width: 360, height: 800 } });
    const versions = page.getByRole("list", { name: "Versions of the plan" }).first();
    await versions.getByText("Version 1: first plan, 2 nodes added, 0 nodes changed").waitFor();
    await page.getByText("The decision holds for this run alone.").first().waitFor();
    await page.getByRole("button", { name: "Change Node price" }).first().click();
    await page.getByLabel("What to do").fill("Write prices in cents.");
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await versions.getByText("Version 2: changed by hand, 0 nodes added, 1 node changed").waitFor();
    const diff = versions.getByLabel("What changed of Node price");
    expect(await diff.innerText()).toMatch(
      /^ {2}Node price\s+− Do the work named "price" here\.\s+\+ Write prices in cents\.$/m,
    );
    await page.getByRole("button", { name: "Remove Node label" }).first().click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Removed since: Node label").first().waitFor();
    expect((await runOf(run.id)).nodes.map(({ title }) => title)).not.toContain("Node label");
    await page.getByRole("button", { name: "Change it with feedback…" }).click();
    await page.getByLabel("What to do differently, or in addition").fill("Only taxes");
    await page.getByRole("button", { name: "Send the feedback" }).click();
    await versions.getByText(/Version 3: made with feedback, 1 node added/).waitFor();
    await versions.getByText("Node tax").waitFor();
    expect((await runOf(run.id)).nodes.find(({ title }) => title === "Plan again with feedback")!.prompt).toBe(
      "Only taxes",
    );
    await browser.expectSound(page, "run-plan-versions");

    await page.goto(new URL(`/runs/${run.id}?view=timeline`, page.url()).href);
    const bar = page
      .getByRole("list", { name: "Timeline" })
      .getByRole("listitem")
      .filter({ hasText: "Plan the change" });
    await bar.getByText(/succeeded, \d+ s/).waitFor();
    await bar.locator(".bar.succeeded").waitFor();
    await until("the plan waits again", async () => (await runOf(run.id)).status === "awaiting_approval");
    await page.getByRole("button", { name: "Reject…" }).click();
    await page.getByLabel("Reason (optional)").fill("not now");
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    await page.locator(".run-facts").getByText("cancelled").waitFor();
    expect((await runOf(run.id)).status).toBe("cancelled");
  });

  it("a graph of 2,000 nodes is folded by level and never drawn whole [DASH-16]", async () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, place) => [
        `n${place}`,
        { run: "true", ...(place < 50 ? { approve: true } : { dependsOn: [`n${place - 50}`] }) },
      ]),
    );
    const id = await startGraph(nodes, "large");
    const page = await browser.openDashboard(`/runs/${id}`);
    await page.locator('.graph-canvas[data-nodes="40"]').waitFor();
    await page.getByRole("link", { name: "Level 2 ·" }).click();
    await page.locator('.graph-canvas[data-nodes="89"]').waitFor();
    expect(new URL(page.url()).searchParams.get("open")).toBe("2");
    await browser.expectSound(page, "large");
    await page.getByRole("link", { name: "Table" }).click();
    await page.getByRole("link", { name: "n0", exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(200);
    await daemon.user.call("dag.cancel", { id });
  });
});

async function startGraph(nodes: Record<string, object>, name = "graph"): Promise<DagId> {
  const project = { path: daemon.repository };
  const policy = { failFast: false };
  return (await daemon.user.call("dag.run", { name, nodes: nodes, project, policy, environment: shopEnv })).dag.id;
}

const runOf = async (id: RunId) => (await daemon.user.call("run.get", { id })).run;
const nodeOf = async (id: DagId, name: string) =>
  (await daemon.user.call("dag.show", { id })).dag.nodes.find((node) => node.name === name)!;
const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
