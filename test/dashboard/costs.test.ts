/** Costs, in a real browser against a real daemon. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRun, waitingApproval } from "../flows/rehearsed-runs.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
const line = (id: string, model: string, at: string) =>
  `${JSON.stringify({ type: "assistant", sessionId: "s1", requestId: `r-${id}`, timestamp: at, message: { id, model, usage: { input_tokens: 1_000, output_tokens: 234, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } } })}\n`;

describe("Costs", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says that no call is recorded, then shows a run's tokens against its limit, without a reload [DASH-9]", async () => {
    const page = await browser.openDashboard("/costs");
    await page.getByText("No model call is recorded.").waitFor();
    await browser.expectSound(page, "costs-empty");
    const id = await startRun({ daemon }, { budget: 50_000 });
    await waitingApproval(id, { daemon });
    const { cost } = (await daemon.user.call("run.get", { id })).run;
    const used = (cost.inputTokens + cost.outputTokens).toLocaleString("en");
    await page.getByText(`${used} of 50,000 tokens`).waitFor();
    await page.getByRole("link", { name: "Show over time: Add a discount" }).click();
    await page.getByRole("img", { name: /tokens used after each call, limit 50,000/ }).waitFor();
    expect(new URL(page.url()).searchParams.get("run")).toBe(id);
    await browser.expectSound(page, "costs-run");
  });

  it("groups by what the address says, shows unknown as unknown, and says what the totals leave out [DASH-9, DASH-14]", async () => {
    const file = join(daemon.env["HOME"]!, ".claude", "projects", "-shop", "s1.jsonl");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      line("a", "my-model", "2026-03-01T10:00:00Z") + line("b", "<b>model</b>", "2026-03-02T10:00:00Z"),
    );
    const page = await browser.openDashboard("/costs?by=model");
    const row = page.getByRole("row").filter({ hasText: "my-model" });
    await row.waitFor();
    expect(await row.getByRole("cell").allTextContents()).toEqual(["unknown", "1", "1,000", "234", "0", "0", "1,000"]);
    await page.getByRole("row").filter({ hasText: "<b>model</b>" }).waitFor();
    await page
      .getByLabel("Left out of the totals")
      .getByText(/have no known price/)
      .waitFor();
    await page.getByRole("img", { name: "Billed tokens by model" }).waitFor();
    await browser.expectSound(page, "costs");
    await page.getByRole("link", { name: "Day" }).click();
    await page.getByRole("row").filter({ hasText: "2026-03-01" }).waitFor();
    await page.getByLabel("Days").selectOption("7");
    await page.getByRole("row").filter({ hasText: "2026-03-01" }).waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?by=day&days=7");
  });

  it("shows of one project only the calls of its own sessions, and types the same in a terminal [DASH-9, DASH-14]", async () => {
    const nest = daemon.addRepository("nest");
    await daemon.register("crow", { project: nest });
    const folder = join(daemon.env["HOME"]!, ".claude", "projects", "-nest");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "s2.jsonl"),
      line("c", "crow-model", "2026-03-03T10:00:00Z").replace('"s1"', '"test-crow"'),
    );
    const { items } = await daemon.user.call("project.list", {});
    const of = (name: string) => items.find((one) => one.name === name)!.id;
    const page = await browser.openDashboard("/costs?by=model");
    await page.getByRole("row").filter({ hasText: "crow-model" }).waitFor();
    await page.getByRole("row").filter({ hasText: "my-model" }).waitFor();
    await page.getByLabel("Project").selectOption(of("nest"));
    await page.getByRole("row").filter({ hasText: "crow-model" }).and(page.locator("tbody tr:only-child")).waitFor();
    await page.getByRole("button", { name: "Copy the command: sylk cost --by model --here" }).waitFor();
    const typed = await daemon.sylk(["cost", "--by", "model", "--here"], { cwd: nest });
    expect(typed.stdout).toContain("crow-model");
    expect(typed.stdout).not.toContain("my-model");
    await page.getByLabel("Project").selectOption(of("shop"));
    const ofShop = page.getByRole("row").filter({ hasText: "rehearsal" }); // of the run above
    await ofShop.and(page.locator("tbody tr:only-child")).waitFor();
    const today = await browser.openDashboard("/costs?by=model&days=1");
    await today.getByRole("row").filter({ hasText: "rehearsal" }).waitFor();
    expect(await today.getByRole("row").filter({ hasText: "crow-model" }).count()).toBe(0);
  });

  it("shows savings of a project with their formula, measured and estimated apart [DASH-9]", async () => {
    const { items } = await daemon.user.call("project.list", {});
    const page = await browser.openDashboard(`/costs?project=${items[0]!.id}`);
    const { formula } = await daemon.user.call("history.savings", { allSessions: true });
    await page.getByText(formula.slice(0, 40)).waitFor();
    expect(await page.getByRole("rowheader", { name: /^(measured|estimated)$/ }).count()).toBe(2);
    const other = await browser.openDashboard("/costs");
    await other.getByText("Choose a project").waitFor();
  });
});
