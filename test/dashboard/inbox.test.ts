/** The inbox in a real browser: everything that waits for a person is decided there, and the daemon knows it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startRun, waitingApproval } from "../flows/rehearsed-runs.ts";
import { command, finish, plan, work, write } from "../flows/scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { makeQuickShop, shopEnv } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import { openBrowser, type OpenBrowser } from "./open-browser.ts";

let daemon: ScratchDaemon;
let browser: OpenBrowser;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  browser = openBrowser(daemon);
});
afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await daemon[Symbol.asyncDispose]();
});

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

it("shows a plan as it comes, says for whom a decision holds, and one key approves it [DASH-6, DASH-18]", async () => {
  const page = await browser.openDashboard("/inbox");
  await page.getByText("Nothing waits for you").waitFor();
  const run = await startRun({ daemon });
  await page.getByText("A decision holds for: this plan of this run.").waitFor();
  await page.getByText("Without one: it waits").waitFor();
  await browser.expectSound(page, "inbox-plan");
  await page.keyboard.press("a");
  await page.getByText(/^Approved: /).waitFor();
  await page.getByText("Nothing waits for you").waitFor();
  expect((await daemon.user.call("run.get", { id: run })).run.status).not.toBe("awaiting_approval");
});

it("is decided by thumb at 360 px: rejected, with the reason kept [DASH-18]", async () => {
  const page = await browser.openDashboard("/", phone);
  const run = await startRun({ daemon });
  await waitingApproval(run, { daemon });
  await page.getByRole("link", { name: /^Inbox/ }).tap();
  await page.getByRole("textbox", { name: /^Reason: / }).fill("not now");
  await page.getByRole("button", { name: "Reject" }).tap();
  await page.getByText(/^Rejected: /).waitFor();
  const ended = (await daemon.user.call("run.get", { id: run })).run;
  expect([ended.status, ended.reason]).toEqual(["cancelled", expect.stringContaining("not now")]);
});

it("folds one question of two engineers into one decision, and answers a question in words [DASH-6]", async () => {
  const shop = makeQuickShop(daemon);
  const client = daemon.clientOf({ project: shop.repository });
  const copy = command("cp", "src/cart.ts", "src/copied.ts");
  const done = (key: string) => [write(`src/${key}.ts`, `export const ${key} = 1;\n`), finish()];
  const words = { question: "Which currency?" };
  const clarify = { tool: "clarify", input: { question: "Which currency do your customers pay in?" } };
  const turns = [
    plan([{ key: "one" }, { key: "two" }, { key: "three" }]),
    { when: { tool: "answer_engineer", mentions: words.question }, reply: [clarify] },
    ...work("one", copy, done("one")),
    ...work("two", copy, done("two")),
    ...work("three", { tool: "request_help", input: words }, done("three")),
  ];
  const terms = { request: "Copy", project: { path: shop.repository }, rehearse: shop.scenario(turns) };
  const { run } = await client.call("run.start", {
    ...terms,
    approve: true,
    testCommand: ["node", "test/format.test.ts"],
  });
  const page = await browser.openDashboard("/inbox");
  await page.getByText("2 requests with this cause.").waitFor();
  const asked = page.locator(".card", { hasText: "Which currency do your customers pay in?" });
  await asked.waitFor(); // it comes by two roles, later than the commands
  const question = asked.and(page.locator(".chosen"));
  const first = page.getByRole("list", { name: "Requests" }).getByRole("listitem").first();
  await page.keyboard.press("k");
  await first.and(page.locator(".chosen")).waitFor();
  if (!(await first.innerText()).includes("Which currency")) await page.keyboard.press("j");
  await question.waitFor();
  await page.keyboard.press("a"); // a question is approved by its answer alone
  await page.keyboard.press("c");
  await page.keyboard.type("Euro <b>");
  await page.keyboard.press("Enter");
  await page.getByText(/^Answered: /).waitFor();
  await question.waitFor({ state: "detached" });
  const { items: events } = await client.call("event.list", { type: "approval.decided" });
  expect(JSON.stringify(events)).toContain("Euro <b>");
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await page.getByText(/^Rejected: /).waitFor();
  await page.getByText("Nothing waits for you").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  const waiting = async () => (await client.call("approval.list", { run: run.id })).items;
  await until("nothing waits", async () => (await waiting()).every(({ status }) => status !== "waiting"));
});

it("moves with j and k, shows who asks for holds, folds those of one reason, and says why a decision that came too late is refused [DASH-6]", async () => {
  const magpie = await daemon.register("magpie");
  const reasons = { "b.ts": "a typo", "c.ts": "a typo", "a.ts": `the build is <i>red</i>\u202e` };
  for (const [file, reason] of Object.entries(reasons)) {
    expect((await daemon.sylk(["reserve", file])).code).toBe(0);
    const [held] = (await daemon.user.call("reservation.list", { path: file })).items;
    await magpie.client.call("reservation.ask", { id: held!.id, reason });
  }
  const page = await browser.openDashboard("/inbox");
  await page.getByRole("heading", { name: "Release a.ts?" }).waitFor();
  await page.getByRole("list", { name: "Decided with it" }).getByText("Release c.ts?").waitFor();
  const chosen = page.locator(".card.chosen h3");
  expect(await chosen.innerText()).toBe("Release b.ts?");
  await page.keyboard.press("j");
  await expect.poll(() => chosen.innerText()).toBe("Release a.ts?");
  await page.keyboard.press("k");
  await expect.poll(() => chosen.innerText()).toBe("Release b.ts?");
  await browser.expectSound(page, "inbox-holds");
  await page.getByLabel("Project").selectOption({ label: "shop" });
  await expect.poll(() => chosen.innerText()).toBe("Release b.ts?");
  await page.keyboard.press("g");
  await page.keyboard.press("r"); // to Runs: the same letter rejects a card
  await expect.poll(() => new URL(page.url()).pathname).toBe("/runs");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect.poll(() => chosen.innerText()).toBe("Release b.ts?");
  const { items: waiting } = await daemon.user.call("approval.list", {});
  expect(waiting.map(({ question }) => question).toSorted()).toEqual(
    ["a", "b", "c"].map((one) => `Release ${one}.ts?`),
  );
  await page.keyboard.down("a");
  await page.getByRole("heading", { name: "Release b.ts?" }).waitFor({ state: "detached" });
  await page.keyboard.down("a"); // still held down: the card that takes its place is not decided
  await page.keyboard.up("a");
  const taken = await magpie.client.call("reservation.acquire", { paths: ["b.ts", "c.ts"] });
  expect(taken.reservation.holder.name).toBe("magpie");
  await page.route("**/v1/approvals?*", (route) => route.abort()); // the page does not hear of what comes next
  const [left] = (await daemon.user.call("approval.list", {})).items;
  await daemon.user.call("approval.decide", { id: left!.id, decision: "reject" });
  await page.keyboard.press("a");
  await page.getByRole("alert").filter({ hasText: left!.id }).waitFor();
});

