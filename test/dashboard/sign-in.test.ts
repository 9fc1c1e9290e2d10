/** Who gets in, and what stays over a restart of the daemon, in a real browser. */
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

it("refuses a link that was used, and a browser without a sign-in, with the command to type [DASH-15]", async () => {
  const page = await browser.openDashboard();
  const { url } = await daemon.user.call("dashboard.link", {});
  await page.goto(url);
  await page.getByText("live", { exact: true }).waitFor();
  await page.goto(url);
  await page.getByText("This link no longer works").waitFor();
  await page.getByText("sylk dashboard").waitFor();
  await page.context().clearCookies();
  await page.goto(`${daemon.url}/inbox`);
  await page.getByRole("heading", { name: "Signed out" }).waitFor();
  await page.getByText("sylk dashboard").waitFor();
});

it("keeps its sign-in and misses no event over kill -9 and restart of the daemon, without a reload [DASH-12, DASH-15]", async () => {
  const page = await browser.openDashboard();
  await page.evaluate("window.sameDocument = true");
  const before = await daemon.register("before-the-kill");
  await page.getByRole("link", { name: "before-the-kill" }).waitFor();
  await daemon.kill();
  await page.getByText("reconnecting", { exact: true }).waitFor();
  await daemon.restart();
  const after = await daemon.register("after-the-kill");
  await page.getByText("live", { exact: true }).waitFor();
  for (const { agent } of [before, after]) {
    await page.getByRole("link", { name: agent.name }).waitFor();
    expect(await page.getByRole("link", { name: agent.name }).count(), agent.name).toBe(1);
  }
  expect(await page.evaluate("window.sameDocument")).toBe(true);
});

it("asks for nothing on a timer: a quiet page sends no request [DASH-12]", async () => {
  const page = await browser.openDashboard();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.install();
  await page.getByText("Running work").waitFor();
  await expect
    .poll(async () => {
      const before = asked.length;
      await page.clock.runFor(5_000);
      return asked.length - before; // what the page still reads after it was opened
    })
    .toBe(0);
  asked.length = 0;
  await page.clock.runFor(600_000);
  expect(asked).toEqual([]);
  await daemon.register("asked-by-an-event");
  await page.clock.runFor(1_000);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
});
