/** What a page must bear: a browser with a wrong clock, and hundreds of holds on one file. */
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
  await browser?.[Symbol.asyncDispose]();
  await daemon?.[Symbol.asyncDispose]();
});

it.each([
  ["five hours fast", 5],
  ["five hours slow", -5],
])("a browser whose clock is %s shows ages by the clock of the daemon", async (name, hours) => {
  const { agent } = await daemon.register(name.replaceAll(" ", "-"));
  const page = await browser.openDashboard();
  await page.addInitScript(`{
    const real = Date.now.bind(Date);
    const Wrong = class extends Date {
      constructor(...words) {
        super(...(words.length === 0 ? [Wrong.now()] : words));
      }
      static now() {
        return real() + ${hours * 3_600_000};
      }
    };
    globalThis.Date = Wrong;
  }`);
  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: agent.name });
  await row.locator("time").waitFor();
  expect(await page.evaluate<number>(`Math.round((Date.now() - ${Date.now()}) / 3_600_000)`)).toBe(hours);
  expect(await row.locator("time").innerText()).toMatch(/^(now|in [0-9] s|[0-9]+ s ago)$/);
});

it("150 agents that share one file leave the page readable and small [DASH-4, DASH-16]", async () => {
  for (let index = 0; index < 150; index++) {
    const { client } = await daemon.register(`many-${index}`);
    await client.call("reservation.acquire", { paths: ["src/api/orders.ts"], mode: "shared" });
  }
  const page = await browser.openDashboard("/files");
  await page.getByRole("link", { name: "orders.ts" }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByText("many-").first().waitFor();
  expect(await page.locator("*").count()).toBeLessThan(2_500);
  await page.keyboard.press("Escape");
  await browser.expectSound(page, "many-holds");
}, 120_000);
