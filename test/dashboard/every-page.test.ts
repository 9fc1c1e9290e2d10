/** What holds for every page: sizes, themes, keys, words beside colours, hostile names, nothing from elsewhere. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pageEntries } from "../../dashboard/src/shell/page-names.ts";
import { dashboardPages } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { shopEnv } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import { enterInPalette } from "./enter-in-palette.ts";
import { type FullShop, fillShop } from "./full-shop.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";
import { wordsOf } from "./split-words.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
let shop: FullShop;
let sights: readonly Sight[];
const requests: string[] = [];
const complaints: string[] = [];

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe("Every page", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon({ env: shopEnv });
    browser = openBrowser(daemon);
    shop = await fillShop(daemon);
    sights = await seeEverything();
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await daemon?.[Symbol.asyncDispose]();
  });

  it.each(dashboardPages)(
    "%s: AA, 360 to 2560 px, light and dark, with and without an open thing [DASH-13]",
    async (name) => {
      const page = await openSettled(`/${name}?project=${shop.project}`);
      expect(await lightAndDark(page)).toHaveLength(2);
      await browser.expectSound(page, `full-${name}`);
      await visit(page, shop.addresses[name]);
      await browser.expectSound(page, `full-${name}-thing`);
    },
  );

  it("was seen in a real browser at a real daemon, with one thing on each [DASH-17]", () => {
    const seenAt = new Map(sights.map((sight) => [sight.address, sight]));
    const titles = new Map(pageEntries.map(({ page, name }) => [page, name])).set("agents", "Now");
    for (const page of dashboardPages) {
      expect(titles.get(page), page).toBeDefined();
      expect(seenAt.get(`/${page}?project=${shop.project}`)?.headings, page).toContain(titles.get(page));
      expect(seenAt.get(shop.addresses[page]), page).toBeDefined();
    }
    for (const { address, text } of sights) expect(text, address).not.toContain("There is no such page");
  });

  it("follows the log through every size of the window [DASH-11]", async () => {
    const page = await openSettled(`/events?project=${shop.project}`);
    const following = page.getByRole("button", { name: "Following" });
    const log = page.getByRole("log", { name: "Events" });
    const isInView = async (title: string): Promise<boolean> => {
      const [row, box] = [await page.getByRole("link", { name: title }).boundingBox(), await log.boundingBox()];
      return row !== null && box !== null && row.y >= box.y && row.y + row.height <= box.y + box.height + 1;
    };
    const created: string[] = [];
    for (const width of [1_280, 360, 2_560, 360, 1_280]) {
      await page.evaluate(manyFrames); // the list holds the place it scrolled to for a while; a person resizes later
      await page.setViewportSize({ width, height: width === 360 ? 500 : 850 });
      const last = created.at(-1);
      if (last !== undefined) await expect.poll(() => isInView(last)).toBe(true);
      const title = `Seen at ${width}, as number ${created.push(`as number ${created.length + 1}`)}`;
      await daemon.user.call("work-item.create", { title });
      await page.getByRole("link", { name: `Work item created: ${title}` }).waitFor();
      expect(await following.getAttribute("aria-pressed"), `at ${width}`).toBe("true");
    }
  });

  it("says every state in a word beside its shape, and a word looks alike everywhere [DASH-13]", () => {
    const looksOf = new Map<string, Set<string>>();
    for (const { address, marks } of sights)
      for (const { tone, shape, word } of marks) {
        expect(word, `${address}: ${tone} ${shape}`).not.toBe("");
        expect(shape, `${address}: ${word}`).not.toBe("");
        looksOf.set(word, (looksOf.get(word) ?? new Set()).add(`${tone} ${shape}`));
      }
    expect(looksOf.size).toBeGreaterThan(10);
    for (const [word, looks] of looksOf) expect([...looks], word).toHaveLength(1);
  });

  it("shows one tab of each row as the chosen one", () => {
    const rows = sights.flatMap(({ address, chosenTabs }) => chosenTabs.map((chosen) => ({ address, chosen })));
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter(({ chosen }) => chosen !== 1)).toEqual([]);
  });

  it("is reached by keys alone: two letters, the palette, and everything that is clicked has a place in the tab order [DASH-13]", async () => {
    const page = await browser.openDashboard("/");
    expect(new Set(pageEntries.map(({ page: name }) => name))).toEqual(
      new Set(dashboardPages.filter((name) => name !== "agents")),
    );
    for (const { page: name, name: title, key } of pageEntries) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await expect.poll(() => pathOf(page)).toBe(name === "now" ? "/" : `/${name}`);
      const other = pageEntries.find((entry) => entry.page !== name)!;
      await enterInPalette(page, other.name, `${other.name} page`);
      await expect.poll(() => pathOf(page)).toBe(other.page === "now" ? "/" : `/${other.page}`);
      await enterInPalette(page, title, `${title} page`);
      await expect.poll(() => pathOf(page)).toBe(name === "now" ? "/" : `/${name}`);
    }
    for (const { address, unreachable } of sights) expect(unreachable, address).toEqual([]);
  });

  it("keeps each name of the bottom bar on one line at 360 px, also with a badge [DASH-13]", async () => {
    const page = await browser.openDashboard("/", phone);
    const bar = page.getByRole("navigation", { name: "Pages" });
    await bar.getByLabel(/^\d+ waiting$/).waitFor();
    const lines = await page.evaluate<readonly { name: string; lines: number }[]>(readLines);
    expect(lines.map(({ name }) => name)).toEqual(["Now", "Inbox", "Runs", "Work", "More"]);
    expect(lines.filter((one) => one.lines !== 1)).toEqual([]);
    await bar.getByRole("button", { name: "More" }).tap();
    await page.getByRole("menuitem", { name: "Costs" }).tap();
    await page.getByRole("heading", { name: "Costs", exact: true }).waitFor();
  });

  it("loads nothing from elsewhere, breaks no rule of its policy, and shows hostile names as text [DASH-15]", () => {
    expect(requests.length).toBeGreaterThan(50);
    expect(requests.filter((url) => new URL(url).origin !== daemon.url)).toEqual([]);
    expect(complaints).toEqual([]);
    for (const { address, isHarmed, foreignParts } of sights)
      expect({ address, isHarmed, foreignParts }).toEqual({ address, isHarmed: false, foreignParts: 0 });
    for (const name of ["findings", "messages", "inbox", "work", "health", "knowledge", "events", "costs"] as const) {
      const { text } = sights.find(({ address }) => address === shop.addresses[name])!;
      expect(text, name).toContain("<img src=x");
    }
  });

  it("copies commands that work as they are typed in a terminal [DASH-14]", async () => {
    const commands = new Map(sights.flatMap((sight) => sight.commands.map((one) => [one, sight.address] as const)));
    const withCommands = ["files", "inbox", "findings", "messages", "knowledge", "costs", "health", "events"];
    for (const { address, commands: found } of sights)
      if (withCommands.some((name) => address.startsWith(`/${name}`))) expect(found, address).not.toEqual([]);
    expect(commands.size).toBeGreaterThan(25);
    for (const [command, address] of commands) {
      if (command.includes("…") || /^sylk (up|install|dashboard)\b/.test(command)) continue; // for words of the person
      if (command.startsWith("sylk approve run_")) continue; // the decision that "sylk approve apr_…" has made already
      const [program, ...words] = wordsOf(command.replace(" --follow", ""));
      expect(program).toBe("sylk");
      const { code, stderr } = await daemon.sylk(words);
      // 7: the doctor found a problem; 5: the run that an approval continued is not verified
      const good = words[0] === "doctor" ? [0, 7] : words[0] === "approve" ? [0, 5] : [0];
      expect(good, `${command} of ${address}: ${stderr}`).toContain(code);
    }
    const page = await browser.openDashboard(shop.addresses.findings, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Copy the command: / }).click();
    await dialog.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `sylk finding show ${shop.addresses.findings.split("/").at(-1)!}`,
    );
  });
});

/** What was seen at one address. */
type Sight = {
  readonly address: string;
  readonly marks: readonly { readonly tone: string; readonly shape: string; readonly word: string }[];
  /** What invites a click and cannot be reached by a key. */
  readonly unreachable: readonly string[];
  readonly headings: readonly string[];
  /** How many of each row of tabs look chosen. */
  readonly chosenTabs: readonly number[];
  readonly isHarmed: boolean;
  readonly foreignParts: number;
  readonly commands: readonly string[];
  readonly text: string;
};

