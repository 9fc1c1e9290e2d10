/** Upkeep of the archive as its user meets it: snapshots, compaction, cached answers, and the hooks around entries and queries. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputOf, RawInputOf, SessionId } from "../../src/contract/index.ts";
import { jsonOf } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let otter: ScratchAgent;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
  otter = await daemon.register("otter");
});
afterAll(() => daemon[Symbol.asyncDispose]());

/** A new session that the agent works in; its first steps are on record. */
async function inSession({ client }: ScratchAgent, name: string): Promise<SessionId> {
  const { session } = await daemon.user.call("session.create", { name });
  await client.call("session.switch", { id: session.id });
  await until(
    "its timeline has begun",
    async () => (await json("timeline", "--session", session.id)).items.length >= 2,
  );
  return session.id;
}
const store = async ({ client }: ScratchAgent, entry: RawInputOf<"history.store">) =>
  (await client.call("history.store", entry)).entry;
const list = async ({ client }: ScratchAgent, asked: RawInputOf<"history.list">) =>
  (await client.call("history.list", asked)).items;
const titles = (items: readonly { readonly title: string }[]) => items.map(({ title }) => title).toSorted();
const json = async (...words: readonly string[]) =>
  jsonOf<OutputOf<"history.list">>(await daemon.sylk(["history", ...words, "--json"]));
const kept = async (session: SessionId, ...words: readonly string[]) =>
  (await json("--session", session, "--archived", "--limit", "100", ...words)).items;

describe("a snapshot", () => {
  /** Every way in which a session's entries are looked at. */
  async function everythingIn(session: SessionId, seenFrom: SessionId) {
    const words = ["brief", "full", "--session", session, "--json"];
    return {
      entries: await kept(session),
      failures: await kept(session, "--failures"),
      failed: await kept(session, "--status", "failed"),
      found: await kept(session, "cents"),
      elsewhere: await kept(seenFrom, "cents"),
      course: (await json("timeline", "--session", session)).items,
      brief: jsonOf<OutputOf<"history.brief">>(await daemon.sylk(words)),
    };
  }

  it("brings back every field of every entry, an undo takes that back, and no other session changes [ARCV-26]", async () => {
    const [session, other] = [await inSession(heron, "saved"), await inSession(otter, "beside")];
    const sylk = (...words: readonly string[]) => daemon.sylk(["history", ...words]);
    const put = async (title: string, ...words: readonly string[]) => {
      const stored = await sylk("store", title, ...words, "--session", session, "--json");
      return jsonOf<OutputOf<"history.store">>(stored).entry.id;
    };
    const why = JSON.stringify({ why: 'the "ledger" has\nno fractions', list: [1, { deep: "✓ ünï" }], none: null });
    const decision = await put(
      "Prices are whole cents",
      "--category",
      "decision",
      "--kind",
      "fact",
      "--keep",
      "--content",
      why,
    );
    for (const seconds of [3, 5])
      await put(
        "A payment",
        "--category",
        "failure",
        "--content",
        `{"status":"failed","reason":"timeout after ${seconds} s"}`,
      );
    const old = await put("Cents were decimals once", "--category", "hypothesis");
    await put("Carts are small", "--category", "insight");
    await put("Carts are many", "--category", "insight");
    await sylk("mark", old, "archive");
    await sylk("promote", decision, "--reason", "all count alike");
    await store(otter, { title: "Cents of another session", category: "insight" });

    const others = await kept(other, "--source", "otter");
    const before = await everythingIn(session, other);
    expect(before.brief.warnings).toMatchObject([{ count: 2 }]);
    expect(before.entries.find(({ id }) => id === decision)).toMatchObject({
      kind: "fact",
      kept: true,
      promoted: { reason: "all count alike" },
      content: JSON.parse(why) as object,
    });
    const saved = await sylk("snapshot", "--session", session);
    expect(saved.stdout).toMatch(new RegExp(`^ent_\\w+  ${before.course.length} entries of ${session}`));
    const snapshot = saved.stdout.split(" ")[0]!;

    for (const words of [
      ["mark", decision, "unkeep"],
      ["mark", old, "unarchive"],
      ["promote", decision, "--reason", "not any more", "--revoke"],
      ["compact", "--session", session],
    ])
      expect((await sylk(...words)).code, words.join(" ")).toBe(0);
    await put("Too late for cents");
    const changed = await everythingIn(session, other);
    for (const view of ["entries", "failures", "failed", "found", "elsewhere", "course", "brief"] as const)
      expect(changed[view], view).not.toEqual(before[view]);

    const restored = await sylk("restore", snapshot);
    expect(restored.stdout).toContain(`Restored ${before.course.length} entries of ${session}; removed`);
    expect(await everythingIn(session, other)).toEqual(before);
    const [, undo] = /Undo: sylk history restore (\S+)/.exec(restored.stdout)!;
    expect((await sylk("restore", undo!)).code).toBe(0);
    expect(await everythingIn(session, other)).toEqual(changed);
    await sylk("restore", snapshot);
    expect(await everythingIn(session, other)).toEqual(before);
    expect(await kept(other, "--source", "otter")).toEqual(others);
  });

  it("is another agent's only where that works in its session, and the five latest of a session are kept [ARCV-26]", async () => {
    await inSession(heron, "own");
    await inSession(otter, "foreign");
    const take = async () => (await heron.client.call("history.snapshot", {})).snapshot.id;
    const first = await take();
    const denied = otter.client.call("history.restore", { id: first });
    await expect(denied).rejects.toMatchObject({ code: "caller.denied" });
    const later = [await take(), await take(), await take(), await take(), await take()];
    await expect(heron.client.call("history.restore", { id: first })).rejects.toMatchObject({
      code: "entry.not-found",
      message: expect.stringContaining("the five latest of each session are kept"),
    });
    expect((await heron.client.call("history.restore", { id: later[0]! })).snapshot.id).toBe(later[0]);
  });
});

