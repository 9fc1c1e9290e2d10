/**
 * What a page of another site, another server of this machine or a name that was bound anew may send to the port: refused
 * by name on every kind of route, and nothing changed. Beside each table stands what is genuine, which passes.
 */
import { until } from "../flows/until.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import type { Place } from "../flows/wire.ts";
import { answersIn, exchange, type RawAnswer } from "./exchange.ts";
import { type StoreWatch, watchStore } from "./store-state.ts";

let daemon: ScratchDaemon;
let store: StoreWatch;
let tcp: Place;
let token: string;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  ({ token } = await daemon.register("heron"));
  store = watchStore(daemon.paths.database);
  tcp = { host: "127.0.0.1", port: daemon.port };
});
afterAll(async () => {
  store[Symbol.dispose]();
  await daemon[Symbol.asyncDispose]();
});

/** One of each kind of route, with all it needs but Host and Origin. */
const routes = {
  health: { line: "GET /healthz", headers: [], body: "" },
  read: { line: "GET /v1/status", headers: [], body: "" },
  change: { line: "POST /v1/work-items", headers: ["content-type: application/json"], body: '{"title":"From afar"}' },
  end: { line: "DELETE /v1/agents/agt_01jd8q3m7k4x9t2v5b8n1c", headers: [], body: "" },
  stream: { line: "GET /v1/events", headers: ["accept: text/event-stream"], body: "" },
  mcp: {
    line: "POST /mcp",
    headers: ["content-type: application/json", "accept: application/json, text/event-stream"],
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "sylk_more", arguments: { call: "work_item_create", input: { title: "From afar" } } },
    }),
  },
  page: { line: "GET /", headers: [], body: "" },
  document: { line: "GET /openapi.json", headers: [], body: "" },
} satisfies Record<string, Route>;
type Route = { readonly line: string; readonly headers: readonly string[]; readonly body: string };

const own = (): string => `host: 127.0.0.1:${daemon.port}`;

function request({ line, headers, body }: Route, lines: readonly string[]): string {
  const length = body === "" ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const all = [`authorization: Bearer ${token}`, "connection: close", ...headers, ...length, ...lines];
  return `${line} HTTP/1.1\r\n${all.join("\r\n")}\r\n\r\n${body}`;
}

async function ask(text: string): Promise<RawAnswer> {
  const [answer] = answersIn(await exchange(tcp, text, { until: /: connected\n|\r\n0\r\n\r\n$/ }));
  return answer!;
}

async function expectAllRefused(lines: readonly string[], code: string): Promise<void> {
  const before = store.state();
  for (const [name, route] of Object.entries(routes)) {
    const answer = await ask(request(route, lines));
    expect([answer.code, answer.status], `${name}: ${answer.body}`).toEqual([code, statusOf[code]]);
    expect(answer.headers.has("access-control-allow-origin"), name).toBe(false);
  }
  expect(store.state()).toEqual(before);
}
const statusOf: Readonly<Record<string, number>> = { "host.denied": 403, "input.malformed": 400 };

