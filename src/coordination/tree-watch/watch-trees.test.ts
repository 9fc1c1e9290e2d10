import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { createToolCalls } from "../guard/index.ts";
import { readInbox } from "../mail/index.ts";
import { registerAgent } from "../registry/index.ts";
import { acquireReservation, releaseReservation } from "../reservations/index.ts";
import { minuteMs, scratchPorts, settled, type AgentCall } from "../testkit.ts";
import type { ChangeKeeper, KeptChange, WatchedTree, WatcherTold } from "./ports.ts";
import { watchTrees } from "./watch-trees.ts";

it("watches what is held, and no longer than it is held; a tree where it is switched off not at all [GIT-10]", async () => {
  using world = watched();
  const heron = await world.ports.caller("heron");
  const { reservation } = await world.hold(heron, { paths: ["src/a.ts"], patterns: ["docs/**/*.md"] });
  expect(await world.watching()).toEqual([{ tree: heron.caller.tree, paths: ["src/a.ts"], folders: ["docs"] }]);
  await releaseReservation(reservation.id, heron, world.ports);
  expect(await world.watching()).toEqual([]);
  await world.hold(heron, { paths: ["src/b.ts"] });
  expect(await world.watching()).toHaveLength(1);
  world.switchedOff.add(heron.caller.tree);
  await world.hold(heron, { paths: ["src/c.ts"] });
  expect(await world.watching()).toEqual([]);
});

it("says what cannot be watched each time it looks [GIT-10]", async () => {
  using world = watched(["a limit"]);
  await world.hold(await world.ports.caller("heron"), { paths: ["src/a.ts"] });
  await world.watching();
  expect(world.troubles.at(-1)).toEqual(["a limit"]);
});

it("raises one finding a minute for a foreign write, by Sylk itself, and tells holder and writer [GIT-10]", async () => {
  using world = watched();
  const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
  await world.hold(heron, { paths: ["src/a.ts"] });
  const { agent, tree } = otter.caller;
  world.calls.began({ agent, tree, paths: [], patterns: [], unknown: true });
  await world.change(tree, "src/a.ts");
  await world.change(tree, "src/a.ts");
  expect(await world.findings()).toMatchObject([
    {
      severity: "important",
      category: "unguarded-write",
      summary:
        "src/a.ts, held by heron, was written past the guard: probably otter, whose command with unknown write targets ran about that time",
      files: [{ path: "src/a.ts" }],
      agent: { name: "sylk-watch", client: "sylk" },
    },
  ]);
  expect([await world.notices(heron), await world.notices(otter)]).toEqual([1, 1]);
  const live = await world.ports.store.reader.agents.list({ project: heron.caller.project.id, includeGone: false });
  expect(live.map(({ name }) => name).toSorted()).toEqual(["heron", "otter"]);
  world.ports.clock.advance(minuteMs);
  await world.change(tree, "src/a.ts");
  expect([(await world.findings()).length, await world.notices(heron)]).toEqual([1, 2]);
});

it("stays silent about the holder's own writes, free files and merges of Sylk's own [GIT-10]", async () => {
  using world = watched();
  const heron = await world.ports.caller("heron");
  const { agent, tree } = heron.caller;
  await world.hold(heron, { patterns: ["src/**"] });
  world.calls.began({ agent, tree, paths: ["src/a.ts"], patterns: [], unknown: false });
  await world.change(tree, "src/a.ts");
  await world.change(tree, "docs/free.md");
  world.told().onChange(tree, "docs/before.md");
  world.ports.clock.advance(1);
  await world.hold(heron, { paths: ["docs/before.md"] }); // after the change, before its judgement
  await world.pass(50);
  world.calls.merging(tree)();
  await world.change(tree, "src/b.ts");
  expect(await world.findings()).toEqual([]);
  world.calls.ended(agent.id, [], { tree, paths: ["src/a.ts"] });
  world.ports.clock.advance(minuteMs);
  await world.change(tree, "src/a.ts");
  expect(await world.findings()).toMatchObject([{ summary: expect.stringContaining("the writer is unknown") }]);
});