describe("compaction", () => {
  const insights = ["Insight 1", "Insight 2", "Insight 3"];

  async function filled(agent: ScratchAgent, name: string) {
    const session = await inSession(agent, name);
    for (const title of insights) await store(agent, { title, category: "insight" });
    const marked = await store(agent, {
      title: "Insight to keep",
      category: "insight",
      keep: true,
      content: { a: [1] },
    });
    const later = await store(agent, { title: "Kept later", category: "insight" });
    await agent.client.call("history.mark", { id: later.id, mark: "keep" });
    await store(agent, { title: "A fact", category: "insight", kind: "fact" });
    const shared = await store(agent, { title: "Shared", category: "insight" });
    await agent.client.call("history.promote", { id: shared.id, reason: "all" });
    await store(agent, { title: "Alone", category: "issue" });
    for (const title of ["Run one", "Run two"]) await store(agent, { title, category: "workflow" });
    for (const tool of ["ruff", "oxlint"])
      await store(agent, { title: tool, category: "user_preference", content: { category: "linter", tool } });
    return { session, marked, later };
  }
  const stays = ["A fact", "Alone", "Insight to keep", "Kept later", "Run one", "Run two", "Shared", "oxlint", "ruff"];
  const of = async (session: SessionId, agent: ScratchAgent) =>
    (await list(agent, { session, source: agent.agent.name, limit: 100 })).filter((one) => one.session === session);

  it("of one session leaves what is marked, runs and preferences, and one summary for the rest; others stay as they are [ARCV-27]", async () => {
    const [own, beside] = [await filled(heron, "compacted"), await filled(otter, "left alone")];
    const others = await of(beside.session, otter);
    const before = await of(own.session, heron);
    const dry = await daemon.sylk(["history", "compact", "--session", own.session, "--dry-run"]);
    expect(dry.stdout).toContain("Would replace 3 entries by 1 summaries");
    expect(await of(own.session, heron)).toEqual(before);
    expect(await heron.client.call("history.compact", { before: before.at(-1)!.at })).toMatchObject({ removed: 0 });
    const done = await daemon.sylk(["history", "compact", "--session", own.session]);
    expect(done.stdout).toContain("Replaced 3 entries by 1 summaries");
    const left = await of(own.session, heron);
    expect(titles(left)).toEqual(stays);
    expect(left.find(({ id }) => id === own.marked.id)).toEqual(own.marked);
    const [summary] = await list(heron, { kind: "summary", sessions: [own.session] });
    expect(summary).toMatchObject({ source: "archivalist", content: { entries: 3, titles: insights } });
    expect(await of(beside.session, otter)).toEqual(others);
    const again = await heron.client.call("history.compact", {});
    const mine = (await kept(own.session)).filter((one) => one.session === own.session);
    const steps = (await json("timeline", "--session", own.session)).items.filter(
      ({ category }) => category === "timeline",
    );
    const stayed = new Set([...mine, ...steps].map(({ id }) => id)).size;
    expect(again).toMatchObject({ removed: 0, summaries: 0, stayed });
  });

  it("of the whole store leaves what is marked in every session; it is for the user [ARCV-27]", async () => {
    const [own, beside] = [await filled(heron, "one of all"), await filled(otter, "another of all")];
    const denied = heron.client.call("history.compact", { allSessions: true });
    await expect(denied).rejects.toMatchObject({ code: "caller.denied" });
    const { code, stdout } = await daemon.sylk(["history", "compact", "--all-sessions", "--json"]);
    expect([code, (JSON.parse(stdout) as OutputOf<"history.compact">).summaries]).toEqual([0, expect.any(Number)]);
    for (const [agent, { session, marked, later }] of [
      [heron, own],
      [otter, beside],
    ] as const) {
      const left = await of(session, agent);
      expect(titles(left)).toEqual(stays);
      expect(left.filter((one) => one.kept === true).map(({ id }) => id)).toEqual([later.id, marked.id]);
    }
    for (const { id } of [own.marked, own.later]) await heron.client.call("history.mark", { id, mark: "unkeep" });
    expect(await heron.client.call("history.compact", {})).toMatchObject({ removed: 2 });
  });
});

