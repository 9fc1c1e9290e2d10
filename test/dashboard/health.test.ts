/** Health in the browser: protection first, incidents that can be resolved, figures of every component. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  browser = openBrowser(daemon);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
});

it("shows protection, daemon, components with latencies, and an incident as it comes, resolved with a word why [DASH-10]", async () => {
  const page = await browser.openDashboard("/health");
  await page.getByText("enforced", { exact: true }).waitFor();
  await page.getByText("No incident is known.").waitFor();
  await page.getByText(daemon.paths.home).first().waitFor();
  await page.getByText("sylk doctor").waitFor();
  const { client } = await daemon.register("heron");
  const failure = { kind: "tool", component: "<b>lint", outcome: "failed", ms: 40, error: "broken <i>" } as const;
  await client.call("health.report", { reports: [failure, failure, failure, failure] });
  const card = page.locator(".incidents .card").first();
  await card.getByText("broken <i>").waitFor();
  await page
    .getByRole("row", { name: /<b>lint/ })
    .getByText("40 ms")
    .first()
    .waitFor();
  await browser.expectSound(page, "health");
  const [incident] = (await daemon.user.call("incident.list", {})).items;
  await card.getByRole("textbox").fill("the config was wrong");
  await card.getByRole("button", { name: "Resolve" }).click();
  await page.getByText("by a person: the config was wrong").waitFor();
  expect((await daemon.user.call("incident.list", {})).items).toEqual([]);
  const gone = await browser.openDashboard("/health/inc_gone");
  await gone.getByText("The incident inc_gone is not among the last 50.").waitFor();
  await gone.goto(`${daemon.url}/health/${incident!.id}`);
  await gone.locator(".card.chosen").waitFor();
});
