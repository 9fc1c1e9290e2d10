/** Now and the frame around every page, in a real browser against a real daemon. */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

describe("Now", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await daemon?.[Symbol.asyncDispose]();
  });

  it("says what to type while nothing happens, then shows agents with what they hold, without a reload [DASH-1]", async () => {
    const page = await browser.openDashboard();
    await page.getByText("sylk install claude-code").waitFor();
    await page.getByText('sylk run "…"').waitFor();
    expect(await page.getByRole("heading", { name: "Problems" }).count()).toBe(0);
    await browser.expectSound(page, "now-empty");
    const { client } = await daemon.register("heron", { client: "codex" });
    await page.getByRole("link", { name: "heron" }).first().waitFor();
    const { reservation } = await client.call("reservation.acquire", { paths: ["src/a.ts"] });
    await page.getByText("holds src/a.ts").waitFor();
    await client.call("reservation.release", { id: reservation.id });
    await page.getByText("holds src/a.ts").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/");
  });

  it("puts each kind of problem first, then what waits, then agents with task and holds, then running work [DASH-1]", async () => {
    const page = await browser.openDashboard();
    await daemon.sylk(["install", "claude-code", "--yes"]);
    rmSync(join(daemon.repository, ".claude", "settings.local.json"));
    const heron = await daemon.register("heron", { client: "codex" });
    for (const name of ["otter", "wren"]) await daemon.register(name, { client: "codex" });
    const { workItem } = await heron.client.call("work-item.create", { title: "Rate limits for orders" });
    await heron.client.call("work-item.claim", { id: workItem.id });
    await heron.client.call("reservation.acquire", { paths: ["src/orders.ts"] });
    const failure = { kind: "tool", component: "Bash", outcome: "failed", error: "exit code 137" } as const;
    await daemon.user.call("health.report", { reports: [failure, failure, failure, failure] });
    const { dag } = await daemon.user.call("dag.run", {
      name: "deploy the shop",
      project: { path: daemon.repository },
      nodes: { deploy: { run: ["true"], approve: true }, after: { run: ["true"], dependsOn: ["deploy"] } },
    });

    const problems = page.getByRole("region", { name: /^Problems/ });
    await problems.getByText("3 agents edit without a guard").waitFor();
    await problems.getByText(/Bash/).first().waitFor();
    const titles = await problems.locator("li strong").allInnerTexts();
    expect(titles).toEqual([
      "claude-code is NOT guarded",
      "unknown cause: tool Bash failed 4 times",
      "3 agents edit without a guard",
    ]);
    for (const name of ["heron", "otter", "wren"]) await problems.getByRole("link", { name, exact: true }).waitFor();
    const commands = await problems.locator(".command-line code").allInnerTexts();
    expect(commands).toEqual(["sylk install claude-code", "sylk health", "sylk doctor"]);

    const callout = page.locator(".callout");
    await callout.getByText(/^1 decision waits for you: .*deploy/).waitFor();
    const agents = page.getByRole("region", { name: /^Agents/ });
    const row = agents.getByRole("listitem").filter({ has: page.getByRole("link", { name: "heron", exact: true }) });
    await row.getByText("Rate limits for orders").waitFor();
    await row.getByText("holds src/orders.ts").waitFor();
    const work = page.getByRole("region", { name: /^Running work/ });
    await work.getByRole("link", { name: "deploy the shop" }).waitFor();
    await work.getByText("0 of 2 nodes").waitFor();
    expect(await tops(page, [problems, callout, agents, work])).toEqual("ascending");
    await browser.expectSound(page, "now");

    const { database } = daemon.paths;
    renameSync(database, `${database}.aside`); // from here on the store refuses every change
    await page.reload();
    await problems.getByText("Agents are unprotected").waitFor();
    expect((await problems.locator("li strong").allInnerTexts())[0]).toBe("Agents are unprotected");
    renameSync(`${database}.aside`, database);

    await page.getByRole("link", { name: "Open the inbox" }).click();
    await page.waitForURL(/\/inbox$/);
    await page.goBack();
    await daemon.user.call("dag.cancel", { id: dag.id });
    await work.getByText("No run is under way.").waitFor();
  });
});

/** Whether these parts of the page follow each other from top to bottom. */
async function tops(page: Page, parts: readonly ReturnType<Page["locator"]>[]): Promise<string> {
  const places = await Promise.all(parts.map(async (part) => (await part.boundingBox())!.y));
  return places.every((place, at) => at === 0 || place > places[at - 1]!) ? "ascending" : places.join(" ");
}
