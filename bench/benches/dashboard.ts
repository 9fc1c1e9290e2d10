/**
 * The dashboard in a real browser over a large world: first paint, interaction, memory, and how soon an event is seen.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { createClient, socketTransport, type SylkClient } from "../../src/surfaces/client/index.ts";
import { findChromium } from "../../test/dashboard/find-chromium.ts";
import type { Bench, Figure } from "../bench.ts";
import { upDaemon, type Daemon } from "../processes/daemon.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { median, percentile } from "../statistics.ts";

const agents = 300;
const events = 100_000;
const nodes = 2_000;
const paints = 5;
const seen = 200;
const storm = { perSecond: 1_000, gusts: 12, seconds: 5 };
const pages = [
  "/runs",
  "/work",
  "/files",
  "/findings",
  "/messages",
  "/knowledge",
  "/costs",
  "/health",
  "/events",
  "/inbox",
  "/",
];

export const dashboard: Bench = {
  name: "dashboard",
  method: `A home with ${agents} live agents that hold a file each, ${events.toLocaleString("en")} events and a graph of ${nodes} nodes, in headless Chromium by the browser's own performance API: first contentful paint of ${paints} loads; the longest delay from a click or key to the next paint over all pages and the graph; heap and resident memory of the tab after all pages; time from a reservation's answer until its path is in the page (${seen} times); longest task while at least ${storm.perSecond.toLocaleString("en")} events a second come for ${storm.seconds} s, on Now and on Events in turn, each after a first storm that is not counted. The browser names tasks of 50 ms and more; 0 means that there was none.`,
  async run() {
    const executablePath = findChromium();
    if (executablePath === undefined)
      throw new Error("there is no chromium in PATH (Debian: apt-get install chromium)");
    using scratch = scratchFolder();
    const prepared = join(scratch.path, "prepared");
    await runChild("prepare-store", {
      home: prepared,
      fleet: join(scratch.path, "fleet.json"),
      agents: 1,
      items: events,
    });
    await using daemon = await upDaemon(homeWithStore(join(scratch.path, "home"), prepared));
    const repository = repositoryOf(scratch.path);
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking"],
    });
    try {
      const world = await fillWorld(daemon, repository);
      const page = await browser.newPage({ viewport: { width: 1280, height: 850 } });
      return await measured(page, world);
    } finally {
      await browser.close();
      rmSync(repository, { recursive: true, force: true });
    }
  },
};

type World = { readonly user: SylkClient; readonly clients: readonly SylkClient[]; readonly graph: string };

async function fillWorld(daemon: Daemon, repository: string): Promise<World> {
  const transport = socketTransport((daemon.unix as { socket: string }).socket);
  const user = createClient({ transport, token: daemon.userToken, project: repository });
  const clients: SylkClient[] = [];
  for (let index = 0; index < agents; index++) {
    const wanted = {
      sessionKey: `s${index}`,
      client: "other",
      project: { path: repository },
      name: `agent-${index}`,
    } as const;
    const client = createClient({ transport, token: (await user.call("agent.register", wanted)).token });
    await client.call("reservation.acquire", { paths: [`src/file-${index}.ts`] });
    clients.push(client);
  }
  // One node that runs for long; all others wait for it, in twenty levels.
  const graph = Object.fromEntries(
    Array.from({ length: nodes }, (_, index) => [
      `n${index}`,
      index === 0 ? { run: ["sleep", "600"] } : { run: ["true"], dependsOn: [`n${index <= 100 ? 0 : index - 100}`] },
    ]),
  );
  const { dag } = await user.call("dag.run", { name: "large", nodes: graph, project: { path: repository } });
  return { user, clients, graph: dag.id };
}

async function measured(page: Page, { user, clients, graph }: World): Promise<readonly Figure[]> {
  const { url } = await user.call("dashboard.link", {});
  await page.goto(url);
  await page.getByText("agent-299", { exact: true }).first().waitFor();
  const firstPaints: number[] = [];
  for (let round = 0; round < paints; round++) {
    await page.reload();
    await page.getByText("holds").first().waitFor();
    firstPaints.push(
      await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
    );
  }
  const sight = await timesUntilSeen(page, clients);
  const delays = await interactionDelays(page, graph);
  const heapMb = await heapOf(page);
  const memoryMb = await memoryOf(page);
  const storms: Storm[] = [];
  for (const [path, name] of [
    ["/", "now"],
    ["/events", "events"],
  ] as const) {
    await page.getByRole("navigation").locator(`a[href="${path}"]`).click();
    await stormOver(page, clients, `warm-${name}`);
    storms.push(await stormOver(page, clients, `counted-${name}`));
  }
  const perSecond = Math.min(...storms.map((one) => one.perSecond));
  const longestTasks = storms.map((one) => one.longestTask);
  return [
    figure("first contentful paint of Now", median(firstPaints), firstPaints, 1_000),
    figure("click or key until the next paint, the longest", Math.max(...delays), delays, 100),
    megabytes("heap of the tab after all pages", heapMb),
    megabytes("resident memory of the tab's process", memoryMb),
    figure("a change's answer until it is in the page, p50", median(sight), sight, 200),
    figure("a change's answer until it is in the page, p99", percentile(sight, 99), sight, 200),
    {
      what: "events a second that came in the storm",
      value: perSecond,
      unit: "/s",
      rounds: storms.map((one) => one.perSecond),
      target: { text: `>= ${storm.perSecond}`, met: Math.round(perSecond) >= storm.perSecond },
    },
    figure("longest task of the page in the storm", Math.max(...longestTasks), longestTasks, 200),
  ];
}

function figure(what: string, value: number, rounds: readonly number[], mostMs: number): Figure {
  return { what, value, unit: "ms", rounds, target: { text: `< ${mostMs} ms`, met: value < mostMs } };
}

function megabytes(what: string, value: number): Figure {
  return { what, value, unit: "MB", rounds: [value], target: { text: "< 300 MB", met: value < 300 } };
}

/** Both clocks are this machine's. */
async function timesUntilSeen(page: Page, clients: readonly SylkClient[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < seen; index++) {
    const name = `src/seen-${index}.ts`;
    const shown = page.evaluate<number>(
      `new Promise((resolve) => {
        const look = () => document.body.textContent.includes(${JSON.stringify(name)}) && (observer.disconnect(), resolve(Date.now()));
        const observer = new MutationObserver(look);
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        look();
      })`,
    );
    const client = clients[index]!;
    const { id } = (await client.call("reservation.list", { path: `src/file-${index}.ts` })).items[0]!;
    await client.call("reservation.release", { id });
    await client.call("reservation.acquire", { paths: [name] });
    const answeredAt = Date.now();
    times.push(Math.max(0, (await shown) - answeredAt));
    await sleep(100);
  }
  return times;
}

