/**
 * The dashboard in a real Chromium, signed in at a real daemon.
 *
 *   await using browser = await openBrowser(daemon);
 *   const page = await browser.openDashboard("/runs");
 *   await browser.expectSound(page);
 */
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium } from "../flows/chromium.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";

export type OpenBrowser = AsyncDisposable & {
  /** A new tab of a signed-in browser at an address of the dashboard. */
  openDashboard(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** No error in the console, nothing that sticks out at any width, no violation of WCAG AA in either theme. */
  expectSound(page: Page, name?: string): Promise<void>;
};

/** Why a test that needs a browser cannot run here; undefined where it can. */
export const noBrowser: string | undefined =
  findChromium() === undefined ? "there is no chromium in PATH (Debian: apt-get install chromium)" : undefined;

const flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const widths = [360, 1280, 2560];

export async function openBrowser(daemon: ScratchDaemon): Promise<OpenBrowser> {
  const browser = await chromium.launch({ executablePath: findChromium()!, args: flags });
  const complaints = new Map<Page, string[]>();
  return {
    async openDashboard(path = "/", options = {}) {
      const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 850 }, ...options });
      const page = await context.newPage();
      const heard: string[] = [];
      complaints.set(page, heard);
      page.on("console", (message) => void (message.type() === "error" && heard.push(message.text())));
      page.on("pageerror", (error) => heard.push(error.message));
      const { url } = await daemon.user.call("dashboard.link", {});
      await page.goto(url);
      if (path !== "/") await page.goto(new URL(path, url).href);
      await page.getByText("live", { exact: true }).waitFor();
      return page;
    },
    async expectSound(page, name = "page") {
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const width of widths) {
          await page.setViewportSize({ width, height: 850 });
          expect(await page.evaluate("document.documentElement.scrollWidth"), `${name} at ${width}`).toBe(width);
          await keepPicture(page, `${name}-${width}-${colorScheme}`);
        }
        await page.setViewportSize({ width: 1280, height: 850 });
        expect(await violationsIn(page), `${name} in ${colorScheme}`).toEqual([]);
      }
      expect(complaints.get(page), "the browser's console").toEqual([]);
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** With SYLK_SCREENSHOTS=folder the pictures are kept, for people to look at. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env["SYLK_SCREENSHOTS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

type AxeResults = { readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[] };

async function violationsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe); // by the debugger: the page's own policy lets no such script in
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