/** Every page, one thing on each, and further views: seen once for all tests. */
async function seeEverything(): Promise<readonly Sight[]> {
  const page = await browser.openDashboard("/");
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (said) =>
    /content security policy/i.test(said.text()) ? complaints.push(said.text()) : undefined,
  );
  const lists = dashboardPages.map((name) => `/${name}?project=${shop.project}`);
  const seen: Sight[] = [];
  for (const address of [...lists, ...Object.values(shop.addresses), ...shop.views]) {
    await visit(page, address);
    seen.push({ address, ...(await page.evaluate<Omit<Sight, "address">>(readSight)) });
  }
  return seen;
}

async function openSettled(address: string): Promise<Page> {
  const page = await browser.openDashboard(address);
  await settled(page);
  return page;
}

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(new URL(address, daemon.url).href);
  await page.getByText("live", { exact: true }).waitFor();
  await settled(page);
}

/** Everything that is shown has been read. */
async function settled(page: Page): Promise<void> {
  await page.locator("main h2, main [role=alert], main .problem").first().waitFor();
  await until("everything is read", async () => (await page.getByText("Loading…").count()) === 0);
}

function pathOf(page: Page): string {
  return new URL(page.url()).pathname;
}

/** The ground of the page in each theme; the two differ. */
async function lightAndDark(page: Page): Promise<readonly string[]> {
  const grounds = new Set<string>();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    grounds.add(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor"));
  }
  return [...grounds];
}

