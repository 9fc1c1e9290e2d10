/** `sylk ask`: a question through the Guide to the role that can answer, over the command line and over MCP. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainError, OutputOf, RawInputOf, RoleName, SessionId } from "../../src/contract/index.ts";
import { provider } from "./rehearsed-runs.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { goodChange, makeQuickShop, messagesOf, shopEnv, type EndedRun, type Shop } from "./scratch-shop.ts";
import { until } from "./until.ts";
import { waysInto } from "./ways-in.ts";

type Sent = OutputOf<"ask.send">;

const where = "where is the total computed?";
let daemon: ScratchDaemon;
let shop: Shop;
let ended: EndedRun;
beforeAll(async () => {
  daemon = await openScratchDaemon({ env: shopEnv });
  shop = makeQuickShop(daemon);
  ended = await shop.run(goodChange(["discount"]), { request: "Add discounts to the cart" });
});
afterAll(() => daemon[Symbol.asyncDispose]());

const client = () => daemon.clientOf({ project: shop.repository });
const ask = (input: string, more: Partial<RawInputOf<"ask.send">> = {}): Promise<Sent> =>
  client().call("ask.send", { input, project: { path: shop.repository }, ...more });
const refused = (input: string, more: Partial<RawInputOf<"ask.send">> = {}): Promise<DomainError> =>
  ask(input, more).then(
    ({ answer }) => expect.unreachable(answer.text),
    (error: unknown) => error as DomainError,
  );
const events = async (wanted: string) => {
  const { items } = await client().call("event.list", { after: 0, limit: 1_000 });
  return items.filter(({ type }) => type === wanted);
};
const questionEvents = () => events("ask.answered");

describe("a question", () => {
  it("about the code is answered by the Librarian without a model: rules first, then the session's own route [GUIDE-6, GUIDE-23]", async () => {
    const before = (await questionEvents()).length;
    const first = jsonOf<Sent>(await shop.sylk("ask", where, "--json"));
    const again = await ask(where);
    expect(first).toMatchObject({ to: "librarian", by: "rules", confidence: 1, intent: "check" });
    expect(first.answer.text).toContain("src/cart.ts:4  export function total(");
    expect([first.model, again.by, again.answer]).toEqual([undefined, "session-cache", first.answer]);
    expect(again.correlationId).not.toBe(first.correlationId);
    const answered = (await questionEvents()).slice(before);
    expect(answered.map(({ data }) => data)).toMatchObject([
      {
        session: first.session,
        correlationId: first.correlationId,
        to: ["librarian"],
        request: where,
      },
      { by: "session-cache", correlationId: again.correlationId },
    ]);
  });

  it("without a session goes to the one its asker looks at, never to another's, and to the project's own when that ends [GUIDE-1, GUIDE-8]", async () => {
    const heron = await daemon.register("heron", { project: shop.repository });
    const made = async (name: string) => (await client().call("session.create", { name })).session.id;
    const [mine, theirs] = [await made("till"), await made("stock")];
    const which = "where is the receipt printed?";
    const asked = async () => {
      const input = { input: which, project: { path: shop.repository } };
      return Promise.all([ask(which), heron.client.call("ask.send", input)].map(async (sent) => (await sent).session));
    };
    const [own, same] = await asked();
    expect([own === same, [mine, theirs].includes(own!)]).toEqual([true, false]);
    await client().call("session.switch", { id: mine, onBlur: "background" });
    expect(await asked()).toEqual([mine, own]);
    await heron.client.call("session.switch", { id: theirs, onBlur: "background" });
    expect(await asked()).toEqual([mine, theirs]);
    expect((await client().call("ask.routes", { input: which })).decision.by).toBe("session-cache");
    await client().call("session.close", { id: mine });
    expect(await asked()).toEqual([own, theirs]);
    await heron.client.call("session.close", { id: theirs });
  });

  it("about the past is answered from the archive by the Archivalist", async () => {
    const { to, answer } = await ask("what did we do about discounts in the last run?");
    expect([to, answer.text]).toEqual([
      "archivalist",
      expect.stringContaining(`Add discounts to the cart  ${ended.run.id}`),
    ]);
  });

  it("that wants a change is answered with the way to start one", async () => {
    const { to, answer } = await ask("Add a receipt to the cart");
    expect([to, answer.text]).toEqual([
      "architect",
      'That wants a change. Start it with: sylk run "Add a receipt to the cart"',
    ]);
  });

  it("goes to a model where a role needs one, files fenced as data; a role may pass it on", async () => {
    const scenario = shop.scenario([
      { when: { mentions: "design discounts" }, reply: [{ text: "Keep the rate apart." }] },
      { when: { mentions: "For the inspector" }, reply: [{ text: "REROUTE tester: about tests" }] },
      { when: { mentions: "For the tester" }, reply: [{ text: "The total is tested." }] },
    ] as never);
    const designed = await ask("how should we design discounts?", { rehearse: scenario });
    expect(designed).toMatchObject({ to: "architect", label: "rehearsal", answer: { text: "Keep the rate apart." } });
    const passedOn = await ask("@to:inspector is the total tested?", { rehearse: scenario });
    expect(passedOn).toMatchObject({ to: "tester", by: "tag", answer: { text: "The total is tested." } });
  });

  it("never leaves the tree by a link", async () => {
    const secret = join(daemon.root, "outside.ts");
    writeFileSync(secret, "export const zanzibar = 1;\n");
    symlinkSync(secret, join(shop.repository, "src/linked-zanzibar.ts"));
    const { answer } = await ask("@to:librarian zanzibar");
    expect(answer.text).toMatch(/^Nothing in \d+ files/);
  });

  it("is refused with the way out: no role fits, not sure, no agent plays that role, Engineers, no answer in time [GUIDE-25]", async () => {
    const before = (await events("ask.failed")).length;
    expect(await refused("hello")).toMatchObject({
      code: "route.unknown",
      message: expect.stringContaining("librarian ("),
    });
    expect(await refused("review the tests")).toMatchObject({
      code: "route.unsure",
      message: expect.stringContaining("--confirm inspector"),
    });
    expect(await refused("@to:orchestrator what is it?")).toMatchObject({ code: "input.invalid" });
    expect(await refused("@to:engineer do it")).toMatchObject({
      code: "input.invalid",
      message: expect.stringMatching(/no agent "engineer".*known: architect/),
    });
    await daemon.user.call("provider.add", provider("silent"));
    expect(await refused("@to:architect why?", { provider: "silent" })).toMatchObject({ code: "role.unavailable" });
    const { undelivered } = await daemon.user.call("ask.metrics", {});
    expect(undelivered.at(-1)).toMatchObject({ to: "architect", type: "USER_INPUT", reason: "processing_error" });
    const failures = (await events("ask.failed")).slice(before).map(({ data }) => [data.request, data.code]);
    expect(failures).toEqual([
      ["hello", "route.unknown"],
      ["review the tests", "route.unsure"],
      ["@to:orchestrator what is it?", "input.invalid"],
      ["@to:engineer do it", "input.invalid"],
      ["@to:architect why?", "role.unavailable"],
    ]);
  });

  it("is told to a model over MCP as data, and to several roles after @broadcast", async () => {
    const crow = await daemon.register("crow", { project: shop.repository });
    await using ways = waysInto(daemon);
    const mcp = ways.all.find(({ name }) => name === "MCP on HTTP")!;
    const input = { input: "@broadcast:librarian,archivalist discounts", project: { path: shop.repository } };
    const { body } = await mcp.call("ask.send", input, { token: crow.token });
    const { answers } = body as Sent;
    expect(answers?.map(({ to }) => to)).toEqual(["librarian", "archivalist"]);
    expect(answers?.[1]?.answer?.text).toContain("untrusted input from");
  });
});

it("sessions have routes of their own; --explain shows the scores of all and sends nothing; metrics count [GUIDE-11]", async () => {
  const heron = await daemon.register("heron", { project: shop.repository });
  const { session } = await heron.client.call("session.create", { name: "checkout" });
  const before = (await questionEvents()).length;
  const explained = jsonOf<OutputOf<"ask.routes">>(
    await shop.sylk("ask", where, "--explain", "--session", session.id, "--json"),
  );
  expect(explained.decision).toMatchObject({ to: ["librarian"], by: "rules", band: "execute" });
  expect(explained.candidates.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["librarian", "archivalist", "architect", "inspector", "tester"]),
  );
  expect(await questionEvents()).toHaveLength(before);
  const first = await ask(where, { session: session.id });
  expect([first.session, first.by]).toEqual([session.id, "rules"]);
  const metricsOf = (id?: SessionId) => daemon.user.call("ask.metrics", id === undefined ? {} : { session: id });
  const { session: counted } = await metricsOf(session.id);
  expect(counted).toMatchObject({ id: session.id, cachedRoutes: 1, counts: { "routed.rules": 1 } });
  const { counts } = await metricsOf();
  expect(counts["message.answered"]).toBeGreaterThan(1);
});

it("every message of a run passed the Guide: each call of a role is an envelope on record, and no other [GUIDE-24]", async () => {
  const requests = messagesOf(ended.events).filter(({ id, correlationId }) => id === correlationId);
  const roles = new Set(requests.map(({ to }) => to));
  expect(roles).toEqual(
    new Set<RoleName>(["architect", "librarian", "engineer", "inspector", "tester", "archivalist"]),
  );
  // Counted around every handler, whatever called it.
  const calls = await until("the counts have arrived", async () => {
    const { components } = await client().call("health.show", { kind: "agent" });
    const counted = new Map(components.map(({ name, calls: made }) => [name, made]));
    return counted.get("archivalist") === 1 && counted;
  });
  for (const role of roles)
    expect([role, calls.get(role)]).toEqual([role, requests.filter(({ to }) => to === role).length]);
});
