/** The live page: who gets in, what is served, and what a real browser shows while agents and a run are at work. */
import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Run } from "../../src/contract/index.ts";
import { findChromium, openChromium, type BrowserPage } from "./chromium.ts";
import { jsonOf, repositoryRoot } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { finish, plan, work } from "./scenario-turns.ts";
import { makeQuickShop, makeShop, shopEnv } from "./scratch-shop.ts";
import { until } from "./until.ts";
import { send, type WireAnswer } from "./wire.ts";

let daemon: ScratchDaemon;

beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe("the one-time link", () => {
  it("is printed by the command and signs a browser in once, with a cookie no script can read [RUN-10]", async () => {
    const { stdout } = await daemon.sylk(["dashboard"]);
    const path = pathOf(stdout.split("\n")[0]!);
    expect(path).toMatch(/^\/signin\?code=[\w-]{43}$/);
    const first = await get(path);
    expect(first).toMatchObject({ status: 303, headers: { location: "/", "referrer-policy": "no-referrer" } });
    expect(String(first.headers["set-cookie"])).toMatch(
      /^sylk_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/; Max-Age=43200$/,
    );
    expectRefusedLink(await get(path));
  });

  it("is refused when it is wrong, and says how to get another", async () => {
    for (const path of ["/signin", "/signin?code=", "/signin?code=wrong", `/signin?code=${"A".repeat(43)}`])
      expectRefusedLink(await get(path));
    const code = (await newLink()).split("=")[1]!;
    expectRefusedLink(await get(`/signin?code=${code}&code=${code}`));
  });

  it("is not used up by a look at it, or by a visit under another name", async () => {
    const path = await newLink();
    expect((await send(tcp(), { method: "HEAD", path })).status).toBe(404);
    expect((await get(path, { host: "evil.example" })).status).toBe(403);
    expect((await get(path, { origin: "http://evil.example" })).status).toBe(403);
    expect((await get(path)).status).toBe(303);
  });

  it("is made for the user alone, and only where there is HTTP", async () => {
    const { client } = await daemon.register("heron");
    await expect(client.call("dashboard.link", {})).rejects.toMatchObject({ code: "caller.denied" });
    await using socketOnly = await openScratchDaemon({ env: { SYLK_HTTP_ENABLED: "false" } });
    const refused = await socketOnly.sylk(["dashboard", "--json"]);
    expect(refused.code).toBe(2);
    expect(jsonOf(refused)).toMatchObject({ error: { code: "settings.invalid", message: /http\.enabled/ } });
  });

  it("leaves no trace: neither token, code nor cookie in a URL, a page, the store or the log", async () => {
    const path = await newLink();
    const cookie = cookieOf(await get(path));
    await get("/v1/agents", { cookie });
    const code = path.split("=")[1]!;
    expect(path).not.toContain(daemon.userToken);
    for (const file of filesUnder(daemon.paths.home)) {
      const content = readFileSync(file, "latin1");
      expect(content.includes(code) || content.includes(cookie.split("=")[1]!), file).toBe(false);
    }
    for (const asset of [...assets, "/session"])
      expect((await get(asset, { cookie })).body).not.toMatch(/sylk_(usr|agt)_/);
  });
});

