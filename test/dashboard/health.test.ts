/** Health, in a real browser against a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
const failing = { kind: "tool", component: "flaky", outcome: "failed", error: "<b>exit</b> code 137", ms: 20 } as const;

describe("Health", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says that agents are protected, what was never measured, and what the daemon knows of itself [DASH-10]", async () => {
    await daemon.register("silent");
    const page = await browser.openDashboard("/health");
    await page.getByText("Reservations are enforced").waitFor();
    await page.getByText("No incident is unresolved.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "silent" }).getByText("never measured").waitFor();
    await page.getByText(String(daemon.pid), { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Copy the command: sylk doctor" }).count()).toBe(1);
    await browser.expectSound(page, "health-calm");
  });

  it("shows an incident as it opens and resolves it with a word why [DASH-10, DASH-18]", async () => {
    const page = await browser.openDashboard("/health");
    await page.getByText("No incident is unresolved.").waitFor();
    const { client } = await daemon.register("heron");
    await client.call("health.report", { reports: [failing, failing, failing, failing] });
    const card = page.locator(".card").filter({ hasText: "flaky" });
    await card.getByText("keeps failing").waitFor();
    const row = page.getByRole("row").filter({ hasText: "flaky" });
    await row.getByText("20 ms").first().waitFor();
    expect(await row.getByText("<b>exit</b> code 137").count()).toBe(1);
    await browser.expectSound(page, "health-incident");
    const [incident] = (await daemon.user.call("incident.list", {})).items;
    const other = await browser.openDashboard(`/health/${incident!.id}`);
    await card.getByLabel("How it was resolved").fill("restarted the tool");
    await card.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("No incident is unresolved.").waitFor();
    await other.getByRole("dialog").getByText("restarted the tool").waitFor();
    await browser.expectSound(other, "health-drawer");
    expect((await daemon.user.call("incident.list", { all: true })).items[0]).toMatchObject({
      resolution: "by-hand",
      resolvedWhy: "restarted the tool",
    });
    await page.getByRole("link", { name: "Also resolved" }).click();
    await page.getByText("resolved (by hand)").waitFor();
    expect(new URL(page.url()).searchParams.get("incidents")).toBe("all");
  });

  it("says of an incident that is gone that it is not there [DASH-14]", async () => {
    const page = await browser.openDashboard("/health/inc_gone");
    await page.getByText("There is no incident “inc_gone”").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).count()).toBe(0);
  });
});
