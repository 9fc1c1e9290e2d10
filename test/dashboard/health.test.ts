/** Health, in a real browser against a real daemon. */
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Examination } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
const failing = { kind: "tool", component: "flaky", outcome: "failed", error: "<b>exit</b> code 137", ms: 20 } as const;

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

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
    const page = await browser.openDashboard("/health", phone);
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
    await page.setViewportSize(phone.viewport);
    const other = await browser.openDashboard(`/health/${incident!.id}`);
    await card.getByText("It holds for this incident, for all projects and agents of this machine.").waitFor();
    await card.getByLabel("How it was resolved").fill("restarted the tool");
    await card.getByRole("button", { name: "Resolve" }).tap();
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

  it("shows what the doctor finds, with the way to mend it, and examines again [DASH-10]", async () => {
    const page = await browser.openDashboard("/health");
    const doctor = page.getByRole("region", { name: "Doctor" });
    await doctor.getByText(/^\d+ checks? passed$/).click();
    const { findings } = JSON.parse((await daemon.sylk(["doctor", "--json"])).stdout) as Examination;
    const shown = await doctor.getByRole("listitem").locator("strong").allTextContents();
    expect(new Set(shown)).toEqual(new Set(findings.map(({ check }) => check)));
    chmodSync(daemon.paths.token, 0o644);
    await doctor.getByRole("button", { name: "Examine again" }).click();
    const problems = doctor.getByRole("list", { name: "Problems and warnings" });
    const token = problems.getByRole("listitem").filter({ hasText: "token" });
    await token.getByText("problem", { exact: true }).waitFor();
    await token.getByText(`Fix: chmod 600 ${daemon.paths.token}`).waitFor();
    await browser.expectSound(page, "health-doctor");
    chmodSync(daemon.paths.token, 0o600);
    await doctor.getByRole("button", { name: "Examine again" }).click();
    await token.waitFor({ state: "detached" });
  });

  it("says of an incident that is gone that it is not there [DASH-14]", async () => {
    const page = await browser.openDashboard("/health/inc_gone");
    await page.getByText("There is no incident “inc_gone”").waitFor();
    expect(await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).count()).toBe(0);
  });
});
