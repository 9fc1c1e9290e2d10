/** Messages in a real browser against a real daemon. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mail, RawInputOf } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;
let heron: ScratchAgent;
let otter: ScratchAgent;

const send = async ({ client }: ScratchAgent, terms: RawInputOf<"mail.send">): Promise<Mail> =>
  (await client.call("mail.send", terms)).message;
const inboxOf = async ({ client }: Pick<ScratchAgent, "client">) => (await client.call("mail.inbox", {})).items;

describe("Messages", () => {
  beforeAll(async () => {
    daemon = await openScratchDaemon();
    browser = openBrowser(daemon);
    heron = await daemon.register("heron", { client: "codex" });
    otter = await daemon.register("otter");
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await daemon[Symbol.asyncDispose]();
  });

  it("says what to type while there is none, then shows mail as threads, without a reload [DASH-7]", async () => {
    const page = await browser.openDashboard("/messages");
    await page.getByText("sylk mail send").waitFor();
    await browser.expectSound(page, "messages-empty");
    const asked = await send(heron, { to: ["otter"], subject: "May I have src/orders.ts?", body: "Two lines." });
    await page.getByRole("link", { name: "May I have src/orders.ts?" }).waitFor();
    await send(otter, { replyTo: asked.id, subject: "Re: May I", body: "Take it." });
    await page.getByText("2 messages").waitFor();
    await send(heron, { topic: "api/orders", subject: "The schema changed" });
    await page.getByRole("link", { name: "The schema changed" }).waitFor();
    expect(await page.getByRole("list", { name: "Threads" }).getByRole("listitem").count()).toBe(2);
    await browser.expectSound(page, "messages");
    await page.getByRole("link", { name: "May I have src/orders.ts?" }).click();
    const texts = page.getByRole("list", { name: "Messages of the thread" }).locator(".mail-body");
    await texts.nth(1).waitFor();
    expect(await texts.allTextContents()).toEqual(["Two lines.", "Take it."]);
    await send(heron, { replyTo: asked.id, to: ["otter"], subject: "Re: May I", body: "Done with it." });
    await page.getByText("Done with it.").waitFor();
    await browser.expectSound(page, "thread");
  });

  it("filters by words, topic and agent, and the address keeps the filter [DASH-7, DASH-14]", async () => {
    const page = await browser.openDashboard("/messages?topic=api/orders");
    await page.getByRole("link", { name: "The schema changed" }).waitFor();
    expect(await page.getByRole("link", { name: /May I have/ }).count()).toBe(0);
    await page.getByRole("searchbox", { name: "Topic" }).fill("");
    await page.getByRole("searchbox", { name: "Agent" }).fill("otter");
    await page.getByRole("link", { name: /May I have/ }).waitFor();
    await page.getByRole("link", { name: "The schema changed" }).waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Text" }).fill("nothing like this");
    await page.getByText("No message matches these filters.").waitFor();
    expect(new URL(page.url()).search).toBe("?agent=otter&text=nothing+like+this");
  });

  it("writes, is asked to acknowledge, replies, and reads only where told to [DASH-7, DASH-18]", async () => {
    const page = await browser.openDashboard("/messages", { viewport: { width: 360, height: 800 } });
    await page.getByRole("button", { name: "Write a message" }).click();
    await page.getByLabel("Subject").fill("How far are you?");
    await page.getByLabel("Names of agents").fill("heron");
    await page.getByLabel("Ask for an acknowledgement").check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("The message was sent.").waitFor();
    await page.getByText("awaited").waitFor();
    const asked = (await inboxOf(heron)).find(({ from }) => from.client === "human");
    expect(asked).toMatchObject({ subject: "How far are you?", importance: "normal" });
    await heron.client.call("mail.ack", { id: asked!.id });
    await page.getByText("acknowledged", { exact: true }).waitFor();
    await send(heron, { replyTo: asked!.id, subject: "Re: How far", body: "Half of it.", ackRequired: true });
    await page.getByText("Half of it.").waitFor();
    await page.getByRole("button", { name: "Acknowledge for shop" }).click();
    await page.getByText("The message is acknowledged.").waitFor();
    await page.getByLabel("Reply").fill("Thank you.");
    await page.getByRole("button", { name: "Reply" }).click();
    await page.getByText("The reply was sent.").waitFor();
    expect((await inboxOf(heron)).at(-1)).toMatchObject({ body: "Thank you.", thread: asked!.id });
    const unread = () => daemon.user.call("mail.everywhere", {});
    expect((await unread()).items).toHaveLength(1);
    await browser.expectSound(page, "thread-acks");
    await page.getByRole("button", { name: "Mark as read" }).click();
    await page.getByText("Read up to here in shop.").waitFor();
    expect((await unread()).items).toEqual([]);
    await page.getByRole("button", { name: "Mark as read" }).waitFor({ state: "detached" });
  });

  it("shows in the daemon's words why a message was not sent [DASH-18]", async () => {
    const page = await browser.openDashboard("/messages?write=new");
    await page.getByLabel("Names of agents").fill("nobody-here");
    await page.getByLabel("Subject").fill("How far are you?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".notice.bad").getByText("nobody-here").waitFor();
  });

  it("lists acknowledgements that are overdue, with a link to the message [DASH-7]", async () => {
    await send(heron, { to: ["otter"], subject: "Release it please", ackRequired: true, ackWithinMs: 1_000 });
    const page = await browser.openDashboard("/messages");
    const link = page.getByRole("list", { name: "Overdue acknowledgements" }).getByRole("link");
    await expect
      .poll(async () => (await heron.client.call("mail.overdue", {})).items.length, { timeout: 10_000 })
      .toBe(1);
    await page.reload(); // time alone makes it overdue: no event says so
    await link.click();
    await page.getByRole("list", { name: "Acknowledgements", exact: true }).getByText("overdue").waitFor();
  });

  it("says of a message that is gone that it is gone [DASH-14]", async () => {
    const page = await browser.openDashboard("/messages/msg_01jd8q3m7k4x9t2v5b8n1c");
    await page.getByText(/There is no message msg_01jd8q3m7k4x9t2v5b8n1c/).waitFor();
  });

  it("shows hostile words as text without live links, and folds long ones [DASH-15]", async () => {
    const subject = `<img src=x onerror=alert(1)> \u202Egnp ${"long".repeat(60)}`;
    const body = `https://example.invalid/steal <script>alert(1)</script>\n${"wide".repeat(2_000)}END`;
    const { id } = await send(heron, { to: ["otter"], subject, body });
    const page = await browser.openDashboard(`/messages/${id}`);
    await page.getByText("<script>alert(1)</script>").waitFor();
    expect(await page.locator('a[href*="example.invalid"]').count()).toBe(0);
    expect(await page.getByText("END").count()).toBe(0);
    await browser.expectSound(page, "thread-hostile");
    await page.getByRole("button", { name: "Show all of it" }).click();
    await page.getByText("END").waitFor();
  });
});
