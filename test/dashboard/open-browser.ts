/**
 * The dashboard in a real Chromium, signed in at a real daemon.
 *
 *   await using browser = openBrowser(daemon);
 *   const page = await browser.openDashboard("/runs");
 *   await browser.expectSound(page);
 */
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium } from "./find-chromium.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";

export type OpenBrowser = AsyncDisposable & {
  /** A new tab of a signed-in browser at an address of the dashboard. */
  openDashboard(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** No error in the console, nothing that sticks out at any width, no violation of WCAG AA in either theme. */
  expectSound(page: Page, name?: string): Promise<void>;
};

/** In the list of agents: a problem may name the same agent. */
export function agentLink(page: Page, name: string): Locator {
  return page.getByRole("list", { name: "Agents" }).getByRole("link", { name });
}

const flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const widths = [360, 1280, 2560];

export function openBrowser(daemon: Pick<ScratchDaemon, "user">): OpenBrowser {
  let launched: Promise<Browser> | undefined; // at the first page: without a browser no test gets that far
  const launch = (): Promise<Browser> => chromium.launch({ executablePath: findChromium()!, args: flags });
  const complaints = new Map<Page, string[]>();
  return {
    async openDashboard(path = "/", options = {}) {
      launched ??= launch();
      const context = await (
        await launched
      ).newContext({ locale: "en-GB", viewport: { width: 1280, height: 850 }, ...options });
      const page = await context.newPage();
      const heard: string[] = [];
      complaints.set(page, heard);
      page.on("console", (message) => {
        if (message.type() === "error" && !isRefusal(message.text())) heard.push(message.text());
      });
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
    async [Symbol.asyncDispose]() {
      await (await launched)?.close();
    },
  };
}

/** The browser complains about each answer that is not a success; a refusal by the daemon is shown, not a fault. */
function isRefusal(complaint: string): boolean {
  return /^Failed to load resource: .*status of 4\d\d/u.test(complaint);
}

/** With SYLK_SCREENSHOTS=folder the pictures are kept, for people to look at. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env["SYLK_SCREENSHOTS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

type AxeResults = {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
};

async function violationsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe); // by the debugger: the page's own policy lets no such script in
  const { violations } = await page.evaluate<AxeResults>(
    'axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })',
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}