it("says what it rests on: the only call under way, either of two, or nothing that this daemon knows [GIT-10]", async () => {
  using world = watched();
  const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
  const { tree } = heron.caller;
  await world.hold(heron, { paths: ["src/a.ts"] });
  const told = async () => {
    await world.change(tree, "src/a.ts");
    world.ports.clock.advance(minuteMs);
    const inbox = parseInput(operations["mail.inbox"], { channel: "notices" });
    return (await readInbox(inbox, heron, world.ports)).items.map(({ subject }) => subject.split("guard: ")[1]).at(-1);
  };
  const run = (call: AgentCall, id: string) =>
    world.calls.began({ agent: call.caller.agent, tree, paths: [], patterns: [], unknown: true, id });
  world.calls.ended(otter.caller.agent.id, [{ call: "none" }]);
  world.calls.ended(heron.caller.agent.id, [{ call: "none" }]);
  run(otter, "t1");
  expect(await told()).toBe("otter ran a command with unknown write targets, the only call under way");
  run(heron, "t2");
  expect(await told()).toBe("one of otter, heron, whose commands with unknown write targets were under way");
  world.calls.endedAll(otter.caller.agent.id);
  world.ports.clock.advance(minuteMs);
  const before = await world.notices(heron);
  await world.change(tree, "src/a.ts");
  expect(await world.notices(heron), "only the holder's own call is under way").toBe(before);
  world.calls.endedAll(heron.caller.agent.id);
  world.ports.clock.advance(minuteMs);
  expect(await told()).toBe("the writer is unknown, no call of an agent is known to have been under way");
});

it("after a restart says that it does not know, until the agents of the tree are heard of [GIT-10]", async () => {
  using before = watched();
  const heron = await before.ports.caller("heron");
  const { agent, tree } = heron.caller;
  await before.hold(heron, { paths: ["src/a.ts"] });
  before.ports.clock.advance(1);
  using world = watched([], undefined, before.ports);
  await world.change(tree, "src/a.ts");
  const [finding] = await world.findings();
  expect(finding).toMatchObject({
    summary: expect.stringContaining("the writer is unknown, because Sylk was restarted"),
  });
  world.calls.endedAll(agent.id);
  world.ports.clock.advance(minuteMs);
  await world.change(tree, "src/a.ts");
  expect(await world.notices(heron), "a holder without hooks writes unseen").toBe(1);
});

it("watches whole trees with live agents for local history, and tells each new content, at most once a second [GIT-16, GIT-20]", async () => {
  const changed: string[] = [];
  const opened: string[][] = [];
  let version = 0;
  const kept: ChangeKeeper = {
    ...emptyHistory,
    changed: (_, path) => void changed.push(path),
    opened: async (trees) => void opened.push(trees.map(({ tree }) => tree)),
    newest: async () => ({
      version: `ver_${version}`,
      seenAt: world.ports.clock.now(),
      author: undefined,
      knownBy: "unknown",
      replaced: `ver_${version - 1}`,
    }),
  };
  using world = watched([], kept);
  const heron = await world.ports.caller("heron");
  const { agent, tree } = heron.caller;
  expect(await world.watching()).toEqual([{ tree, paths: [], folders: [""] }]);
  expect(opened.at(-1)).toEqual([tree]);
  await world.hold(heron, { paths: ["src/a.ts"] });
  world.calls.began({ agent, tree, paths: ["src/a.ts"], patterns: [], unknown: false });
  world.calls.ended(agent.id, [], { tree, paths: ["src/a.ts"] });
  for (version = 1; version <= 3; version++) {
    await world.change(tree, "src/a.ts");
    await world.change(tree, "src/a.ts"); // the same content once more
    expect(await world.notices(heron)).toBe(version);
    world.ports.clock.advance(1_000);
  }
  version = 4;
  await world.change(tree, "src/a.ts");
  version = 5;
  await world.change(tree, "src/a.ts");
  expect(await world.notices(heron)).toBe(4);
  await world.change(tree, "docs/free.md");
  world.ports.clock.advance(1_000);
  await settled();
  world.ports.clock.advance(50);
  await settled();
  expect(await world.notices(heron)).toBe(5);
  expect(changed).toContain("docs/free.md");
});

