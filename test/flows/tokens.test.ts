/** Who may call what, asked of a running daemon over both of its addresses. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorTable } from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { send, type Place, type WireAnswer } from "./wire.ts";

const someId = { agents: "agt_", reservations: "rsv_", "work-items": "wrk_" };
const wrongToken = `sylk_agt_${"A".repeat(43)}`;

let daemon: ScratchDaemon;
let places: readonly Place[];
let routes: readonly Route[];

beforeAll(async () => {
  daemon = await openScratchDaemon();
  places = [{ socketPath: daemon.paths.socket }, { host: "127.0.0.1", port: daemon.port }];
  routes = await routesOf(daemon);
});
afterAll(() => daemon[Symbol.asyncDispose]());

describe("a token is needed", () => {
  it("by every route of the OpenAPI document, on both addresses [CORE-20]", async () => {
    expect(routes.length).toBeGreaterThan(15);
    for (const place of places) {
      for (const route of routes) {
        expectRefusal(await send(place, route), "token.missing", route);
        expectRefusal(await send(place, withToken(route, wrongToken)), "token.unknown", route);
      }
    }
  });

  it("also by streams, MCP, the document itself, HEAD, and bodies that cannot be read [CORE-20]", async () => {
    const closed: readonly Route[] = [
      { method: "GET", path: "/v1/events", headers: { accept: "text/event-stream" } },
      { method: "GET", path: "/openapi.json" },
      { method: "POST", path: "/mcp", headers: json, body: "{}" },
      { method: "GET", path: "/mcp", headers: { accept: "text/event-stream" } },
      { method: "POST", path: "/v1/work-items", headers: json, body: "{ not JSON" },
      { method: "POST", path: "/v1/work-items", headers: { "content-type": "text/plain" }, body: "title" },
      { method: "POST", path: "/v1/work-items", headers: json, body: JSON.stringify({ title: "x".repeat(2 ** 21) }) },
    ];
    for (const place of places) {
      for (const route of closed) {
        expectRefusal(await send(place, route), "token.missing", route);
        expectRefusal(await send(place, withToken(route, wrongToken)), "token.unknown", route);
      }
      expect((await send(place, { method: "HEAD", path: "/v1/status" })).status).toBe(401);
    }
  });

  it("but not by /healthz, which tells nothing else [CORE-20]", async () => {
    for (const place of places) {
      expect(await send(place, { path: "/healthz" })).toMatchObject({ status: 200, body: '{"ok":true}' });
    }
  });

  it("nor by the page's files, which hold no data; what the page shows needs a sign-in [CORE-20]", async () => {
    for (const place of places) {
      const page = await send(place, { path: "/" });
      expect(page.status).toBe(200);
      expect(page.headers["content-type"]).toMatch(/^text\/html/);
      for (const secret of [daemon.userToken, daemon.paths.home, daemon.repository])
        expect(page.body).not.toContain(secret);
      expectRefusal(await send(place, { path: "/session" }), "token.missing", { method: "GET", path: "/session" });
      expect((await send(place, { path: "/signin" })).status).toBe(401);
      expect((await send(place, { path: `/signin?code=${"A".repeat(43)}` })).status).toBe(401);
      const headers = { cookie: `sylk=${"A".repeat(43)}; sylk_session=${"A".repeat(43)}` };
      expect((await send(place, { path: "/v1/status", headers })).status).toBe(401);
    }
  });

  it.each([
    ["another scheme", "Basic dXNlcjpwYXNz"],
    ["an unknown scheme", `Token ${wrongToken}`],
    ["a scheme alone", "Bearer"],
    ["spaces", "Bearer  "],
    ["a tab for a space", "bearer\tx"],
    ["600 characters", `Bearer ${"x".repeat(600)}`],
  ])("and %s is none [CORE-20]", async (_what, authorization) => {
    for (const place of places)
      expect((await send(place, { path: "/v1/status", headers: { authorization } })).status).toBe(401);
  });
});

describe("an agent's token", () => {
  it("is good for no other agent [CORE-20]", async () => {
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    const { reservation } = await otter.client.call("reservation.acquire", { paths: ["otters.ts"] });
    const { id } = otter.agent;
    const foreign = [
      () => heron.client.call("agent.heartbeat", { id }),
      () => heron.client.call("agent.end", { id }),
      () => heron.client.call("reservation.release", { id: reservation.id }),
      () => heron.client.call("reservation.renew", { id: reservation.id }),
      () => daemon.clientOf({ token: heron.token, actAs: "otter" }).call("work-item.create", { title: "as otter" }),
      () => heron.client.call("daemon.stop", {}),
      () =>
        heron.client.call("agent.register", {
          sessionKey: "a child",
          client: "other",
          project: { path: daemon.repository },
        }),
    ];
    for (const call of foreign) await expect(call()).rejects.toMatchObject({ code: "caller.denied", httpStatus: 403 });
    expect((await daemon.user.call("agent.get", { id })).agent.status).toBe("active");
  });

  it("is good for no other project [CORE-20]", async () => {
    const heron = await daemon.register("heron");
    const nest = daemon.addRepository("nest");
    const crow = await daemon.register("crow", { project: nest });
    const { workItem } = await crow.client.call("work-item.create", { title: "Line the nest" });
    const { reservation } = await crow.client.call("reservation.acquire", { paths: ["twigs.ts"] });
    const foreign = [
      () => heron.client.call("work-item.get", { id: workItem.id }),
      () => heron.client.call("work-item.claim", { id: workItem.id }),
      () => heron.client.call("work-item.close", { id: workItem.id }),
      () => heron.client.call("reservation.release", { id: reservation.id }),
      () => heron.client.call("agent.get", { id: crow.agent.id }),
      () => daemon.clientOf({ token: heron.token, project: nest }).call("work-item.list", {}),
    ];
    for (const call of foreign) await expect(call()).rejects.toMatchObject({ code: "caller.denied", httpStatus: 403 });
    const names = (await heron.client.call("agent.list", {})).items.map(({ name }) => name);
    expect(names).not.toContain("crow");
    expect((await heron.client.call("work-item.list", {})).items).not.toContainEqual(
      expect.objectContaining({ id: workItem.id }),
    );
    expect((await heron.client.call("reservation.list", { path: "twigs.ts" })).items).toEqual([]);
  });

  it("is revoked with its agent's end, at once and after a restart [CORE-20]", async () => {
    await using own = await openScratchDaemon();
    const heron = await own.register("heron");
    const second = await own.register("heron");
    expect(second.agent.id).toBe(heron.agent.id);
    await heron.client.call("agent.end", { id: heron.agent.id });
    const refused = { code: "token.unknown", httpStatus: 401 };
    await expect(heron.client.call("work-item.list", {})).rejects.toMatchObject(refused);
    await expect(second.client.call("work-item.list", {})).rejects.toMatchObject(refused);
    await own.kill();
    await own.restart();
    await expect(heron.client.call("work-item.list", {})).rejects.toMatchObject(refused);
    const back = await own.register("heron");
    expect((await back.client.call("agent.get", { id: heron.agent.id })).agent.status).toBe("active");
  });
});

it("keeps token, socket and home from other users [CORE-20]", () => {
  const { token, socket, home, database, record, logs } = daemon.paths;
  const modes = [token, socket, home, record, logs].map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(modes).toEqual(["600", "600", "700", "600", "700"]);
  expect(statSync(socket).isSocket()).toBe(true);
  expect(statSync(database).isFile()).toBe(true);
});

it("writes no token into log, store or record, at level debug [CORE-20]", async () => {
  await using own = await openScratchDaemon({ args: ["--log-level", "debug"] });
  const agents = await Promise.all(["heron", "otter", "crow"].map((name) => own.register(name)));
  for (const { client, token } of agents) {
    await client.call("work-item.create", { title: "Work", body: "with a body" });
    await client.call("reservation.acquire", { paths: [`${token.length}.ts`] }).catch(() => {});
    await own.tcpClientOf({ token }).call("event.list", {});
    await own.sylk(["who", "--json"], { env: { SYLK_TOKEN: token } });
  }
  await own.user.call("agent.end", { id: agents[0]!.agent.id });
  await agents[0]!.client.call("work-item.list", {}).catch(() => {});
  const key = { idempotencyKey: "register-again" };
  const wanted = { sessionKey: "again", client: "other", project: { path: own.repository } } as const;
  const minted = [
    await own.user.call("agent.register", wanted, key),
    await own.user.call("agent.register", wanted, key),
  ];
  expect(minted[0]!.agent.id).toBe(minted[1]!.agent.id);
  expect(minted[0]!.token).not.toBe(minted[1]!.token);

  const secrets = [own.userToken, ...agents.map(({ token }) => token), ...minted.map(({ token }) => token)];
  const files = readdirSync(own.paths.home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => path !== own.paths.token);
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) {
    const content = readFileSync(path).toString("latin1");
    for (const secret of secrets) expect(content.includes(secret), `${path} holds a token`).toBe(false);
  }
});

describe("on TCP", () => {
  const foreignHosts = [
    "evil.example",
    "evil.example:7373",
    "127.0.0.1.evil.example",
    "127.0.0.1:1",
    "localhost:1",
    "[::1].evil.example",
  ];

  it.each(foreignHosts)("the Host %j is refused, whatever is asked for [CORE-21]", async (host) => {
    for (const path of ["/healthz", "/v1/status", "/v1/events", "/mcp", "/openapi.json", "/nowhere"]) {
      const answer = await ask(path, { host });
      expect(answer.status, path).toBe(403);
      expect(answer.body, path).toContain('"host.denied"');
    }
  });

  it.each(["http://evil.example", "https://127.0.0.1", "null", "http://localhost:1"])(
    "the Origin %j is refused, also for streams and MCP [CORE-21]",
    async (origin) => {
      for (const path of ["/healthz", "/v1/status", "/v1/events", "/mcp"]) {
        const answer = await ask(path, { host: `127.0.0.1:${daemon.port}`, origin, accept: "text/event-stream" });
        expect(answer.status, path).toBe(403);
        expect(answer.body, path).toContain('"host.denied"');
      }
    },
  );

  it("our own names are answered, with our own Origin or none", async () => {
    for (const name of ["127.0.0.1", "localhost"]) {
      const host = `${name}:${daemon.port}`;
      expect((await ask("/v1/status", { host })).status).toBe(200);
      expect((await ask("/v1/status", { host, origin: `http://${host}` })).status).toBe(200);
    }
  });

  it("there is no listener but the loopback one", async ({ skip }) => {
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === "IPv4");
    if (outside === undefined) return skip("this machine has the loopback interface alone");
    const refused = new Promise((resolve) => {
      connect(daemon.port, outside.address)
        .once("error", resolve)
        .once("connect", () => resolve("connected"));
    });
    expect(await refused).toMatchObject({ code: "ECONNREFUSED" });
  });

  function ask(path: string, headers: Readonly<Record<string, string>>): Promise<WireAnswer> {
    const authorization = `Bearer ${daemon.userToken}`;
    return send({ host: "127.0.0.1", port: daemon.port }, { path, headers: { authorization, ...headers } });
  }
});

type Route = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};
const json = { "content-type": "application/json" };

async function routesOf({ paths, userToken }: ScratchDaemon): Promise<readonly Route[]> {
  const headers = { authorization: `Bearer ${userToken}` };
  const { body } = await send({ socketPath: paths.socket }, { path: "/openapi.json", headers });
  const document = JSON.parse(body) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      path: path.replace("{id}", `${prefixOf(path)}01jd8q3m7k4x9t2v5b8n1c`),
      ...(method === "get" ? {} : { headers: json, body: "{}" }),
    })),
  );
}

function prefixOf(path: string): string {
  return Object.entries(someId).find(([noun]) => path.startsWith(`/v1/${noun}/`))?.[1] ?? "";
}

function withToken(route: Route, token: string): Route {
  return { ...route, headers: { ...route.headers, authorization: `Bearer ${token}` } };
}

function expectRefusal(
  { status, body }: WireAnswer,
  code: "token.missing" | "token.unknown",
  { method, path }: Route,
): void {
  expect(status, `${method} ${path}: ${body}`).toBe(401);
  expect(JSON.parse(body), `${method} ${path}`).toMatchObject({ error: { code, message: expect.any(String) } });
  expect(errorTable[code].family).toBe("unauthenticated");
}
