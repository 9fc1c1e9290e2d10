/** Now and the frame around every page, in a real browser against a real daemon. */
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
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says what to type while nothing happens, then shows agents with what they hold, without a reload [DASH-1]", async () => {
    const page = await browser.openDashboard();
    await page.getByText("sylk install claude-code").waitFor();
    await browser.expectSound(page, "now-empty");
    const { client } = await daemon.register("heron", { client: "codex" });
    await page.getByRole("link", { name: "heron" }).waitFor();
    const { reservation } = await client.call("reservation.acquire", { paths: ["src/a.ts"] });
    await page.getByText("holds src/a.ts").waitFor();
    await client.call("reservation.release", { id: reservation.id });
    await page.getByText("holds src/a.ts").waitFor({ state: "detached" });
    await browser.expectSound(page, "now");
    expect(new URL(page.url()).pathname).toBe("/");
  });
});