it("begins with the files of a new hold at once, and reads them, where the tree is not watched whole [GIT-10]", async () => {
  const read: object[] = [];
  const kept: ChangeKeeper = { ...emptyHistory, before: ({ tree, paths }) => void read.push({ tree, paths }) };
  using world = watched([], kept);
  const heron = await world.ports.caller("heron");
  const { tree } = heron.caller;
  await world.hold(heron, { paths: ["src/a.ts"] });
  expect(read).toEqual([{ tree, paths: ["src/a.ts"] }]);
  await world.pass(0);
  expect(world.begun).toEqual([{ tree, paths: ["src/a.ts"] }]);
  await world.watching(); // an agent with tools is live: the whole tree
  await world.hold(heron, { paths: ["src/b.ts"] });
  await world.pass(0);
  expect([read.at(-1), world.begun.length]).toEqual([{ tree, paths: ["src/b.ts"] }, 1]);
});

it("judges by its time a change before the watch began, and neither twice nor what was written before the hold [GIT-10]", async () => {
  using world = watched();
  const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
  const { tree } = heron.caller;
  const { clock } = world.ports;
  world.files.set("src/b.ts", clock.now());
  clock.advance(5); // less than a step of a file system's time
  world.calls.began({ agent: otter.caller.agent, tree, paths: [], patterns: [], unknown: true });
  await world.hold(heron, { paths: ["src/a.ts", "src/new.ts"], patterns: ["src/b*"] });
  clock.advance(50);
  world.files.set("src/a.ts", clock.now());
  await world.watching();
  expect(await world.findings()).toMatchObject([{ summary: expect.stringContaining("src/a.ts, held by heron, ") }]);
  expect([await world.notices(heron), await world.notices(otter)]).toEqual([1, 1]);
  world.asked.length = 0;
  await world.hold(heron, { paths: ["src/c.ts"] }); // one more look
  await world.watching();
  expect([world.asked, await world.notices(heron)]).toEqual([["src/c.ts"], 1]);
});

it("after a restart reports each change that the holder did not make itself, also below a later one of the holder [GIT-10, GIT-20]", async () => {
  using before = watched();
  const heron = await before.ports.caller("heron");
  const { agent, tree } = heron.caller;
  await before.hold(heron, { paths: ["src/a.ts", "src/own.ts", "src/same.ts"] });
  // A person writes in an editor and announces nothing.
  const wanted = { sessionKey: "ada", client: "human", project: { path: tree }, name: "ada" } as const;
  const { agent: ada } = await registerAgent(wanted, before.ports.store, before.ports);
  const person: AgentCall = { ...heron, caller: { ...heron.caller, agent: ada } };
  await before.hold(person, { paths: ["docs/ada.md"] });
  before.ports.clock.advance(minuteMs);
  const changedAt = before.ports.clock.now();
  before.ports.clock.advance(minuteMs);
  const version = (author: typeof agent | undefined, name: string): KeptChange => ({
    version: `ver_${name}`,
    seenAt: before.ports.clock.now(),
    author,
    knownBy: author === undefined ? "unknown" : "named",
    replaced: `ver_before_${name}`,
  });
  const versions = new Map([
    ["src/a.ts", [version(agent, "later"), version(undefined, "strange")]],
    ["src/own.ts", [version(agent, "own")]],
    ["docs/ada.md", [version(undefined, "person")]],
  ]);
  const reread: string[] = [];
  const kept: ChangeKeeper = {
    ...emptyHistory,
    reread: (files) => void reread.push(...files.map(({ path }) => path)),
    since: async ({ path }) => versions.get(path) ?? [],
  };
  using world = watched([], kept, before.ports);
  for (const path of ["src/a.ts", "src/own.ts", "src/same.ts", "docs/ada.md"]) world.files.set(path, changedAt);
  await world.watching();
  expect(reread).toEqual(["src/a.ts", "src/own.ts", "src/same.ts", "docs/ada.md"]);
  expect(await world.findings()).toMatchObject([
    {
      summary: expect.stringMatching(
        /^src\/a\.ts, .* it changed while Sylk was not running, .* may be the holder itself$/,
      ),
      evidence: expect.stringContaining("sylk file restore src/a.ts --version ver_before_strange"),
    },
  ]);
});