describe("a Host that is not ours is refused on every kind of route", () => {
  it.each<[string, (port: number) => readonly string[], string]>([
    ["a foreign name", (port) => [`host: evil.example:${port}`], "host.denied"],
    ["a name that begins like ours", (port) => [`host: 127.0.0.1.evil.example:${port}`], "host.denied"],
    ["a name that ends like ours", (port) => [`host: evil-127.0.0.1:${port}`], "host.denied"],
    ["a trailing dot", (port) => [`host: localhost.:${port}`], "host.denied"],
    ["a sub-domain of localhost", (port) => [`host: evil.localhost:${port}`], "host.denied"],
    ["another address of this machine", (port) => [`host: 127.0.0.2:${port}`], "host.denied"],
    ["any address", (port) => [`host: 0.0.0.0:${port}`], "host.denied"],
    ["our address as a number", (port) => [`host: 2130706433:${port}`], "host.denied"],
    ["our address in short", (port) => [`host: 127.1:${port}`], "host.denied"],
    ["our address in IPv6", (port) => [`host: [::ffff:127.0.0.1]:${port}`], "host.denied"],
    ["a foreign IPv6 address", (port) => [`host: [2001:db8::1]:${port}`], "host.denied"],
    ["IPv6 without brackets", (port) => [`host: ::1:${port}`], "host.denied"],
    ["a user before our name", (port) => [`host: evil.example@127.0.0.1:${port}`], "host.denied"],
    ["another port", (port) => [`host: 127.0.0.1:${port + 1}`], "host.denied"],
    ["no port, which is another port", () => ["host: 127.0.0.1"], "host.denied"],
    ["a port that is none", (port) => [`host: 127.0.0.1:${port}x`], "host.denied"],
    ["an empty name", () => ["host:"], "host.denied"],
    ["no Host", () => [], "host.denied"],
    ["ours and a foreign one", (port) => [`host: 127.0.0.1:${port}`, "host: evil.example"], "input.malformed"],
    ["a foreign one and ours", (port) => ["host: evil.example", `host: 127.0.0.1:${port}`], "input.malformed"],
  ])("%s [CORE-21]", async (_what, lines, code) => {
    await expectAllRefused(lines(daemon.port), code);
  });

  it.each([
    ["a foreign host in the target", "GET http://evil.example/v1/status"],
    ["our host in the target and a foreign Host", "GET http://127.0.0.1/v1/status"],
    ["no path in the target", "GET http://evil.example"],
    ["another scheme in the target", "GET file:///v1/status"],
    ["the server as a whole", "OPTIONS *"],
  ])("%s [CORE-21]", async (_what, line) => {
    const before = store.state();
    const answer = await ask(request({ ...routes.read, line }, [own()]));
    expect([answer.status, answer.code]).toEqual([400, "input.malformed"]);
    expect(store.state()).toEqual(before);
  });

  it("while our own names are answered everywhere [CORE-21]", async () => {
    for (const host of ["127.0.0.1", "localhost", "LocalHost", "[::1]"]) {
      for (const route of [routes.health, routes.read, routes.stream, routes.page, routes.document]) {
        const answer = await ask(request(route, [`host: ${host}:${daemon.port}`]));
        expect(answer.status, `${host} ${route.line}`).toBe(200);
      }
    }
  });
});

describe("an Origin that is not ours is refused on every kind of route", () => {
  it.each<[string, (port: number) => string]>([
    ["another site", () => "http://evil.example"],
    ["nobody", () => "null"],
    ["nothing", () => ""],
    ["another port of this machine", (port) => `http://127.0.0.1:${port + 1}`],
    ["no port", () => "http://127.0.0.1"],
    ["the secure twin", (port) => `https://127.0.0.1:${port}`],
    ["our other name", (port) => `http://localhost:${port}`],
    ["a name that begins like ours", (port) => `http://127.0.0.1:${port}.evil.example`],
    ["ours with a path", (port) => `http://127.0.0.1:${port}/`],
    ["an extension", () => "chrome-extension://abcdefghijklmnopabcdefghijklmnop"],
    ["another browser's extension", () => "moz-extension://3c078156-979c-498b-8990-85f7987dd929"],
    ["a file", () => "file://"],
    ["ours and another", (port) => `http://127.0.0.1:${port}, http://evil.example`],
  ])("%s [CORE-21]", async (_what, origin) => {
    await expectAllRefused([own(), `origin: ${origin(daemon.port)}`], "host.denied");
  });

  it("also when it comes second [CORE-21]", async () => {
    const ours = `origin: http://127.0.0.1:${daemon.port}`;
    await expectAllRefused([own(), ours, "origin: http://evil.example"], "host.denied");
  });

  it("while our own is answered, for reading, changing, streams and MCP [CORE-21]", async () => {
    const lines = [own(), `origin: http://127.0.0.1:${daemon.port}`];
    const before = store.state().newestEvent;
    for (const route of [routes.read, routes.change, routes.stream, routes.mcp])
      expect((await ask(request(route, lines))).status, route.line).toBe(200);
    expect(store.state().newestEvent, "two work items").toBe(before + 2);
  });
});

