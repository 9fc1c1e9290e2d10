/** What discovery remembers and for how long, and how long each tier may take: with a clock that is moved by hand. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises"; // clock-exempt: other work of this process, no time
import { afterAll, beforeAll, expect, it } from "vitest";
import type { InputOf, SessionId, ToolReport } from "../../src/contract/index.ts";
import { type DaemonHere, openDaemonHere } from "./daemon-here.ts";
import { writeTree } from "./scratch-home.ts";

let at: DaemonHere;
beforeAll(async () => {
  at = await openDaemonHere();
});
afterAll(() => at[Symbol.asyncDispose]());

const minuteMs = 60_000;
let made = 0;
function project(files: Readonly<Record<string, string>> = {}, { home } = at): string {
  const folder = join(home.root, `cache-${++made}`);
  writeTree(folder, { ".git/HEAD": "ref: refs/heads/main\n", "a.py": "", "ruff.toml": "", "shop/b.py": "", ...files });
  return folder;
}
async function session(name: string): Promise<SessionId> {
  const { session: created } = await at.user.call("session.create", { name });
  await at.user.call("session.resume", { id: created.id });
  return created.id;
}
const ask = (input: Partial<InputOf<"tool.discover">>, { user } = at): Promise<ToolReport> =>
  user.call("tool.discover", { category: "linter", ...input });
const cached = async (input: Partial<InputOf<"tool.discover">>) => (await ask(input)).cached;

it("keeps an entry for one hour, or as long as tools.cacheMinutes says [TOOL-56]", async () => {
  const path = project();
  expect(await cached({ path })).toBe(false);
  at.clock.advance(60 * minuteMs - 1);
  expect(await cached({ path })).toBe(true);
  at.clock.advance(1);
  expect(await cached({ path })).toBe(false);
  await using other = await openDaemonHere({ SYLK_TOOLS_CACHE_MINUTES: "5" });
  const short = project({}, other);
  expect((await ask({ path: short }, other)).cached).toBe(false);
  other.clock.advance(5 * minuteMs - 1);
  expect((await ask({ path: short }, other)).cached).toBe(true);
  other.clock.advance(1);
  expect((await ask({ path: short }, other)).cached).toBe(false);
});

it("is kept by session, path and category, over an entry that sessions of the project share [TOOL-54]", async () => {
  const path = project();
  const [one, two] = [await session("one"), await session("two")];
  expect(await cached({ path, session: one })).toBe(false);
  expect(await cached({ path, session: one }), "the same again").toBe(true);
  expect(await cached({ path, session: two }), "the project's entry").toBe(true);
  expect(await cached({ path, session: one, category: "formatter" }), "another category").toBe(false);
  expect(await cached({ path: join(path, "shop"), session: one }), "another path").toBe(false);
  await at.user.call("session.set", { id: two, name: "linter", value: "pylint" });
  expect(await cached({ path, session: two }), "a session that chose a tool").toBe(false);
  expect(await cached({ path, session: two })).toBe(true);
  const [own, others] = [await ask({ path, session: two }), await ask({ path, session: one })];
  expect([own, others].map(({ answers }) => answers[0]?.tools[0]?.name)).toEqual(["pylint", "ruff"]);
  expect(others.cached).toBe(true);
});

it("keeps tools, tier, the time of discovery and what the user chose [TOOL-55]", async () => {
  const path = project({ "ruff.toml": "", "a.go": "" });
  const id = await session("kept");
  await at.user.call("session.set", { id, name: "linter", value: "flake8" });
  const first = await ask({ path, session: id });
  const discoveredAt = at.clock.now();
  at.clock.advance(10 * minuteMs);
  const second = await ask({ path, session: id });
  expect(second).toEqual({ ...first, cached: true });
  expect(second).toMatchObject({
    discoveredAt,
    overrides: { linter: ["flake8"] },
    answers: [{ tier: 3, requiresUser: true, tools: [{ name: "flake8" }, { name: "ruff" }] }],
  });
});

it("is read, written, and invalidated as a whole or for one category [TOOL-53, TOOL-10]", async () => {
  const path = project();
  expect((await ask({ path, category: "all" })).cached, "written").toBe(false);
  expect(await cached({ path }), "read").toBe(true);
  expect(await cached({ path, refresh: true }), "one category anew").toBe(false);
  expect(await cached({ path, category: "formatter" }), "the others stay").toBe(true);
  expect((await ask({ path, category: "all", refresh: true })).cached, "all anew").toBe(false);
  expect((await ask({ path, category: "all" })).cached).toBe(true);
  writeFileSync(join(path, "pylintrc"), "");
  expect(await cached({ path }), "a changed file").toBe(false);
});

it("gives the scan ten seconds, and a person's choice no limit [TOOL-15]", async () => {
  const many = Array.from({ length: 400 }, (_, index) => [`src/${index}/deep/a.py`, ""] as const);
  const path = project(Object.fromEntries(many));
  const before = at.delays.length;
  const asked = ask({ path, languages: ["python"] });
  while (!at.delays.slice(before).includes(10_000)) await setImmediate();
  at.clock.advance(10_000);
  const { answers } = await asked;
  expect(answers).toMatchObject([{ tier: 3, requiresUser: true, tools: [] }]);
  expect(answers[0]!.notes[0]).toBe(`the scan of ${path} did not end within 10 s`);
  expect(await ask({ path, languages: ["python"] }), "not remembered").toMatchObject({
    cached: false,
    answers: [{ tier: 1, tools: [{ name: "ruff" }] }],
  });
  const scanned = at.delays.length;
  const open = await ask({ path: project({ "ruff.toml": "", "b.go": "", "c.go": "" }), languages: ["go"] });
  expect(open.answers).toMatchObject([{ tier: 3, requiresUser: true }]);
  const limits = at.delays.slice(scanned);
  expect(limits.filter((ms) => ms === 10_000).length, "of the service and of the message").toBe(2);
  expect(limits).toContain(30_000);
});
