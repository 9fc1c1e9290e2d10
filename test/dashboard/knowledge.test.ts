/** Knowledge in a real browser against a real daemon. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { writeTree } from "../flows/scratch-home.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
let heron: ScratchAgent;

describe("Knowledge", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    writeTree(daemon.repository, {
      "src/price.ts": "export function priceOf(cents: number) {\n  return cents; // <b>whole</b>\n}\n",
      "src/cart.ts": 'import { priceOf } from "./price.ts";\n\nexport const total = priceOf(5);\n',
      "src/many.txt": "oftentimes\n".repeat(501),
      "handbook/leases.md": "# Leases\n\nAfter a restart every live lease gets one full time limit of 300 seconds.\n",
    });
    execFileSync("git", ["add", "--all"], { cwd: daemon.repository, env: daemon.env });
    browser = openBrowser(daemon);
    heron = await daemon.register("heron");
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("takes the only project, else asks for one, finds symbols and text as they are typed, and shows a symbol with its usages [DASH-8, DASH-14]", async () => {
    const page = await browser.openDashboard("/knowledge");
    await page.getByRole("searchbox", { name: "Search code" }).waitFor();
    await daemon.register("otter", { project: daemon.addRepository("second") });
    await page.getByRole("button", { name: "shop" }).click();
    await page.getByText("sylk find priceOf").waitFor();
    await page.getByRole("searchbox", { name: "Search code" }).fill("priceOf");
    await page.getByText("It exists.").waitFor();
    await page.locator("mark").getByText("priceOf").first().waitFor();
    const line = page.getByLabel("src/price.ts:1", { exact: true });
    expect(await line.locator(".keyword").allTextContents()).toEqual(["export", "function"]);
    await browser.expectSound(page, "knowledge-code");
    await page.getByLabel("Look for").selectOption("text");
    await page.getByRole("searchbox", { name: "Search code" }).fill("<b>whole</b>");
    await page.getByRole("list", { name: "Matches" }).locator("mark").getByText("<b>whole</b>").waitFor();
    await page.getByRole("searchbox", { name: "Search code" }).fill("oftentimes");
    await page.getByRole("heading", { name: "Matches 500+" }).waitFor();
    await page.getByRole("searchbox", { name: "Search code" }).fill("no such text here");
    await page.getByText("No indexed file has it.").waitFor();
    const { project } = (await daemon.user.call("agent.get", { id: heron.agent.id })).agent;
    const symbol = await browser.openDashboard(`/knowledge/priceOf?project=${project.id}`);
    await symbol.getByRole("list", { name: "Usages" }).getByText("src/cart.ts:3").waitFor();
    await symbol.getByRole("list", { name: "Outline" }).getByText("priceOf").waitFor();
    await browser.expectSound(symbol, "knowledge-symbol");
    const gone = await browser.openDashboard(`/knowledge/noSuchSymbol?project=${project.id}`);
    await gone.getByText("No symbol in the indexed files is called “noSuchSymbol”.").waitFor();
  });

  it("shows what sessions kept, and promotes, revokes, keeps and archives it [DASH-8, DASH-18]", async () => {
    const { project } = (await daemon.user.call("agent.get", { id: heron.agent.id })).agent;
    const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };
    const page = await browser.openDashboard(`/knowledge?tab=history&project=${project.id}`, phone);
    await page.getByText("No entry is kept that fits.").waitFor();
    const { entry } = await heron.client.call("history.store", {
      title: "Prices are whole cents",
      category: "decision",
    });
    const stored = async () => (await daemon.user.call("history.get", { id: entry.id })).entry;
    await heron.client.call("history.store", { title: "The build broke", category: "failure" });
    await page.getByRole("link", { name: "The build broke" }).waitFor();
    await page.getByLabel("Category").selectOption("decision");
    await page.getByRole("link", { name: "The build broke" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Prices are whole cents" }).tap();
    await page.getByText("It holds for all sessions of shop.").waitFor();
    await page.getByRole("textbox", { name: "Reason" }).fill("every change needs it");
    await page.getByRole("button", { name: "Promote" }).tap();
    await page.getByRole("button", { name: "Revoke" }).waitFor();
    expect(await stored()).toMatchObject({ promoted: { reason: "every change needs it" } });
    await page.getByRole("button", { name: "Keep" }).tap();
    await page.getByRole("button", { name: "Do not keep" }).waitFor();
    expect((await stored()).kept).toBe(true);
    await page.getByRole("button", { name: "Archive", exact: true }).tap();
    await page.getByRole("button", { name: "Take out of the archive" }).waitFor();
    expect((await stored()).archived).toBe(true);
    await page.getByRole("textbox", { name: "Reason" }).fill("no longer so");
    await page.getByRole("button", { name: "Revoke" }).tap();
    await page.getByRole("button", { name: "Promote" }).waitFor();
    expect((await stored()).promoted).toBeUndefined();
    await browser.expectSound(page, "knowledge-entry");
  });

  it("answers from sources with the sentence beside each claim, and checks a claim [DASH-8, DASH-18]", async () => {
    const { project } = (await daemon.user.call("agent.get", { id: heron.agent.id })).agent;
    const page = await browser.openDashboard(`/knowledge?tab=research&project=${project.id}`);
    await page.getByText("sylk research add docs").waitFor();
    await page.getByLabel("Path or address of a source").fill(join(daemon.repository, "handbook"));
    await page.getByRole("button", { name: "Add the source" }).click();
    await page.getByText("The source was added.").waitFor();
    await page.getByText("A source holds for all agents of shop, and so does its removal.").waitFor();
    await page.getByRole("searchbox", { name: "Search research" }).fill("how long does a lease last after a restart?");
    await page.getByRole("list", { name: "Claims" }).getByText("quoted").first().waitFor();
    await page.getByText("leases.md:").first().waitFor();
    await browser.expectSound(page, "knowledge-research");
    await page.getByLabel("Look for").selectOption("check");
    await page.getByRole("searchbox", { name: "Search research" }).fill("A lease lasts for 9 days");
    await page.getByText("unsupported").waitFor();
    await page.getByRole("button", { name: "Remove handbook" }).click();
    await page.getByText("sylk research add docs").waitFor();
    expect((await heron.client.call("research.sources", {})).items).toEqual([]);
  });
});
