/** Who gets in, and what stays over a restart of the daemon, in a real browser. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { dashboardPages } from "../../src/contract/index.ts";
import { openDaemonHere } from "../flows/daemon-here.ts";
import { openPageServer } from "../flows/page-server.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until } from "../flows/until.ts";
import { agentLink, openBrowser, type OpenBrowser } from "./open-browser.ts";

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

it("takes a link for 60 seconds and keeps a browser signed in for 12 hours, by the daemon's clock [DASH-15]", async () => {
  await using here = await openDaemonHere();
  const url = await here.listenOnLoopback();
  await using own = openBrowser(here);
  const page = await own.openDashboard();
  const [early, late] = [await here.user.call("dashboard.link", {}), await here.user.call("dashboard.link", {})];
  expect(late.expiresAt).toBe(here.clock.now() + 60_000);
  here.clock.advance(59_999);
  expect((await page.goto(early.url))?.url()).toBe(`${url}/`);
  await page.getByText("live", { exact: true }).waitFor();
  here.clock.advance(1);
  expect((await page.goto(late.url))?.status()).toBe(401);
  await page.getByText("This link no longer works").waitFor();
  const [cookie] = await page.context().cookies(url);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  here.clock.advance(12 * 3_600_000 - 2);
  await page.goto(url);
  await page.getByText("live", { exact: true }).waitFor();
  here.clock.advance(1);
  await page.goto(url);
  await page.getByRole("heading", { name: "Signed out" }).waitFor();
});

it("refuses a change with the cookie and without the page's header, and every use by a page of elsewhere [DASH-15]", async () => {
  const page = await browser.openDashboard();
  const change = `fetch("${daemon.url}/v1/work-items", {
    method: "POST", credentials: "include", headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "forged" }),
  }).then((answer) => answer.status, () => "refused")`;
  expect(await page.evaluate(change)).toBe(403);
  await using elsewhere = await openPageServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>elsewhere</title>");
  });
  await page.goto(`http://${elsewhere.host}/`); // another port of this host: to the browser the same site, so with the cookie
  const asked = page.waitForRequest((request) => request.url().startsWith(daemon.url));
  const simple = change
    .replace("application/json", "text/plain")
    .replace('method: "POST"', 'mode: "no-cors", method: "POST"');
  await page.evaluate(simple);
  const answer = await (await asked).response();
  expect(answer?.status()).toBe(403);
  expect(
    await page.evaluate(
      `fetch("${daemon.url}/v1/agents", { credentials: "include" }).then(() => "read", () => "refused")`,
    ),
  ).toBe("refused");
  expect((await daemon.user.call("work-item.list", {})).items).toEqual([]);
});

it("allows no script and no style but its own on any page, and no frame around them [DASH-15]", async () => {
  const page = await browser.openDashboard();
  for (const name of dashboardPages) {
    const answer = await page.goto(`${daemon.url}/${name}`);
    const policy = (await answer!.allHeaders())["content-security-policy"]!;
    expect(policy, name).not.toContain("unsafe");
    expect(
      Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")])),
    ).toEqual({
      "default-src": "'none'",
      ...Object.fromEntries(["script", "style", "connect", "img"].map((what) => [`${what}-src`, "'self'"])),
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
  }
  await page.getByText("live", { exact: true }).waitFor();
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement("script"), { textContent: "window.harmed = true" }))`,
  );
  expect(await page.evaluate("window.harmed ?? false")).toBe(false);
});

it("keeps its sign-in and misses no event over kill -9 and restart of the daemon, without a reload [DASH-12, DASH-15]", async () => {
  const page = await browser.openDashboard();
  await page.evaluate("window.sameDocument = true");
  const before = await daemon.register("before-the-kill");
  await agentLink(page, "before-the-kill").waitFor();
  await daemon.kill();
  await page.getByText("reconnecting", { exact: true }).waitFor();
  await daemon.restart();
  const after = await daemon.register("after-the-kill");
  await page.getByText("live", { exact: true }).waitFor();
  for (const { agent } of [before, after]) {
    await agentLink(page, agent.name).waitFor();
    expect(await agentLink(page, agent.name).count(), agent.name).toBe(1);
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
      await page.clock.runFor(10_000);
      return asked.length - before; // what the page still reads after it was opened
    })
    .toBe(0);
  const asksInQuiet = await until("ten minutes without an event", async () => {
    const before = await newestEvent();
    await page.clock.runFor(10_000); // an event is followed by readings for six seconds
    asked.length = 0;
    await page.clock.runFor(600_000);
    const asks = [...asked];
    // An event may still have been on its way to the page; one that polls would ask each time.
    return (await newestEvent()) === before && asks.length === 0 && { asks };
  });
  expect(asksInQuiet.asks).toEqual([]);
  await daemon.register("asked-by-an-event");
  await page.clock.runFor(1_000);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
});

async function newestEvent(): Promise<number> {
  return (await daemon.user.call("event.list", { newest: true, limit: 1 })).lastSequence;
}