describe("cached answers", () => {
  const query = "rounding";
  const ask = (agent: ScratchAgent, more: RawInputOf<"history.list"> = {}) => list(agent, { query, ...more });
  const cached = async () => (await daemon.user.call("history.savings", { allSessions: true })).total.queries.cached;

  it("are of one session each, and a write makes exactly those anew that it could change [ARCV-28, ARCV-30]", async () => {
    const [cart, tax] = [await inSession(heron, "cart"), await inSession(otter, "tax")];
    await store(heron, { title: "Rounding of carts" });
    await store(otter, { title: "Rounding of taxes" });
    const views: Readonly<Record<string, () => ReturnType<typeof list>>> = {
      "heron's own": () => ask(heron),
      "otter's own": () => ask(otter),
      "both by name": () => ask(heron, { sessions: [cart, tax] }),
      "all of them": () => ask(heron, { allSessions: true }),
    };
    /** Asks everything once, and says what came from the cache. */
    const fromCache = async () => {
      const hits: string[] = [];
      for (const [name, view] of Object.entries(views)) {
        const before = await cached();
        await view();
        if ((await cached()) > before) hits.push(name);
      }
      return hits;
    };
    await fromCache();
    expect(await fromCache()).toEqual(Object.keys(views));
    expect([titles(await ask(heron)), titles(await ask(otter))]).toEqual([
      ["Rounding of carts"],
      ["Rounding of taxes"],
    ]);

    const { id } = await store(heron, { title: "Rounding once more" });
    expect(await fromCache()).toEqual(["otter's own"]);
    for (const [name, view] of Object.entries(views))
      expect(titles(await view()).includes("Rounding once more"), name).toBe(name !== "otter's own");

    await heron.client.call("history.promote", { id, reason: "all round" });
    expect(await fromCache()).toEqual([]);
    expect(titles(await ask(otter))).toContain("Rounding once more");
    await heron.client.call("history.mark", { id, mark: "archive" });
    expect(await fromCache()).toEqual([]);
    expect(titles(await ask(otter))).toEqual(["Rounding of taxes"]);
    const { snapshot } = await heron.client.call("history.snapshot", {});
    await heron.client.call("history.restore", { id: snapshot.id });
    expect(await fromCache()).toEqual([]);
  });
});

describe("hooks", () => {
  it("before a store the session is filled in, unless one is named [ARCV-29]", async () => {
    const [own, other] = [await inSession(heron, "mine"), await inSession(otter, "not mine")];
    expect((await store(heron, { title: "Where am I" })).session).toBe(own);
    expect((await store(heron, { title: "Here", session: own })).session).toBe(own);
    expect((await store(otter, { title: "There" })).session).toBe(other);
    const stored = await daemon.sylk(["history", "store", "By a person", "--session", other, "--json"]);
    expect(jsonOf<OutputOf<"history.store">>(stored).entry.session).toBe(other);
  });

  it("before a query the filter of the session is added, unless others are named [ARCV-31]", async () => {
    const [own, other] = [await inSession(heron, "asking"), await inSession(otter, "asked")];
    await store(heron, { title: "Zebra here" });
    await store(otter, { title: "Zebra there" });
    const asked = await heron.client.call("history.list", { query: "zebra" });
    expect([asked.session, titles(asked.items)]).toEqual([own, ["Zebra here"]]);
    expect(titles((await heron.client.call("history.similar", { text: "zebra", of: "decision" })).items)).toEqual([]);
    expect(titles(await list(heron, { query: "zebra", session: other }))).toEqual(["Zebra there"]);
    expect(titles(await list(heron, { query: "zebra", sessions: [own, other] }))).toHaveLength(2);
    expect(titles(await list(heron, { query: "zebra", allSessions: true }))).toHaveLength(2);
    expect((await heron.client.call("history.brief", { tier: "full" })).text).not.toContain("there");
  });

  it("after a query it is counted for its session, by how far it looked, and that outlives the daemon [ARCV-32]", async () => {
    const [own, other] = [await inSession(heron, "counted"), await inSession(otter, "not counted")];
    const counts = async (session: SessionId) => (await daemon.user.call("history.savings", { session })).total.queries;
    expect(await counts(own)).toEqual({ session: 0, sessions: 0, all: 0, cached: 0 });
    for (let turn = 0; turn < 3; turn++) await list(heron, { query: "yak" });
    await list(heron, { query: "yak", sessions: [own, other] });
    for (const text of ["yak", "ox"]) await heron.client.call("history.similar", { text, allSessions: true });
    const expected = { session: 3, sessions: 1, all: 2, cached: 2 };
    expect(await counts(own)).toEqual(expected);
    expect(await counts(other)).toEqual({ session: 0, sessions: 0, all: 0, cached: 0 });
    await daemon.sylk(["down"]);
    await daemon.restart();
    expect(await counts(own)).toEqual(expected);
  });
});