it("without contents reports after a restart only what changed after the holder was last heard of [GIT-10]", async () => {
  using before = watched();
  const heron = await before.ports.caller("heron");
  await before.hold(heron, { paths: ["src/a.ts", "src/own.ts", "src/gone.ts"] });
  const changedAt = before.ports.clock.now();
  before.ports.clock.advance(minuteMs);
  using world = watched([], undefined, before.ports);
  world.files.set("src/own.ts", changedAt);
  world.files.set("src/a.ts", changedAt + 1);
  await world.watching();
  expect(await world.findings()).toMatchObject([{ files: [{ path: "src/a.ts" }] }]);
});

it("judges a change again that it could not judge, and looks again after a look that failed [GIT-10]", async () => {
  const failures: unknown[] = [];
  let isBroken = true;
  const newest = async () => {
    if (isBroken) throw new Error("the disk does not answer");
    return undefined;
  };
  const kept: ChangeKeeper = { ...emptyHistory, newest, opened: newest };
  using world = watched([], kept, scratchPorts(), (error) => void failures.push(error));
  const [heron, otter] = [await world.ports.caller("heron"), await world.ports.caller("otter")];
  await world.hold(heron, { paths: ["src/a.ts"] });
  await world.watching();
  const { agent, tree } = otter.caller;
  world.calls.began({ agent, tree, paths: [], patterns: [], unknown: true });
  await world.change(tree, "src/a.ts");
  expect([failures.length, await world.findings(), world.troubles]).toEqual([2, [], []]);
  isBroken = false;
  world.ports.clock.advance(1_000);
  await settled();
  expect([(await world.findings()).length, world.troubles, failures.length]).toEqual([1, [[]], 2]);
});

const emptyHistory: ChangeKeeper = {
  changed() {},
  before() {},
  reread() {},
  since: async () => [],
  known: async () => [],
  opened: async () => {},
  newest: async () => undefined,
};

function watched(
  watcherTroubles: readonly string[] = [],
  kept?: ChangeKeeper,
  ports = scratchPorts(),
  onFailed = (error: unknown): void => {
    throw error;
  },
) {
  const calls = createToolCalls(ports.clock);
  const switchedOff = new Set<string>();
  const troubles: (readonly string[])[] = [];
  let told: WatcherTold | undefined;
  let wanted: readonly WatchedTree[] = [];
  const begun: object[] = [];
  const asked: string[] = [];
  /** On the disk, with the time of their last change. */
  const files = new Map<string, number>();
  const watch = watchTrees({
    ...ports,
    calls,
    kept,
    openWatcher(listener) {
      told = listener;
      return {
        async watch(trees) {
          wanted = trees;
          return watcherTroubles;
        },
        also: (tree, paths) => void begun.push({ tree, paths }),
        async changedSince({ since, paths, accepts }) {
          asked.push(...paths);
          const times = [...new Set([...paths, ...files.keys()])]
            .filter(accepts)
            .map((path) => ({ path, at: files.get(path) }));
          return { changed: times.filter(({ at }) => at === undefined || at >= since), isCut: false };
        },
        stop: () => {},
      };
    },
    isOn: async (tree) => !switchedOff.has(tree),
    onWatched: (now) => void troubles.push(now),
    onFailed,
  });
  const pass = async (ms: number): Promise<void> => {
    await settled();
    ports.clock.advance(ms);
    await settled();
  };
  return {
    ports,
    calls,
    switchedOff,
    troubles,
    begun,
    asked,
    files,
    hold: (call: AgentCall, terms: object) =>
      acquireReservation(parseInput(operations["reservation.acquire"], terms), call, ports),
    pass,
    told: () => told!,
    async watching() {
      await pass(200);
      return wanted;
    },
    async change(tree: string, path: string) {
      told!.onChange(tree, path);
      await pass(50);
    },
    async findings() {
      const events = (await ports.events()).filter(({ type }) => type === "finding.published");
      const found = new Map(events.map(({ subject, data }) => [subject, data.finding]));
      return [...found.values()];
    },
    async notices(call: AgentCall) {
      const inbox = parseInput(operations["mail.inbox"], { channel: "notices" });
      return (await readInbox(inbox, call, ports)).items.length;
    },
    [Symbol.dispose]() {
      watch.stop();
      ports[Symbol.dispose]();
    },
  };
}