describe("what a browser tells about a foreign page is believed", () => {
  it.each([
    ["fetched by another site", ["sec-fetch-site: cross-site", "sec-fetch-mode: no-cors", "sec-fetch-dest: empty"]],
    ["fetched by another port of this machine", ["sec-fetch-site: same-site", "sec-fetch-mode: cors"]],
    ["shown as an image", ["sec-fetch-site: cross-site", "sec-fetch-mode: no-cors", "sec-fetch-dest: image"]],
    ["run as a script", ["sec-fetch-site: cross-site", "sec-fetch-mode: no-cors", "sec-fetch-dest: script"]],
    ["shown in a frame", ["sec-fetch-site: cross-site", "sec-fetch-mode: navigate", "sec-fetch-dest: iframe"]],
    ["said by nobody we know", ["sec-fetch-site: elsewhere"]],
  ])("%s [CORE-21]", async (_what, lines) => {
    await expectAllRefused([own(), ...lines], "host.denied");
  });

  it("but a link may lead to our page, and our page may fetch [CORE-21]", async () => {
    const link = ["sec-fetch-site: cross-site", "sec-fetch-mode: navigate", "sec-fetch-dest: document"];
    expect((await ask(request(routes.page, [own(), ...link]))).status).toBe(200);
    for (const site of ["same-origin", "none"])
      expect((await ask(request(routes.read, [own(), `sec-fetch-site: ${site}`]))).status, site).toBe(200);
    const form = request(routes.change, [own(), ...link]);
    expect((await ask(form)).code, "a form that leads here is no link").toBe("host.denied");
  });
});

describe("a request that a page may send without asking first carries no change", () => {
  const anyone = (): string => `authorization: Bearer ${token}`;

  it.each(["text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "JSON as %j [CORE-21]",
    async (type) => {
      const before = store.state();
      for (const { line, body } of [routes.change, routes.mcp]) {
        const headers = type === "" ? [] : [`content-type: ${type}`];
        const answer = await ask(request({ line, headers, body }, [own()]));
        expect([answer.status, answer.code], answer.body).toEqual([415, "input.unsupported-type"]);
      }
      expect(store.state()).toEqual(before);
    },
  );

  it("and a page that asks is not allowed anything [CORE-21]", async () => {
    const before = store.state();
    for (const { line } of Object.values(routes)) {
      const [, path = ""] = line.split(" ");
      const asked = [own(), anyone(), "access-control-request-method: POST", "connection: close"];
      const foreign = answersIn(
        await exchange(tcp, `OPTIONS ${path} HTTP/1.1\r\n${asked.join("\r\n")}\r\norigin: http://evil.example\r\n\r\n`),
      )[0]!;
      expect([foreign.status, foreign.code], path).toEqual([403, "host.denied"]);
      const plain = answersIn(await exchange(tcp, `OPTIONS ${path} HTTP/1.1\r\n${asked.join("\r\n")}\r\n\r\n`))[0]!;
      expect(plain.status, path).toBeGreaterThanOrEqual(400);
      for (const answer of [foreign, plain])
        expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
    expect(store.state()).toEqual(before);
  });

  it("and there are no websockets to open from anywhere [CORE-21]", async () => {
    const upgrade = [
      "upgrade: websocket",
      "connection: upgrade",
      "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version: 13",
    ];
    const before = store.state();
    for (const path of ["/", "/v1/events", "/mcp"]) {
      const head = [own(), anyone(), ...upgrade].join("\r\n");
      const own101 = await exchange(tcp, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`, { until: /\r\n\r\n.+/s });
      expect(answersIn(own101)[0]).toMatchObject({ status: 400, code: "input.malformed" });
      const foreign = `GET ${path} HTTP/1.1\r\n${head}\r\norigin: http://evil.example\r\n\r\n`;
      expect(answersIn(await exchange(tcp, foreign, { until: /\r\n\r\n.+/s }))[0]!.status).toBeGreaterThanOrEqual(400);
    }
    expect(store.state()).toEqual(before);
  });
});

it("changes nothing by a GET or a HEAD of whatever route there is [CORE-21]", async () => {
  const { paths } = JSON.parse((await ask(request(routes.document, [own()]))).body) as {
    paths: Record<string, Record<string, unknown>>;
  };
  // The first question about the code has it indexed, and the log says so; later ones find it indexed.
  await daemon.user.call("code.symbols", { waitMs: 60_000 });
  const events = async () => (await daemon.user.call("event.list", { limit: 1_000 })).items;
  await until("it is indexed", async () => (await events()).some(({ type }) => type === "code.index-updated"));
  const before = store.state();
  for (const path of Object.keys(paths)) {
    for (const method of ["GET", "HEAD"]) {
      const line = `${method} ${path.replaceAll(/\{\w+\}/g, "agt_01jd8q3m7k4x9t2v5b8n1c")}`;
      const answer = await ask(request({ ...routes.read, line }, [own()]));
      expect(answer.status, line).toBeLessThan(500);
    }
  }
  expect(store.state()).toEqual(before);
});
