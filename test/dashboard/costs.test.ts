/** Costs in the browser: what runs and clients used, what is unknown, and how much of a budget is left. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { makeShop, shopEnv } from "../flows/scratch-shop.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  browser = openBrowser(daemon);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
});

it("shows tokens by model, role and day, a budget and what is left of it, and money as unknown where no price is known [DASH-9]", async () => {
  const page = await browser.openDashboard("/costs");
  await page.getByText("No model call is recorded.").waitFor();
  const shop = makeShop(daemon);
  const ended = await shop.sylk("run", "Discounts", "--rehearse", "--yes", "--budget", "1000000", "--json");
  expect(ended.code).toBe(0);
  const report = await daemon.user.call("ledger.show", { by: "role" });
  await page.getByText(`${report.total.calls} model calls`).waitFor();
  await page.getByRole("combobox", { name: "By" }).selectOption("role");
  for (const { name } of report.items) await page.getByRole("rowheader", { name }).waitFor();
  expect(new URL(page.url()).searchParams.get("by")).toBe("role");
  await page.getByText(/of 1\.0 M tokens/).waitFor();
  expect(report.total.usd).toBeNull();
  await page.locator(".figures").getByText("unknown").waitFor();
  await page.getByText("Choose a project").waitFor();
  await page.getByLabel("Project").selectOption({ label: shop.repository.split("/").at(-1)! });
  await page.getByText("Not spent").waitFor();
  await browser.expectSound(page, "costs");
});
