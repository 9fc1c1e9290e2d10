/** The page's sign-in: of use to its own page alone, and only once. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrowserSessions } from "../../src/surfaces/http/index.ts";
import { manualClock } from "../../src/platform/clock/index.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { send, type WireAnswer } from "../flows/wire.ts";
import { type StoreWatch, watchStore } from "./store-state.ts";

let daemon: ScratchDaemon;
let store: StoreWatch;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  await daemon.register("heron");
  await daemon.user.call("work-item.create", { title: "So that the user has an agent" });
  store = watchStore(daemon.paths.database);
});
afterAll(async () => {
  store[Symbol.dispose]();
  await daemon[Symbol.asyncDispose]();
});

type Headers = Readonly<Record<string, string>>;

const get = (path: string, headers: Headers = {}): Promise<WireAnswer> =>
  send({ host: "127.0.0.1", port: daemon.port }, { path, headers });
const ownOrigin = (): string => `http://127.0.0.1:${daemon.port}`;

async function newLink(): Promise<string> {
  const { url } = await daemon.user.call("dashboard.link", {});
  return new URL(url).pathname + new URL(url).search;
}

async function signIn(): Promise<{ readonly cookie: string; readonly csrf: string }> {
  const cookie = String((await get(await newLink())).headers["set-cookie"]).split(";")[0]!;
  const { csrf } = JSON.parse((await get("/session", { cookie })).body) as { csrf: string };
  return { cookie, csrf };
}

describe("the cookie of a signed-in browser", () => {
  it.each<[string, (csrf: string) => Headers, string]>([
    ["without the page's header", () => ({}), "caller.denied"],
    ["with an empty header", () => ({ "sylk-csrf": "" }), "caller.denied"],
    ["with half of it", (csrf) => ({ "sylk-csrf": csrf.slice(1) }), "caller.denied"],
    ["with another one", (csrf) => ({ "sylk-csrf": csrf.replace(/^./, "~") }), "caller.denied"],
    ["with it, from another site", (csrf) => ({ "sylk-csrf": csrf, origin: "http://evil.example" }), "host.denied"],
    ["with it, from nobody", (csrf) => ({ "sylk-csrf": csrf, origin: "null" }), "host.denied"],
    [
      "with it, from a page of another port",
      (csrf) => ({ "sylk-csrf": csrf, "sec-fetch-site": "same-site" }),
      "host.denied",
    ],
    ["with it, through another name", (csrf) => ({ "sylk-csrf": csrf, host: "evil.example" }), "host.denied"],
  ])("changes nothing %s [CORE-21]", async (_what, more, code) => {
    const { cookie, csrf } = await signIn();
    const before = store.state();
    const headers = { cookie, "content-type": "application/json", ...projectHeader(), ...more(csrf) };
    const terms = { method: "POST", path: "/v1/work-items", headers, body: '{"title":"From afar"}' };
    const answer = await send({ host: "127.0.0.1", port: daemon.port }, terms);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([403, code]);
    expect(store.state()).toEqual(before);
  });

  it("changes something with the page's header and the page's origin [CORE-21]", async () => {
    const { cookie, csrf } = await signIn();
    const before = store.state().newestEvent;
    const page = { "sylk-csrf": csrf, origin: ownOrigin(), "sec-fetch-site": "same-origin" };
    const headers = { cookie, "content-type": "application/json", ...projectHeader(), ...page };
    const terms = { method: "POST", path: "/v1/work-items", headers, body: '{"title":"From the page"}' };
    expect((await send({ host: "127.0.0.1", port: daemon.port }, terms)).status).toBe(200);
    expect(store.state().newestEvent).toBe(before + 1);
  });

  it("reads nothing for a page of another origin, nor its stream [CORE-21]", async () => {
    const { cookie } = await signIn();
    for (const site of ["cross-site", "same-site"]) {
      for (const path of ["/v1/agents", "/v1/events", "/session"]) {
        const fetched = await get(path, { cookie, "sec-fetch-site": site, accept: "text/event-stream" });
        expect(fetched.status, `${site} ${path}`).toBe(403);
        // Opened as a page of its own it would still come with the cookie of the other port's page.
        const opened = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
        expect((await get(path, { cookie, ...opened })).status, `${site} ${path} opened`).toBe(403);
      }
    }
    expect((await get("/v1/agents", { cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
  });
});

describe("the one-time link", () => {
  it("works once, and neither in a frame nor for a prefetch [CORE-21]", async () => {
    const path = await newLink();
    for (const dest of ["iframe", "frame", "embed", "object", "image", "empty"])
      expectNoSignIn(await get(path, { "sec-fetch-site": "none", "sec-fetch-dest": dest }));
    expectNoSignIn(await get(path, { "sec-fetch-dest": "document", "sec-purpose": "prefetch" }));
    expect((await get(path, { "sec-fetch-site": "none", "sec-fetch-dest": "document" })).status).toBe(303);
    expectNoSignIn(await get(path));
  });

  it("is of no use after a minute; nor is the cookie after twelve hours [CORE-21]", () => {
    const clock = manualClock();
    const sessions = createBrowserSessions(clock, { read: () => [], write: () => {} });
    const { code } = sessions.makeLink();
    clock.advance(60_000);
    expect(sessions.signIn(code)).toBeUndefined();
    const secret = sessions.signIn(sessions.makeLink().code)!;
    clock.advance(12 * 3_600_000 - 1);
    expect(sessions.find(secret)).toBeDefined();
    clock.advance(1);
    expect(sessions.find(secret)).toBeUndefined();
  });

  it("leads to a page that no other page can put into a frame, refused or not [CORE-21]", async () => {
    for (const answer of [await get("/"), await get("/signin?code=wrong")]) {
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin");
    }
  });
});

function expectNoSignIn({ status, headers }: WireAnswer): void {
  expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
}

function projectHeader(): Headers {
  return { "sylk-project": encodeURIComponent(daemon.repository) };
}
