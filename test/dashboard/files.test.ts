/** Files: tree, hot spots and drawer, in a real browser against a real daemon. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hookClient } from "../flows/hook-client.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until } from "../flows/until.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

const treeRow = (page: Page, path: string) =>
  page
    .getByRole("list", { name: /^Files of/ })
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: path, exact: true }) });
const heatOf = async (page: Page, path: string): Promise<number> =>
  Number(await treeRow(page, path).locator("meter").getAttribute("value"));
const reserve = async ({ client }: ScratchAgent, path: string, terms: object = {}) =>
  (await client.call("reservation.acquire", { paths: [path], ...terms })).reservation;

describe("Files", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
  });
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await daemon?.[Symbol.asyncDispose]();
  });

  it("shows a hold in the tree at once, who waits for it, and asks its holder from the drawer, at 360 px [DASH-4, DASH-18]", async () => {
    const [heron, otter, lynx] = [
      await daemon.register("heron", { client: "codex" }),
      await daemon.register("otter"),
      await daemon.register("lynx"),
    ];
    const page = await browser.openDashboard("/files", { viewport: { width: 360, height: 740 } });
    await page.getByText("Agents hold, wait for and change no file here.").waitFor();
    const held = await reserve(heron, "src/api/orders.ts", { reason: "limits" });
    await treeRow(page, "orders.ts").getByText("1 hold").waitFor();
    await page.getByRole("button", { name: "Folder src/api" }).click();
    await page.getByRole("link", { name: "orders.ts" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Folder src/api" }).click();
    const inLine = otter.client.call("reservation.acquire", { paths: ["src/api/orders.ts"], waitMs: 120_000 });
    await until("otter is in line", async () => {
      const { items } = await daemon.user.call("agent.list", {});
      return items.find(({ name }) => name === "otter")!.waits.length > 0;
    });
    await lynx.client.call("reservation.ask", { id: held.id });
    await treeRow(page, "orders.ts").getByText("2 waiting").waitFor();
    await page
      .getByRole("list", { name: /^Hot spots/ })
      .getByText("2 waiting")
      .waitFor();
    await page.getByRole("link", { name: "orders.ts" }).last().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText("limits").waitFor();
    await drawer.getByRole("link", { name: "heron" }).waitFor();
    expect(await drawer.innerText()).toMatch(/otter waits \(in line, since/);
    expect(await drawer.innerText()).toMatch(/lynx waits \(open, since/);
    await heron.client.call("reservation.answer", { id: held.id, decision: "acknowledge" });
    await drawer.getByText(/lynx waits \(acknowledged/).waitFor();
    await drawer.getByRole("button", { name: "Ask heron to release it" }).click();
    await until("the person has asked", async () => {
      const { items } = await daemon.user.call("event.list", { type: "reservation.asked" });
      return items.length === 2 && items.every(({ subject }) => subject === held.id);
    });
    await page.keyboard.press("Escape");
    await heron.client.call("reservation.release", { id: held.id });
    await inLine;
    await treeRow(page, "orders.ts").getByText("1 hand-over").waitFor();
    await page
      .getByText(/\d waiting/)
      .first()
      .waitFor({ state: "detached" });
    await browser.expectSound(page, "files");
  });

  it("shows hand-overs, heat, and the conflict that two worktrees forecast [DASH-4]", async () => {
    const repository = daemon.addRepository("wide");
    const second = join(daemon.root, "wide-2");
    execFileSync("git", ["worktree", "add", "--quiet", "-b", "side", second], { cwd: repository });
    const [wren, ibis] = [
      await daemon.register("wren", { project: repository }),
      await daemon.register("ibis", { project: second }),
    ];
    const crow = await daemon.register("crow", { project: repository });
    const page = await browser.openDashboard(`/files?project=${wren.agent.project.id}`);
    await reserve(wren, "src/calm.ts");
    for (const agent of [wren, crow, wren]) {
      const { id } = await reserve(agent, "src/passed.ts");
      await agent.client.call("reservation.release", { id });
    }
    await treeRow(page, "passed.ts").getByText("2 hand-overs · 1 back and forth").waitFor();
    expect(await heatOf(page, "passed.ts")).toBeGreaterThan(await heatOf(page, "calm.ts"));
    expect(await page.getByRole("list", { name: /^Hot spots/ }).innerText()).not.toContain("calm.ts");
    await reserve(wren, "src/both.ts");
    const theirs = await reserve(ibis, "src/both.ts");
    await treeRow(page, "both.ts").getByText("1 merge conflict forecast").waitFor();
    await page.getByRole("link", { name: "both.ts" }).last().click();
    const drawer = page.getByRole("dialog");
    await drawer.getByText(/A merge conflict is coming: .*hold it in two worktrees/).waitFor();
    expect(await drawer.innerText()).toMatch(/(ibis and wren|wren and ibis) hold it in two worktrees/);
    await browser.expectSound(page, "files-forecast");
    await ibis.client.call("reservation.release", { id: theirs.id });
    await drawer.getByText(/A merge conflict is coming/).waitFor({ state: "detached" });
  });

  it("shows the kept versions of a file that a client edits, compares one, and puts it back on the disk [DASH-4, DASH-14]", async () => {
    const repository = daemon.addRepository("edited");
    await daemon.sylk(["install", "claude-code", "--yes"], { cwd: repository });
    const client = hookClient({ session: "editing", repository, env: daemon.env });
    await client.start();
    const path = "src/price.ts";
    for (const content of ["export const price = 1;\n", "export const price = 2;\n"]) {
      const call = { tool_name: "Edit", tool_input: { file_path: join(repository, path) } };
      expect(await client.send("PreToolUse", { tool_use_id: "toolu_1", ...call })).toMatchObject({ code: 0 });
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), content);
      await client.send("PostToolBatch", { tool_calls: [call] });
    }
    const here = daemon.clientOf({ project: repository });
    const versions = await until("both versions are kept", async () => {
      const { items } = await here.call("file.history", { path });
      return items.filter(({ state }) => state === "kept").length >= 2 && items;
    });
    const project = (await daemon.user.call("project.list", {})).items.find(({ name }) => name === "edited")!.id;
    const page = await browser.openDashboard(`/files?project=${project}`, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await treeRow(page, "price.ts").getByText(`${versions.length} versions`).waitFor();
    expect(await heatOf(page, "price.ts")).toBeGreaterThan(0);
    await page.getByRole("link", { name: "price.ts" }).click();
    expect(new URL(page.url()).pathname).toBe("/files/src%2Fprice.ts");
    const drawer = page.getByRole("dialog");
    const older = drawer.getByRole("listitem").filter({ hasText: "24 bytes" }).last();
    expect(await older.innerText()).toContain(versions.find(({ author }) => author !== undefined)!.author!.name);
    await older.getByRole("button", { name: "Compare with the file now" }).click();
    await drawer.getByLabel("Difference").getByText("-export const price = 1;").waitFor();
    await drawer.getByLabel("Difference").getByText("+export const price = 2;").waitFor();
    await drawer.getByRole("button", { name: "Restore this version…" }).click();
    await drawer.getByRole("button", { name: "Keep the file" }).click();
    expect(readFileSync(join(repository, path), "utf8")).toBe("export const price = 2;\n");
    await drawer.getByRole("button", { name: "Restore this version…" }).click();
    await drawer.getByRole("button", { name: "Replace it" }).click();
    await page.locator(".notice", { hasText: `Restored ${path}` }).waitFor();
    expect(readFileSync(join(repository, path), "utf8")).toBe("export const price = 1;\n");
    await drawer.getByRole("button", { name: /^Copy the command: sylk file history/ }).click();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    expect(copied).toBe("sylk file history src/price.ts");
    expect((await daemon.sylk(["file", "history", path], { cwd: repository })).stdout).toContain(versions[0]!.id);
    await browser.expectSound(page, "files-versions");
  });
});
