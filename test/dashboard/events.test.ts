/** The event log and the replay of runs, in a real browser against a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyReplay, eventsOfGraph, replay } from "../../dashboard/src/events/replay-graph.ts";
import type { LogEvent } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { goodChange, makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

describe("Events", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon({ env: shopEnv });
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says that nothing has happened yet, then follows what happens, without a reload [DASH-11]", async () => {
    const page = await browser.openDashboard("/events");
    await page.getByText("Nothing has happened yet").waitFor();
    await browser.expectSound(page, "events-empty");
    const hostile = `<b>heron</b> \u202E${"x".repeat(90)}`;
    await daemon.register("heron");
    await page.getByRole("link", { name: "Agent registered: heron" }).waitFor();
    const { client } = await daemon.register("otter");
    for (let index = 0; index < 60; index++)
      await client.call("work-item.create", { title: `Item ${index} ${hostile}` });
    await page.getByRole("link", { name: /Work item created: Item 59 <b>heron<\/b>/ }).waitFor();
    expect(await page.locator(".event-row b").count()).toBe(0);
    await browser.expectSound(page, "events");
  });

  it("stops following when the reader scrolls away, counts new events, and returns to them [DASH-11]", async () => {
    const page = await browser.openDashboard("/events");
    const last = page.getByRole("link", { name: /Item 59/ });
    await last.waitFor();
    await page.getByRole("log", { name: "Events" }).hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    await daemon.user.call("work-item.create", { title: "Came later" });
    await page.getByRole("button", { name: /^\d+ new events?$/ }).click();
    await page.getByRole("link", { name: "Work item created: Came later" }).waitFor();
    expect(await page.getByRole("button", { name: "Following" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("follows on when the window is resized [DASH-11]", async () => {
    const page = await browser.openDashboard("/events");
    await page.getByRole("link", { name: "Came later" }).waitFor();
    for (const [width, height] of [
      [360, 740],
      [1_280, 500],
      [2_560, 1_200],
      [700, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      const title = `Seen at ${width}`;
      await daemon.user.call("work-item.create", { title });
      await page.getByRole("link", { name: `Work item created: ${title}` }).waitFor();
      expect(await page.getByRole("button", { name: "Following" }).getAttribute("aria-pressed")).toBe("true");
    }
  });

  it("filters by type, text and id in the address, and shows the daemon's refusal of a pattern [DASH-11, DASH-14]", async () => {
    const page = await browser.openDashboard("/events?type=agent.*");
    await page.getByText("Agent registered: heron").waitFor();
    expect(await page.getByText("Work item created").count()).toBe(0);
    await page.getByLabel("Text").fill("otter");
    await page.getByText("Agent registered: heron").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("text")).toBe("otter");
    await page.getByRole("textbox", { name: "Type" }).fill("Not A Type");
    await page.getByRole("button", { name: "Filter" }).click();
    await page
      .getByRole("alert")
      .getByText(/event type/)
      .waitFor();
  });

  it("opens an event with its data and links, and says of a number that is not there that it is not there [DASH-11, DASH-14]", async () => {
    const { items } = await daemon.user.call("event.list", { type: "agent.registered", limit: 1 });
    const page = await browser.openDashboard(`/events/${items[0]!.sequence}`);
    const drawer = page.getByRole("dialog");
    await drawer.getByText(`"name": "heron"`).waitFor();
    expect(await drawer.getByRole("link", { name: /Open agent/ }).getAttribute("href")).toBe(
      `/agents/${items[0]!.subject}`,
    );
    await browser.expectSound(page, "event");
    const gone = await browser.openDashboard("/events/999999");
    await gone
      .getByRole("dialog")
      .getByText(/newer than the log/)
      .waitFor();
  });

  it("replays a run step by step, and ends at what the daemon says of it [DASH-11]", async () => {
    const shop = makeQuickShop(daemon);
    const { run } = await shop.run(goodChange(["price", "tax"]));
    const events = await readAll(run.since, "run.*", shop.repository);
    const own = eventsOfGraph(run.id, events);
    const end = replay(own);
    expect([end.status, end.cost, end.checks.map(({ outcome }) => outcome)]).toEqual([
      run.status,
      run.cost,
      run.checks.map(({ outcome }) => outcome),
    ]);
    expect(Object.fromEntries([...end.nodes].map(([id, { state }]) => [id, state]))).toEqual(
      Object.fromEntries(run.nodes.map(({ id, state }) => [id, state])),
    );
    const page = await browser.openDashboard(`/events?run=${run.id}`);
    await page.getByText(`Step ${own.length} of ${own.length}`, { exact: true }).waitFor();
    const node = page.getByLabel("Nodes at this step").getByRole("listitem").filter({ hasText: "Node price" });
    await node.getByText("succeeded").waitFor();
    await browser.expectSound(page, "replay");
    await page.getByLabel("Step", { exact: true }).focus();
    await page.keyboard.press("Home");
    await page.getByText("Before the first event.").waitFor();
    expect(await node.count()).toBe(0);
    const planned = own.findIndex(({ type }) => type === "run.planned") + 1;
    for (let step = 0; step < planned; step++) await page.keyboard.press("ArrowRight");
    await node.getByText("pending").waitFor();
    expect(new URL(page.url()).searchParams.get("step")).toBe(String(planned));
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByText(`Step ${planned + 2} of ${own.length}`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
  });

  it("replays a graph of commands, and says of one that is gone that it is not found [DASH-11, DASH-14]", async () => {
    const { dag } = await daemon.user.call("dag.run", {
      name: "checks",
      nodes: { lint: { run: ["true"] }, test: { run: ["true"], dependsOn: ["lint"] } },
      project: { path: daemon.repository },
    });
    const ended = await until("the graph has ended", async () => {
      const shown = (await daemon.user.call("dag.show", { id: dag.id })).dag;
      return shown.status !== "running" && shown;
    });
    const own = eventsOfGraph(dag.id, await readAll(dag.since, "dag.*"));
    const end = replay(own, emptyReplay(ended.nodes.map(({ name }) => ({ id: name, title: name }))));
    expect([end.status, [...end.nodes.values()].map(({ id, state }) => [id, state])]).toEqual([
      ended.status,
      ended.nodes.map(({ name, state }) => [name, state]),
    ]);
    const page = await browser.openDashboard(`/events?run=${dag.id}&step=0`);
    const nodes = page.getByLabel("Nodes at this step").getByRole("listitem");
    await nodes.filter({ hasText: "test" }).getByText("pending").waitFor();
    await page.getByText(`Step 0 of ${own.length}`, { exact: true }).waitFor();
    await page.getByLabel("Step", { exact: true }).focus();
    await page.keyboard.press("End");
    await nodes.filter({ hasText: "test" }).getByText("succeeded").waitFor();
    const gone = await browser.openDashboard(`/events?run=run_${"0".repeat(22)}`);
    await gone.getByRole("alert").waitFor();
  });
});

async function readAll(after: number, type: string, project = daemon.repository): Promise<readonly LogEvent[]> {
  const client = daemon.clientOf({ project });
  const { items, nextCursor } = await client.call("event.list", { after, type, limit: 1_000 });
  return nextCursor === undefined ? items : [...items, ...(await readAll(Number(nextCursor), type, project))];
}