/** By the event timing of the browser: from the input to the paint after its handlers. */
async function interactionDelays(page: Page, graph: string): Promise<readonly number[]> {
  await page.evaluate(`{
    window.delays = [];
    new PerformanceObserver((list) => {
      for (const { duration, interactionId } of list.getEntries()) if (interactionId > 0) window.delays.push(duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true });
  }`);
  const visit = async (path: string) => {
    await page.getByRole("navigation").locator(`a[href="${path}"]`).click();
    await sleep(700);
  };
  for (const path of pages) await visit(path);
  await visit("/runs");
  await page.locator(`a[href^="/runs/${graph}"]`).first().click();
  await sleep(1_500);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("agent-1");
  await sleep(500);
  await page.keyboard.press("Escape");
  await visit("/");
  const delays = await page.evaluate<readonly number[]>("window.delays");
  if (delays.length === 0) throw new Error("the browser timed no interaction");
  return delays;
}

/** Resident memory of the largest process that draws pages: the browser has this one tab. */
async function memoryOf(page: Page): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => Number(/VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) / 1_024);
  return Math.max(...sizes);
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "JSHeapUsedSize")!.value / 1_048_576;
}

type Storm = { readonly longestTask: number; readonly perSecond: number };

async function stormOver(page: Page, clients: readonly SylkClient[], prefix: string): Promise<Storm> {
  await page.evaluate(`{
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask" });
  }`);
  const stormAt = performance.now();
  for (let second = 0; second < storm.seconds; second++) {
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: storm.gusts }, (_, index) => gust(clients, `${prefix}-${second}-${index}`, index)),
    );
    await sleep(Math.max(0, 1_000 - (performance.now() - startedAt)));
  }
  const perSecond = (storm.gusts * 100 * storm.seconds * 1_000) / (performance.now() - stormAt);
  return { longestTask: await page.evaluate<number>("window.longest"), perSecond };
}

/** A hundred events: two grants, two releases, ninety-six new work items. */
async function gust(clients: readonly SylkClient[], name: string, place: number): Promise<void> {
  for (let index = 0; index < 2; index++) {
    const client = clients[place * 2 + index]!;
    const { reservation } = await client.call("reservation.acquire", { paths: [`storm/${name}-${index}.ts`] });
    await client.call("reservation.release", { id: reservation.id });
  }
  const lines = Array.from({ length: 96 }, (_, index) =>
    JSON.stringify({ id: `bd-${name}-${index}`, title: `Storm ${name} ${index}`, status: "open", priority: 2 }),
  );
  await clients[place]!.call("work-item.import", { lines });
}

function repositoryOf(home: string): string {
  const repository = mkdtempSync(`${home}-shop-`);
  execFileSync("git", ["init", "-q"], { cwd: repository });
  return repository;
}
