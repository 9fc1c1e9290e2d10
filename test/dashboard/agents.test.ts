/** One agent in the browser: who "heron" is, what it does, and what a person can ask of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

it("shows client, task, process, branch, holds, waits and uncommitted files, in the list and in its drawer [DASH-19]", async () => {
  const otter = await daemon.register("otter", { client: "codex" });
  await otter.client.call("reservation.acquire", { paths: ["src/b.ts"], reason: "parser" });
  const { agent, client } = await daemon.register("heron", { client: "claude-code" });
  const { workItem } = await client.call("work-item.create", { title: "Rate limits for orders" });
  await client.call("work-item.claim", { id: workItem.id });
  await client.call("guard.write", { paths: ["a.ts"], call: "t1" });
  writeFileSync(join(daemon.repository, "a.ts"), "export const a = 1;\n");
  await client.call("guard.used", { wrote: ["a.ts"], ended: [{ call: "t1" }] });
  const waits = client.call("reservation.acquire", { paths: ["src/b.ts"], waitMs: 60_000 });
  const page = await browser.openDashboard();
  const row = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "heron", exact: true }) });
  await row.getByText("Rate limits for orders").waitFor();
  await row.getByText("claude-code").waitFor();
  await row.getByText("holds a.ts").waitFor();
  await row.getByText("waits for src/b.ts of otter").waitFor();
  await row.getByText("1 uncommitted file").waitFor();
  await page.getByRole("link", { name: "heron", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "heron" });
  for (const words of ["Rate limits for orders", "claude-code", "held by otter", "a.ts", "Uncommitted files"])
    await drawer.getByText(words).first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/agents/${agent.id}`);
  await browser.expectSound(page, "agent-heron");

  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "otter", exact: true }).first().click();
  await page.getByRole("button", { name: "Ask to release" }).click();
  await page.getByText("otter is asked to release it").waitFor();
  page.on("dialog", (question) => void question.accept());
  await page.getByRole("button", { name: "End this agent" }).click();
  await page.getByText("otter has ended").waitFor();
  expect((await daemon.user.call("agent.get", { id: otter.agent.id })).agent.status).toBe("ended");
  expect((await waits).reservation.holder.name).toBe("heron");
});
