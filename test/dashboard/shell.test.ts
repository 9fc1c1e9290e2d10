/** The frame around every page: addresses, palette, keys, themes, hostile names, projects. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { agentLink, openBrowser, type OpenBrowser } from "./open-browser.ts";

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

it("opens the palette by a key, finds an agent by a few letters, and goes there without the mouse [DASH-13]", async () => {
  const { agent } = await daemon.register("kingfisher");
  const page = await browser.openDashboard();
  await agentLink(page, "kingfisher").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Go to a page").waitFor();
  await browser.expectSound(page, "palette");
  await page.keyboard.type("kingf");
  await page.locator("[data-active-item]", { hasText: "kingfisher" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "kingfisher" }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/agents/${agent.id}`);
  await browser.expectSound(page, "agent");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "Agents" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("[data-active-item]", { hasText: "Now" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.locator("[data-active-item]", { hasText: "Inbox" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Inbox" }).waitFor();
});

/** In one turn of the page, so that the list is still that of no letters. */
const typeAndEnter = `{
  const field = document.querySelector(".palette-input");
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, "theme: dark");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
}`;

it("keeps a chosen theme over a reload, whatever the system says [DASH-13]", async () => {
  const page = await browser.openDashboard("/", { colorScheme: "light" });
  const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const light = await ground();
  await page.keyboard.press("Control+k");
  await page.locator("[data-active-item]", { hasText: "Now" }).waitFor();
  await page.evaluate(typeAndEnter);
  await expect.poll(ground).not.toBe(light);
  const dark = await ground();
  await page.reload();
  await page.getByText("live", { exact: true }).waitFor();
  expect(await ground()).toBe(dark);
});

it("opens every address, and says of a thing that is gone, and of an address that is none, what it is [DASH-14]", async () => {
  const page = await browser.openDashboard("/agents/agt_00000000000000000000gone");
  await page.getByRole("dialog").getByRole("alert").waitFor();
  const other = await browser.openDashboard("/agents/agt_0000000000000000000000");
  await other
    .getByRole("dialog")
    .getByText(/no agent|not found|unknown/i)
    .first()
    .waitFor();
  const nowhere = await daemon.user.call("dashboard.link", {});
  await other.goto(nowhere.url);
  expect((await other.goto(`${daemon.url}/nowhere`))?.status()).toBe(404);
});

it("shows one project or all of them, and the choice stays in the address [DASH-14]", async () => {
  const nest = daemon.addRepository("nest");
  await daemon.register("crow", { project: nest });
  await daemon.register("swift");
  const page = await browser.openDashboard();
  await agentLink(page, "crow").waitFor();
  await agentLink(page, "swift").waitFor();
  await page.getByLabel("Project").selectOption({ label: "nest" });
  await agentLink(page, "swift").waitFor({ state: "detached" });
  await agentLink(page, "crow").waitFor();
  await page.reload();
  await agentLink(page, "crow").waitFor();
  expect(await agentLink(page, "swift").count()).toBe(0);
  await daemon.register("jay", { project: nest });
  await agentLink(page, "jay").waitFor();
});

it("renders markup, right-to-left marks and endless names as text, under a policy that runs no foreign script [DASH-15]", async () => {
  const hostile = `<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>\u202egnp.exe`;
  const nest = daemon.addRepository("<b>bold");
  const { client } = await daemon.register("hawk", { project: nest });
  await client.call("reservation.acquire", { paths: [`src/${hostile}.ts`, `src/${"long".repeat(200)}.ts`] });
  const { workItem } = await client.call("work-item.create", { title: `${hostile} ${"w".repeat(150)}` });
  await client.call("work-item.claim", { id: workItem.id });
  const page = await browser.openDashboard();
  await page.getByText("<img src=x").first().waitFor();
  await agentLink(page, "hawk").click();
  await page.getByRole("dialog").getByText("longlonglong").first().waitFor();
  expect(await page.evaluate("window.harmed ?? false")).toBe(false);
  expect(await page.evaluate("document.querySelectorAll('main img, main script, [role=dialog] img').length")).toBe(0);
  expect(await page.evaluate("document.querySelectorAll('[src^=http]:not([src*=\"127.0.0.1\"])').length")).toBe(0);
  await browser.expectSound(page, "hostile");
});
