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

it("shows client, task, process, branch, holds, waits and uncommitted files, in the list and in its drawer; a person asks and ends at 360 px [DASH-19, DASH-14, DASH-18]", async () => {
  const otter = await daemon.register("otter", { client: "codex" });
  const { reservation: held } = await otter.client.call("reservation.acquire", {
    paths: ["src/b.ts"],
    reason: "parser",
  });
  const { agent, token } = await daemon.user.call("agent.register", {
    sessionKey: "heron",
    name: "heron",
    client: "claude-code",
    project: { path: daemon.repository },
    pid: process.pid,
  });
  const client = daemon.clientOf({ token });
  const { workItem } = await client.call("work-item.create", { title: "Rate limits for orders" });
  await client.call("work-item.claim", { id: workItem.id });
  await client.call("guard.write", { paths: ["a.ts"], call: "t1" });
  writeFileSync(join(daemon.repository, "a.ts"), "export const a = 1;\n");
  await client.call("guard.used", { wrote: ["a.ts"], ended: [{ call: "t1" }] });
  const waits = client.call("reservation.acquire", { paths: ["src/b.ts"], waitMs: 60_000 });
  waits.catch(() => {}); // told below
  const page = await browser.openDashboard("/", { permissions: ["clipboard-read", "clipboard-write"] });
  const agents = page.getByRole("list", { name: "Agents" });
  const row = agents.getByRole("listitem").filter({ has: page.getByRole("link", { name: "heron", exact: true }) });
  await row.getByText("Rate limits for orders").waitFor();
  await row.getByText("claude-code").waitFor();
  await row.getByText("main", { exact: true }).waitFor();
  const place = (await daemon.user.call("agent.get", { id: agent.id })).agent.terminal ?? `pid ${process.pid}`;
  expect(await row.innerText()).toContain(place);
  await row.getByText("holds a.ts").waitFor();
  await row.getByText("waits for src/b.ts of otter").waitFor();
  await row.getByText("1 uncommitted file").waitFor();
  await row.getByRole("link", { name: "heron", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "heron" });
  const fact = (name: string) => drawer.locator(".facts > div", { has: page.getByText(name, { exact: true }) });
  const facts = { Task: "Rate limits for orders", Client: "claude-code", Process: `${process.pid}`, Branch: "main" };
  for (const [name, value] of Object.entries(facts)) await fact(name).getByText(value, { exact: true }).waitFor();
  const part = (name: string) => drawer.locator("section", { has: page.getByRole("heading", { name, exact: true }) });
  await part("Holds").getByText("a.ts").waitFor();
  await part("Waits for").getByText("src/b.ts").waitFor();
  await part("Waits for").getByText("held by otter").waitFor();
  await part("Uncommitted files").getByText("a.ts").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/agents/${agent.id}`);
  await drawer.getByRole("button", { name: /^Copy the command: sylk agent show/ }).click();
  const [, ...words] = (await page.evaluate<string>("navigator.clipboard.readText()")).split(" ");
  expect((await daemon.sylk(words)).stdout).toContain("Rate limits for orders");
  await browser.expectSound(page, "agent-heron");

  await page.setViewportSize({ width: 360, height: 740 });
  await page.keyboard.press("Escape");
  await agents.getByRole("link", { name: "otter", exact: true }).first().click();
  await page.getByRole("button", { name: "Ask to release" }).click();
  await page.getByText("otter is asked to release it").waitFor();
  const { items: asked } = await daemon.user.call("event.list", { type: "reservation.asked" });
  expect(asked.map(({ subject }) => subject)).toEqual([held.id]);
  await page.getByRole("button", { name: "End this agent…" }).click();
  await page.getByText("Its reservations and claims are released").waitFor();
  await page.getByRole("button", { name: "Leave it" }).click();
  expect((await daemon.user.call("agent.get", { id: otter.agent.id })).agent.status).not.toBe("ended");
  await page.getByRole("button", { name: "End this agent…" }).click();
  await page.getByRole("button", { name: "End it", exact: true }).click();
  await page.getByText("otter has ended").waitFor();
  expect((await daemon.user.call("agent.get", { id: otter.agent.id })).agent.status).toBe("ended");
  expect((await waits).reservation.holder.name).toBe("heron");
});

it("says that a link leads to an agent that is gone [DASH-14]", async () => {
  const page = await browser.openDashboard("/agents/agt_01jd8q3m7k4x9t2v5b8n1c");
  await page.getByRole("alert").getByText("agt_01jd8q3m7k4x9t2v5b8n1c").waitFor();
});
