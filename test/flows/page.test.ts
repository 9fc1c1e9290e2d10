/** The way to the dashboard: who gets in, what is served, and under which names. test/dashboard opens it in a browser. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { send, type WireAnswer } from "./wire.ts";

let daemon: ScratchDaemon;

beforeAll(async () => {
  daemon = await openScratchDaemon();
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
    for (const asset of [...(await assets()), "/session"])
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
    for (const path of await assets()) {
      const { status, headers, body } = await get(path);
      expect(status, path).toBe(200);
      expect(headers, path).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cache-control": path.startsWith("/assets/")
          ? "public, max-age=31536000, immutable"
          : path.endsWith(".svg")
            ? "no-cache"
            : "no-store",
      });
      if (headers["content-type"] === "text/html; charset=utf-8")
        expect(body, path).not.toMatch(/https?:\/\/|<style|style=| on\w+="|<script(?![^>]* src="\/assets\/)/);
    }
    for (const path of ["/index.html", "/tsconfig.json", "/assets/../../package.json", "/signin-refused.html"])
      expect((await get(path)).status, path).toBe(404);
  });
});

describe("a tunnel of the user's own", () => {
  const tunnel = "sylk.example.com";

  it("reaches the page under a name that the user allowed, with a secure cookie, and changes by it [DASH-18]", async () => {
    await using open = await openScratchDaemon({ env: { SYLK_HTTP_ALLOWED_HOSTS: `other.example ${tunnel}` } });
    const at = { host: "127.0.0.1", port: open.port };
    const { elsewhere } = await open.user.call("dashboard.link", {});
    expect(elsewhere.map((url) => new URL(url).host)).toEqual(["other.example", tunnel]);
    const { stdout } = await open.sylk(["dashboard"]);
    expect(stdout).toContain(`https://${tunnel}/signin?code=`);
    const headers = { host: tunnel, "x-forwarded-proto": "https" };
    const signedIn = await send(at, { path: elsewhere[1]!.slice(`https://${tunnel}`.length), headers });
    expect(String(signedIn.headers["set-cookie"])).toMatch(/; Secure$/);
    const cookie = cookieOf(signedIn);
    const session = await send(at, { path: "/session", headers: { ...headers, cookie } });
    const { csrf } = JSON.parse(session.body) as { csrf: string };
    const agent = (await open.register("otter")).agent.id;
    const change = { ...headers, cookie, "sylk-csrf": csrf, origin: `https://${tunnel}` };
    const end = (more: Record<string, string>) =>
      send(at, { method: "DELETE", path: `/v1/agents/${agent}`, headers: { ...change, ...more } });
    expect((await end({ origin: "https://evil.example" })).status).toBe(403);
    expect((await end({ "sylk-csrf": "" })).status).toBe(403);
    expect((await end({})).status).toBe(200);
  });

  it("takes neither tokens, hooks nor MCP, and no other name", async () => {
    await using open = await openScratchDaemon({ env: { SYLK_HTTP_ALLOWED_HOSTS: tunnel } });
    const at = { host: "127.0.0.1", port: open.port };
    const asked = async (path: string, headers: Record<string, string>) => (await send(at, { path, headers })).status;
    const authorization = `Bearer ${open.userToken}`;
    expect(await asked("/v1/agents", { host: tunnel, authorization })).toBe(403);
    expect(await asked("/mcp", { host: tunnel })).toBe(403);
    expect(await asked("/v1/hooks/codex/PreToolUse", { host: tunnel })).toBe(403);
    expect(await asked("/", { host: `${tunnel}.evil.example` })).toBe(403);
    expect(await asked("/", { host: tunnel })).toBe(200);
    expect((await get("/", { host: tunnel })).status).toBe(403); // off by default
  });
});

async function assets(): Promise<readonly string[]> {
  const { body } = await get("/");
  const named = Array.from(body.matchAll(/(?:src|href)="(\/[^"]+)"/g), ([, path]) => path!);
  expect(named.filter((path) => path.endsWith(".js"))).not.toEqual([]);
  return ["/", "/inbox", "/runs/run_gone", ...named];
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
