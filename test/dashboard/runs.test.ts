/** Runs, in a real browser against a real daemon with rehearsed runs and real graphs. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DagId, RunId } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { goodChange, makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { waitingApproval } from "../flows/rehearsed-runs.ts";
import { until } from "../flows/until.ts";
import { noBrowser, openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
const hostile = `<img src=x onerror="window.harmed=1">\u202Eevil ${"x".repeat(600)}`;

describe.skipIf(noBrowser !== undefined)(`Runs${noBrowser === undefined ? "" : ` (${noBrowser})`}`, () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon({ env: shopEnv });
    browser = await openBrowser(daemon);
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
    const { run } = await daemon.user.call("run.start", {
      request: `Prices ${hostile}`,
      project: { path: shop.repository },
      rehearse: shop.scenario(goodChange(["price"])),
      testCommand: ["node", "test/format.test.ts"],
      environment: shopEnv,
      budget: 1_000_000,
    });
    await waitingApproval(run.id, { daemon });
    const page = await browser.openDashboard(`/runs/${run.id}`);
    await page.getByText("rehearsal").first().waitFor();
    await page.locator(".graph-node", { hasText: "Node price" }).getByText("pending").waitFor();
    await browser.expectSound(page, "run-waiting");

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
    await drawer.getByText("It holds now.").waitFor();
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
    await page.getByText("broken output").waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await until("its second attempt failed", async () => (await nodeOf(id, "fails")).attempt >= 2);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await row(page, "gate").getByRole("link").click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("dialog").getByText("passed", { exact: true }).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
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
    await page.getByRole("link", { name: "Open Level 2:" }).click();
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
  return (await daemon.user.call("dag.run", { name, nodes: nodes as never, project, policy, environment: shopEnv })).dag
    .id;
}

const runOf = async (id: RunId) => (await daemon.user.call("run.get", { id })).run;
const nodeOf = async (id: DagId, name: string) =>
  (await daemon.user.call("dag.show", { id })).dag.nodes.find((node) => node.name === name)!;
const row = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