/** Scripts of the debugger, as text: the page's own policy lets none in. */
const manyFrames = `new Promise((resolve) => {
  let left = 30;
  const next = () => (left-- === 0 ? resolve() : requestAnimationFrame(next));
  next();
})`;

const readSight = `({
  marks: [...document.querySelectorAll(".state, .protection")].map((one) => ({
    tone: one.className,
    shape: one.querySelector("svg")?.innerHTML ?? "",
    word: one.textContent.trim().replace(/\\d+/g, "1"),
  })),
  unreachable: [...document.querySelectorAll("body *")]
    .filter((one) => getComputedStyle(one).cursor === "pointer" && one.checkVisibility())
    .filter((one) => {
      const reached = one.closest("a[href], button, input, select, textarea, summary, label, [tabindex]");
      return reached === null || (reached.tabIndex < 0 && reached.tagName !== "LABEL");
    })
    .map((one) => one.outerHTML.slice(0, 200)),
  headings: [...document.querySelectorAll("main :is(h2, h3)")].map((one) => one.firstChild.textContent.trim()),
  chosenTabs: [...document.querySelectorAll(".tabs")].map(
    (row) => [...row.querySelectorAll("a")].filter((one) => getComputedStyle(one).boxShadow !== "none").length,
  ),
  isHarmed: window.harmed ?? false,
  foreignParts: document.querySelectorAll("main :is(img, script, iframe), [role=dialog] :is(img, script, iframe)").length,
  commands: [...document.querySelectorAll("[aria-label^='Copy the command: ']")].map((one) =>
    one.getAttribute("aria-label").replace("Copy the command: ", ""),
  ),
  text: document.body.innerText,
})`;

const readLines = `[...document.querySelectorAll(".navigation li")]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const text = document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode();
    const range = document.createRange();
    range.selectNodeContents(text);
    const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    return { name: text.textContent.trim(), lines: tops.size };
  })`;
