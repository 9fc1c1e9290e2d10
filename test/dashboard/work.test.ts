/** Work: board, table, drawer and decisions, in a real browser against a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until } from "../flows/until.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
let heron: ScratchAgent;
let otter: ScratchAgent;

const hostile = `<img src=x onerror=alert(1)> \u202Eevil ${"wide".repeat(60)}`;

async function add(title: string, terms: object = {}): Promise<string> {
  return (await heron.client.call("work-item.create", { title, ...terms })).workItem.id;
}
async function itemOf(id: string) {
  return (await daemon.user.call("work-item.get", { id })).workItem;
}

describe("Work", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
    heron = await daemon.register("heron", { client: "codex" });
    otter = await daemon.register("otter", { client: "codex" });
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await daemon?.[Symbol.asyncDispose]();
  });

  it("says what to type, then moves cards between columns as agents work, without a reload [DASH-5]", async () => {
    const page = await browser.openDashboard("/work");
    await page.getByText('sylk work add "…"').waitFor();
    const first = await add("Limit the orders", { priority: 0, labels: ["api"] });
    const second = await add("Write the release notes", { dependsOn: [first] });
    await add(hostile, { priority: 4 });
    const column = (name: string) => page.getByRole("region", { name: new RegExp(`^${name}`) });
    await column("Ready").getByRole("link", { name: "Limit the orders" }).waitFor();
    await column("Blocked").getByRole("link", { name: "Write the release notes" }).waitFor();
    await heron.client.call("work-item.claim", { id: first });
    await heron.client.call("work-item.progress", { id: first, note: "Limiter written", percent: 60 });
    await column("In progress").getByText("60 %").waitFor();
    await heron.client.call("work-item.stuck", { id: first, reason: "no database" });
    await column("Stuck").getByText("no database").waitFor();
    await browser.expectSound(page, "work-board");
    await otter.client.call("work-item.claim", { id: first });
    await otter.client.call("work-item.close", { id: first, reason: "limited" });
    await column("Closed").getByRole("link", { name: "Limit the orders" }).waitFor();
    await column("Ready").getByRole("link", { name: "Write the release notes" }).waitFor();
    await page.goto(new URL(`/work/${second}`, page.url()).href);
    await page.getByRole("dialog").getByText("Needs first").waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "Limit the orders" }).waitFor();
    await browser.expectSound(page, "work-drawer");
  });

  it("adds, claims, blocks, changes and closes an item as the person, also at 360 px [DASH-5, DASH-18]", async () => {
    const page = await browser.openDashboard("/work", { viewport: { width: 360, height: 740 } });
    await page.getByLabel("Title of the new work item").fill("Tidy the cart");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("link", { name: "Tidy the cart" }).click();
    const drawer = page.getByRole("dialog");
    const id = new URL(page.url()).pathname.split("/").at(-1)!;
    await drawer.getByRole("button", { name: "Block…" }).click();
    await drawer.getByLabel("What blocks it").fill("the design is missing");
    await drawer.getByRole("button", { name: "Block it" }).click();
    await drawer.getByText("the design is missing").waitFor();
    expect((await itemOf(id)).status).toBe("blocked");
    await drawer.getByRole("button", { name: "Unblock" }).click();
    await drawer.getByRole("button", { name: "Claim", exact: true }).click();
    await drawer.getByRole("button", { name: "Unclaim", exact: true }).waitFor();
    expect((await itemOf(id)).owner?.client).toBe("human");
    await drawer.getByRole("button", { name: "Change…" }).click();
    await drawer.getByLabel("Title").fill("Tidy the whole cart");
    await drawer.getByRole("button", { name: "Save" }).click();
    await drawer.getByRole("heading", { name: "Tidy the whole cart" }).waitFor();
    await drawer.getByRole("button", { name: "Close…" }).click();
    await drawer.getByLabel("Why it is closed").fill("tidied");
    await drawer.getByRole("button", { name: "Close it" }).click();
    await drawer.getByText("tidied", { exact: true }).waitFor();
    expect(await itemOf(id)).toMatchObject({ status: "closed", closedReason: "tidied", title: "Tidy the whole cart" });
  });

  it("hands an item over, answers a request for it, and names the holder where a claim is refused [DASH-5, DASH-18]", async () => {
    const id = await add("Move the shop");
    const page = await browser.openDashboard(`/work/${id}`);
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: "Claim", exact: true }).click();
    await drawer.getByRole("button", { name: "Hand over…" }).click();
    await drawer.getByLabel("Agent that receives it").selectOption("otter");
    await drawer.getByRole("button", { name: "Hand it over" }).click();
    await drawer.getByRole("button", { name: "Ask otter for it" }).waitFor();
    expect((await itemOf(id)).owner?.name).toBe("otter");
    await drawer.getByRole("button", { name: "Claim", exact: true }).click();
    await page.locator(".notice.bad", { hasText: "otter" }).waitFor();
    await otter.client.call("work-item.release", { id });
    await drawer.getByRole("button", { name: "Claim", exact: true }).click();
    await drawer.getByRole("button", { name: "Release", exact: true }).waitFor();
    await heron.client.call("work-item.handoff", { id });
    await drawer.getByText("heron asks you for this item").waitFor();
    await drawer.getByRole("button", { name: "Hand it over" }).click();
    await drawer.getByRole("button", { name: "Ask heron for it" }).waitFor();
    expect((await itemOf(id)).owner?.name).toBe("heron");
    await drawer.getByRole("button", { name: "Stuck…" }).click();
    await drawer.getByLabel("What it is stuck on").fill("no lorry");
    await drawer.getByRole("button", { name: "Mark it as stuck" }).click();
    await drawer.getByText("no lorry").first().waitFor();
    expect((await itemOf(id)).stuck?.reason).toBe("no lorry");
  });

  it("keeps filters in the address, moves by keys, and says when a link is to something gone [DASH-5, DASH-14]", async () => {
    const id = await add("Paint the sign", { labels: ["paint"] });
    const page = await browser.openDashboard("/work?label=paint");
    await page.getByRole("link", { name: "Paint the sign" }).waitFor();
    expect(await page.locator(".work-board .card").count()).toBe(1);
    await page.keyboard.press("j");
    await page.locator(".card.chosen").waitFor();
    await page.keyboard.press("c");
    await page
      .getByRole("region", { name: /^In progress/ })
      .getByRole("link", { name: "Paint the sign" })
      .waitFor();
    expect((await itemOf(id)).owner?.client).toBe("human");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("heading", { name: "Paint the sign" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Table", exact: true }).click();
    await page.getByRole("table", { name: "Work items" }).getByRole("link", { name: "Paint the sign" }).waitFor();
    await page.getByLabel("Label").selectOption("");
    await page.getByRole("columnheader", { name: "Title" }).getByRole("link").click();
    await page.waitForURL(/sort=title/);
    await browser.expectSound(page, "work-table");
    const gone = await browser.openDashboard("/work/wrk_01jd8q3m7k4x9t2v5b8n1c");
    await gone.getByText("There is no work item wrk_01jd8q3m7k4x9t2v5b8n1c").first().waitFor();
  });

  it("draws what depends on what as a graph that leads to each item [DASH-5, DASH-14]", async () => {
    const ground = await add("Dig the ground", { labels: ["house"] });
    const walls = await add("Build the walls", { labels: ["house"], dependsOn: [ground] });
    const roof = await add("Put up the roof", { labels: ["house"], dependsOn: [walls] });
    await add("Sweep the yard", { labels: ["house"] });
    const page = await browser.openDashboard("/work?label=house&view=graph");
    const node = (title: string) => page.locator(".graph-node", { hasText: title });
    await node("Dig the ground").getByText("open").waitFor();
    await node("Put up the roof").getByText("blocked").waitFor();
    await page.getByText("1 item without a dependency").waitFor();
    const edges = await page
      .locator(".react-flow__edge")
      .evaluateAll((all) => all.map((edge) => edge.getAttribute("data-id")!));
    expect(new Set(edges)).toEqual(new Set([`${ground} ${walls}`, `${walls} ${roof}`]));
    await heron.client.call("work-item.claim", { id: ground });
    await node("Dig the ground").getByText("in progress").waitFor();
    await heron.client.call("work-item.close", { id: ground, reason: "dug" });
    await node("Build the walls").getByText("open").waitFor();
    await browser.expectSound(page, "work-graph");
    await node("Build the walls").getByRole("link").click();
    await page.getByRole("dialog").getByRole("heading", { name: "Build the walls" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/work/${walls}`);
  });

  it("mounts only the cards in view of a long column, and keys reach the last one [DASH-16]", async () => {
    const repository = daemon.addRepository("large");
    const crowd = await daemon.register("crowd", { project: repository });
    for (let start = 0; start < 400; start += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, place) =>
          crowd.client.call("work-item.create", { title: `Item ${String(start + place).padStart(3, "0")}` }),
        ),
      );
    const page = await browser.openDashboard(`/work?project=${crowd.agent.project.id}`);
    const column = page.getByRole("region", { name: /^Ready/ });
    await column.getByText("400", { exact: true }).waitFor();
    await column.getByRole("listitem").first().waitFor();
    expect(await column.getByRole("listitem").count()).toBeLessThan(60);
    const titles = async () => column.getByRole("listitem").getByRole("link").allInnerTexts();
    const before = await titles();
    await column.getByRole("list").evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await until("other cards are mounted", async () => (await titles()).every((title) => !before.includes(title)));
    expect(await column.getByRole("listitem").count()).toBeLessThan(60);
    for (let place = 0; place < 45; place++) await page.keyboard.press("j");
    const chosen = page.locator(".card.chosen");
    await chosen.waitFor();
    expect(await chosen.count()).toBe(1);
    const [card, list] = [await chosen.boundingBox(), await column.getByRole("list").boundingBox()];
    expect(card!.y).toBeGreaterThanOrEqual(list!.y - 1);
    expect(card!.y + card!.height).toBeLessThanOrEqual(list!.y + list!.height + 1);
    await page.getByRole("link", { name: "Table", exact: true }).click();
    for (let moved = 0; moved < 60; moved++) await page.keyboard.press("j");
    const row = page.locator(".work-row.chosen");
    await row.waitFor();
    await until("the chosen row is in view", async () => {
      const box = await row.boundingBox();
      return box !== null && box.y > 50 && box.y + box.height < 850;
    });
    expect(await page.getByRole("row").count()).toBeLessThan(100);
  });
});