it("decides nothing by a key in the moment in which another card takes the place of the chosen one [DASH-6]", async () => {
  const crow = await daemon.register("crow");
  for (const file of ["x.ts", "y.ts", "z.ts"]) {
    expect((await daemon.sylk(["reserve", file])).code).toBe(0);
    const [held] = (await daemon.user.call("reservation.list", { path: file })).items;
    await crow.client.call("reservation.ask", { id: held!.id, reason: `to mend ${file}` });
  }
  const page = await browser.openDashboard("/inbox");
  const chosen = page.locator(".card.chosen h3");
  await expect.poll(() => chosen.innerText()).toBe("Release x.ts?");
  // The key is pressed as soon as the card is gone, whatever the machine does meanwhile.
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (document.body.textContent.includes("Release x.ts?")) return;
    observer.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "a", bubbles: true }));
    document.body.dataset.pressed = "yes";
  }).observe(document.body, { subtree: true, childList: true })`);
  const waiting = (await daemon.user.call("approval.list", {})).items;
  const first = waiting.find(({ question }) => question === "Release x.ts?");
  await daemon.user.call("approval.decide", { id: first!.id, decision: "reject" });
  await page.locator("body[data-pressed]").waitFor();
  await expect.poll(() => chosen.innerText()).toBe("Release y.ts?");
  await page.reload();
  await page.getByRole("heading", { name: "Release z.ts?" }).waitFor();
  expect(await page.getByRole("heading", { name: "Release y.ts?" }).count()).toBe(1);
  for (const { id } of (await daemon.user.call("approval.list", {})).items)
    await daemon.user.call("approval.decide", { id, decision: "reject" });
});

it("shows unread messages to the person, and acknowledges and marks them as read only when asked [DASH-6, DASH-18]", async () => {
  const otter = await daemon.register("otter");
  await daemon.user.call("reservation.acquire", { paths: ["mine.ts"] }); // from then on the person is known by a name
  const me = (await daemon.user.call("agent.list", { limit: 500 })).items.find(({ client }) => client === "human")!;
  const { message } = await otter.client.call("mail.send", {
    to: [me.name],
    subject: "May I deploy?",
    body: "now",
    ackRequired: true,
  });
  const page = await browser.openDashboard("/inbox");
  await page.getByRole("link", { name: "May I deploy?" }).waitFor();
  const acknowledged = async () => (await otter.client.call("mail.get", { id: message.id })).acks[0]!.ackedAt;
  expect(await acknowledged()).toBeUndefined();
  await page.getByText("An acknowledgement, and what is marked as read, holds for you in shop.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "May I deploy?" }).and(page.locator(".chosen")).waitFor();
  await page.keyboard.press("a");
  await page.getByText("Acknowledged: May I deploy?").waitFor();
  expect(await acknowledged()).toBeDefined();
  await page.getByRole("button", { name: "Mark as read" }).click();
  await page.getByRole("link", { name: "May I deploy?" }).waitFor({ state: "detached" });
});
