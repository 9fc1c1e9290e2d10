/** The pictures of the dashboard: agents that share a repository and a request that waits, in a real browser. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../dashboard/open-browser.ts";
import { hookClient } from "../flows/hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { makeShop, type Shop, shopEnv } from "../flows/scratch-shop.ts";

const dashboardPictures = {
  now: "docs/images/dashboard-now.png",
  run: "docs/images/dashboard-run.png",
  inbox: "docs/images/dashboard-inbox-phone.png",
} as const;

const request = "Add percentage discounts to the cart and show them on a receipt";

export async function recordDashboard(root: string): Promise<readonly string[]> {
  await using daemon = await openScratchDaemon({ env: shopEnv });
  await using browser = openBrowser(daemon);
  mkdirSync(join(root, "docs/images"), { recursive: true });
  const shop = makeShop(daemon);
  await makeAgents(daemon, shop);
  const done = await shop.sylk("run", request, "--rehearse", "--yes", "--json");
  if (done.code !== 0) throw new Error(`the run ended with ${done.code}: ${done.stderr}`);
  const planned = await shop.sylk("plan", "Show the discount in the order mail", "--rehearse", "--json");
  if (planned.code !== 0) throw new Error(`the plan ended with ${planned.code}: ${planned.stderr}`);
  const { items } = await daemon.clientOf({ project: shop.repository }).call("run.list", {});
  const { id } = items.find(({ status }) => status === "verified")!;

  const page = await browser.openDashboard("/");
  await page.getByText("src/cart.ts").first().waitFor();
  await page.screenshot({ path: join(root, dashboardPictures.now) });
  await page.goto(`${daemon.url}/runs/${id}`);
  await page.getByText("verified").first().waitFor();
  await page.locator(".react-flow__node").first().waitFor();
  await page.screenshot({ path: join(root, dashboardPictures.run) });
  const phone = await browser.openDashboard("/inbox", { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 });
  await phone.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await phone.screenshot({ path: join(root, dashboardPictures.inbox) });
  return Object.values(dashboardPictures);
}

/** Three sessions of a client whose hooks are installed: two hold a file, the third waits for one of them. */
async function makeAgents(daemon: ScratchDaemon, shop: Shop): Promise<void> {
  const { repository } = shop;
  await shop.sylk("install", "claude-code", "--yes");
  const begin = async (name: string) => {
    const agent = await daemon.register(name, { project: repository, client: "claude-code" });
    const hooks = hookClient({ session: `test-${name}`, repository, env: daemon.env });
    await hooks.start();
    return { ...agent, hooks };
  };
  const [heron, otter, wren] = [await begin("heron"), await begin("otter"), await begin("wren")];
  const work = [
    [heron, "Orders are rate limited per customer", "src/cart.ts"],
    [otter, "Prices are rounded once, at the end", "src/price.ts"],
  ] as const;
  for (const [{ client, hooks }, title, path] of work) {
    const { workItem } = await client.call("work-item.create", { title });
    await client.call("work-item.claim", { id: workItem.id });
    await hooks.edit(path);
  }
  await wren.hooks.edit("src/cart.ts"); // is refused
  const [hold] = (await wren.client.call("reservation.list", { path: "src/cart.ts" })).items;
  await wren.client.call("reservation.ask", { id: hold!.id, reason: "two lines in total()" });
}