describe("the browser's cookie", () => {
  let cookie: string;
  beforeAll(async () => {
    cookie = await signIn();
  });

  it("is good for reading and for the event stream [RUN-10]", async () => {
    for (const path of ["/v1/agents", "/v1/reservations", "/v1/runs", "/v1/approvals", "/v1/status"])
      expect((await get(path, { cookie })).status, path).toBe(200);
    const refused = await get("/v1/events?after=99999999", { cookie, accept: "text/event-stream" });
    expect(refused.status).toBe(400); // the cursor is refused, not the reader
    expect((await get("/v1/agents", { cookie: cookie.replace(/.$/, "~") })).status).toBe(401);
    expect((await get("/v1/agents", { cookie: `sylk_session=${"A".repeat(43)}` })).status).toBe(401);
  });

  it("changes nothing without the page's own header", async () => {
    const agent = (await daemon.register("otter")).agent.id;
    const { csrf } = JSON.parse((await get("/session", { cookie })).body) as { csrf: string };
    const end = (headers: Record<string, string>): Promise<WireAnswer> =>
      send(tcp(), { method: "DELETE", path: `/v1/agents/${agent}`, headers: { cookie, ...headers } });
    for (const headers of [{}, { "sylk-csrf": "" }, { "sylk-csrf": csrf.replace(/.$/, "~") }]) {
      const { status, body } = await end(headers);
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ error: { code: "caller.denied", details: { needed: "sylk-csrf" } } });
    }
    expect((await daemon.user.call("agent.get", { id: agent })).agent.status).toBe("active");
    expect((await end({ "sylk-csrf": csrf })).status).toBe(200);
    expect((await daemon.user.call("agent.get", { id: agent })).agent.status).toBe("ended");
  });

  it("is refused with an unreadable body, before that is told", async () => {
    const json = { "content-type": "application/json" };
    const terms = { method: "POST", path: "/v1/work-items", body: "{ not JSON" };
    expect((await send(tcp(), { ...terms, headers: { ...json, cookie } })).status).toBe(403);
    expect((await send(tcp(), { ...terms, headers: json })).status).toBe(401);
  });

  it("is of no use to a page of another port, to MCP, or beside a wrong token", async () => {
    expect((await get("/v1/agents", { cookie, "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await get("/session", { cookie, "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await get("/v1/agents", { cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await get("/v1/agents", { cookie, authorization: "Bearer wrong" })).status).toBe(401);
    expect((await get("/mcp", { cookie, accept: "text/event-stream" })).status).toBe(401);
  });

  it("is not needed for the page's files, which hold no data and load nothing from elsewhere [RUN-10]", async () => {
    for (const path of assets) {
      const { status, headers, body } = await get(path);
      expect(status, path).toBe(200);
      expect(headers, path).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": path === "/" ? "no-store" : "no-cache",
      });
      expect(body.replaceAll("http://www.w3.org/2000/svg", ""), path).not.toMatch(/https?:\/\/|<style|style=| on\w+="/);
    }
    expect((await get("/")).body).not.toMatch(/<script(?![^>]* src="\/page\.js")/);
    for (const path of ["/index.html", "/tsconfig.json", "/parts/../../package.json", "/signin-refused.html"])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe("in a browser", () => {
  it("agents, reservations, approvals and the run appear as they happen, without a reload", async ({ skip }) => {
    skip(findChromium() === undefined, "there is no chromium in PATH");
    await using browser = await openChromium(daemon);
    const page = await browser.open(`${daemon.url}${await newLink()}`);
    await page.shows("#connection", "live");
    expect(await page.evaluate("location.pathname + location.search + document.cookie")).toBe("/");
    await page.evaluate("window.sameDocument = true");

    await seeAgentsAndReservations(page);
    await seeIncident(page);
    await seePlanAndRun(page);
    await seeEveryWidth(page);
    expect(await page.evaluate("window.sameDocument")).toBe(true);
    expect(page.complaints).toEqual([]);

    await daemon.kill();
    await page.shows("#connection", "reconnecting");
    await daemon.restart();
    await page.shows("body", "signed out", "sylk dashboard");
    await page.goTo(`${daemon.url}${await newLink()}`);
    await page.shows("#runs", "verified");
  });
});

describe("a run that failed", () => {
  it("is drawn with the failing test, its place and output, and the notes of its nodes, all of it as text [RUN-14]", async () => {
    const failing = `import { test } from "node:test";
test(${JSON.stringify(hostile)}, () => { throw new Error("1.5 is not whole <b>"); });
`;
    const shop = makeQuickShop(daemon, { "test/format.test.ts": failing });
    const idle = { when: { tool: "finish", mentions: "The checks rejected the change", turn: 0 }, reply: [finish()] };
    const turns = [plan([{ key: "price" }]), ...work("price", finish("done already")), idle];
    const { run } = await shop.run(turns, { args: ["--test-command", "node --test test/format.test.ts"] });
    const read = await get(`/v1/runs/${run.id}`, { cookie: await signIn() });
    const { drawRun } = await partOfPage<{ drawRun(run: Run): readonly unknown[] }>("draw-run.js");
    const drawn = standInDocument(() => drawRun((JSON.parse(read.body) as { run: Run }).run));
    const texts = (wanted: string) => drawn.filter(({ path }) => path.endsWith(wanted)).map(({ text }) => text);
    expect(texts("li.failure div.line span.name")).toEqual([hostile, hostile]);
    expect(texts("li.failure div.line code")[0]).toMatch(/test\/format\.test\.ts:2$/);
    expect(texts("li.failure pre")[0]).toContain("1.5 is not whole <b>");
    expect(texts("p.note")[0]).toBe("but it changed no file");
    expect(drawn.every(({ path }) => !/\b(img|script|b)\b/.test(path))).toBe(true);
  });
});

const hostile = `<img src=x onerror="window.harmed = true"><script>window.harmed = true</script>`;

async function seeAgentsAndReservations(page: BrowserPage): Promise<void> {
  const nest = daemon.addRepository(`<b>nest`);
  const { client, agent } = await daemon.register("wren", { project: nest, client: "codex" });
  await page.shows("#agents", "wren", "codex", "active", "<b>nest");
  const { reservation } = await client.call("reservation.acquire", { paths: [`src/${hostile}.ts`], reason: hostile });
  await page.shows("#reservations", `src/${hostile}.ts`, "held by wren", " min");
  expect(await page.evaluate("document.querySelectorAll('main img, main script, main b').length")).toBe(0);
  expect(await page.evaluate("window.harmed ?? false")).toBe(false);
  await client.call("reservation.release", { id: reservation.id });
  await page.shows("#reservations", "No path is reserved", "sylk reserve");
  await client.call("agent.end", { id: agent.id });
  await until("wren is gone", async () => !(await page.text("#agents")).includes("wren"));
}

/** Until it is resolved, whatever its component calls itself. */
async function seeIncident(page: BrowserPage): Promise<void> {
  const failure = { kind: "tool", component: hostile.slice(0, 60), outcome: "failed", error: "broken" } as const;
  const { client } = await daemon.register("incident-wren");
  await client.call("health.report", { reports: [failure, failure, failure, failure] });
  await page.shows("#waiting", "One thing waits for you", "Unresolved", "failed 4 times", "sylk health");
  expect(await page.evaluate("window.harmed ?? false")).toBe(false);
  const { items } = await daemon.user.call("incident.list", {});
  await daemon.user.call("incident.resolve", { id: items[0]!.id });
  await until("it is gone", () => page.evaluate("document.getElementById('waiting').hidden"));
}

async function seePlanAndRun(page: BrowserPage): Promise<void> {
  const shop = makeShop(daemon);
  await page.shows("#runs", "sylk run");
  const planned = await shop.sylk("plan", `Discounts for ${hostile}`, "--rehearse", "--json");
  const { run } = JSON.parse(planned.stdout.trim().split("\n").at(-1)!) as { run: { id: string } };
  await page.shows("#waiting", "One thing waits for you", "sylk approve apr_");
  await page.shows("#run", `Discounts for ${hostile}`, "awaiting approval", "rehearsal", "pending");

  const carriedOut = shop.sylk("approve", run.id);
  await page.shows("#run .status", "running");
  await page.shows("#run .tree", "running");
  await page.shows("#run", "FIX ROUND 1");
  await page.shows("#run .status", "verified");
  expect((await carriedOut).code).toBe(0);
  await page.shows(
    "#run",
    "fail",
    "npm run --silent lint",
    "5 tests passed",
    "src/receipt.ts:6",
    "model calls",
    "sylk merge",
  );
  await page.shows("#runs", "verified", "4 of 4");
  expect(await page.evaluate("document.getElementById('waiting').hidden")).toBe(true);
  expect(await page.evaluate("window.harmed ?? false")).toBe(false);
}

// The page is JavaScript; its types are checked by its own tsconfig.json.
const partOfPage = <T>(name: string): Promise<T> =>
  import(new URL(`../../src/surfaces/page/parts/${name}`, import.meta.url).href) as Promise<T>;

type Drawn = { readonly path: string; readonly text: string };

/** Every text that was drawn, with the elements around it: as much of a document as the page's parts use to draw. */
function standInDocument(draw: () => readonly unknown[]): readonly Drawn[] {
  class StandIn {
    readonly children: unknown[] = [];
    readonly attributes = new Map<string, string>();
    readonly tag: string;
    constructor(tag: string) {
      this.tag = tag;
    }
    setAttribute(name: string, value: string): void {
      this.attributes.set(name, value);
    }
    append(...children: unknown[]): void {
      this.children.push(...children);
    }
  }
  vi.stubGlobal("Node", StandIn);
  vi.stubGlobal("document", { createElement: (tag: string) => new StandIn(tag) });
  const textsIn = (node: unknown, path: string): readonly Drawn[] => {
    if (!(node instanceof StandIn)) return [{ path, text: String(node) }];
    const [first = ""] = (node.attributes.get("class") ?? "").split(" ");
    const own = `${path} ${node.tag}${first === "" ? "" : `.${first}`}`;
    return node.children.flatMap((child) => textsIn(child, own));
  };
  try {
    return draw().flatMap((node) => textsIn(node, ""));
  } finally {
    vi.unstubAllGlobals();
  }
}

/** Nothing sticks out at any width. With SYLK_SCREENSHOTS=folder the pictures are kept. */
async function seeEveryWidth(page: BrowserPage): Promise<void> {
  const folder = process.env.SYLK_SCREENSHOTS;
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  for (const width of [360, 768, 1280, 1920]) {
    for (const scheme of ["light", "dark"] as const) {
      await page.look({ width, scheme });
      expect(await page.evaluate("document.documentElement.scrollWidth"), String(width)).toBe(width);
      if (folder !== undefined) await page.screenshot(join(folder, `page-${width}-${scheme}.png`));
    }
  }
}

const assets = ["/", "/page.css", "/page.js", "/icon.svg", ...moduleAssets()];

function moduleAssets(): readonly string[] {
  const files = readdirSync(join(repositoryRoot, "src/surfaces/page/parts")).filter((name) => name.endsWith(".js"));
  return files.map((name) => `/parts/${name}`);
}

function tcp() {
  return { host: "127.0.0.1", port: daemon.port };
}

function get(path: string, headers: Record<string, string> = {}): Promise<WireAnswer> {
  return send(tcp(), { path, headers });
}

async function newLink(): Promise<string> {
  return pathOf((await daemon.user.call("dashboard.link", {})).url);
}

function pathOf(link: string): string {
  expect(link.startsWith(`${daemon.url}/signin?`), link).toBe(true);
  return link.slice(daemon.url.length);
}

async function signIn(): Promise<string> {
  return cookieOf(await get(await newLink()));
}

function cookieOf({ headers }: WireAnswer): string {
  return String(headers["set-cookie"]).split(";")[0]!;
}

function expectRefusedLink({ status, headers, body }: WireAnswer): void {
  expect(status).toBe(401);
  expect(headers["content-type"]).toContain("text/html");
  expect(headers["set-cookie"]).toBeUndefined();
  expect(body).toContain("sylk dashboard");
}

function filesUnder(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return paths.filter((path) => statSync(path).isFile());
}
