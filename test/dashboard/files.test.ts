/** Files: tree, hot spots and drawer, in a real browser against a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

describe("Files", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await daemon?.[Symbol.asyncDispose]();
  });

  it("shows a hold in the tree at once, and asks its holder from the drawer [DASH-4]", async () => {
    const { client } = await daemon.register("heron", { client: "codex" });
    const page = await browser.openDashboard("/files");
    await page.getByText("Agents hold, wait for and change no file here.").waitFor();
    const { reservation } = await client.call("reservation.acquire", {
      paths: ["src/api/orders.ts"],
      reason: "limits",
    });
    await page.getByRole("link", { name: "orders.ts" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("limits").waitFor();
    await drawer.getByRole("button", { name: "Ask heron to release it" }).click();
    await drawer.getByText(/waits \(open\)/).waitFor();
    const { items } = await daemon.user.call("event.list", { type: "reservation.asked" });
    expect(items.map(({ subject }) => subject)).toEqual([reservation.id]);
    await page.keyboard.press("Escape");
    await page
      .getByRole("list", { name: /^Hot spots/ })
      .getByText("1 waiting")
      .waitFor();
    await browser.expectSound(page, "files");
    await client.call("reservation.release", { id: reservation.id });
    await page.getByText("1 waiting").first().waitFor({ state: "detached" });
  });
});
