/** The same trouble over every way in: changes are refused with one sentence, reading goes on, and everybody says why. */
import { expect } from "vitest";
import { jsonOf } from "../flows/run-sylk.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";
import type { Sender, WayIn } from "../flows/ways-in.ts";
import { send } from "../flows/wire.ts";

export type Findings = {
  readonly healthy: boolean;
  readonly findings: readonly {
    readonly check: string;
    readonly state: string;
    readonly what: string;
    readonly fix?: string;
  }[];
};

const bigBody = "x".repeat(90_000);

const keepers = new WeakMap<ScratchDaemon, Promise<Sender>>();

/** An agent, since nobody's calls over MCP may only read; registered while all is well. */
function keeperOf(daemon: ScratchDaemon): Promise<Sender> {
  const keeper = keepers.get(daemon) ?? daemon.register("keeper").then(({ token }) => ({ token }));
  keepers.set(daemon, keeper);
  return keeper;
}

/** Does what needs room, over one way in. */
async function change(daemon: ScratchDaemon, way: WayIn, title: string) {
  return way.call("work-item.create", { title, body: bigBody }, await keeperOf(daemon));
}

export async function expectDoneEveryWay(daemon: ScratchDaemon, ways: readonly WayIn[], title: string): Promise<void> {
  for (const way of ways) {
    const { ok, body } = await change(daemon, way, `${title} over ${way.name}`);
    expect(ok, `${way.name}: ${JSON.stringify(body)}`).toBe(true);
  }
}

export async function expectRefusedEveryWay(daemon: ScratchDaemon, ways: readonly WayIn[], sentence: RegExp) {
  for (const way of ways) {
    const { ok, body, status, exitCode } = await change(daemon, way, `refused over ${way.name}`);
    expect(ok, `${way.name}: ${JSON.stringify(body)}`).toBe(false);
    expect(body, way.name).toMatchObject({
      error: { code: "store.unavailable", message: expect.stringMatching(sentence) },
    });
    expect([status ?? 503, exitCode ?? 7], way.name).toEqual([503, 7]);
    expect((await way.call("work-item.list", { limit: 1 }, {})).ok, `${way.name} reads on`).toBe(true);
  }
  const text = await daemon.sylk(["work", "add", "refused as text", "--body", bigBody]);
  expect([text.code, text.stdout]).toEqual([7, ""]);
  expect(text.stderr.replaceAll(/\s+/g, " ")).toMatch(sentence);
}

/** What the daemon says of itself while it refuses changes. */
export async function expectTold(daemon: ScratchDaemon, ways: readonly WayIn[], sentence: RegExp): Promise<void> {
  const told = expect.stringMatching(sentence);
  expect(await health(daemon)).toEqual({ status: 503, body: '{"ok":false}' });
  for (const way of ways)
    expect(await way.call("daemon.status", {}, {}), way.name).toMatchObject({
      ok: true,
      body: { store: { state: "unavailable" }, troubles: [{ part: "store", what: told }] },
    });
  const status = await daemon.sylk(["status", "--json"]);
  expect([status.code, jsonOf(status)]).toEqual([
    0,
    expect.objectContaining({
      store: { state: "unavailable", file: daemon.paths.database, reason: told },
      troubles: [{ part: "store", what: told, fix: expect.any(String) }],
    }),
  ]);
  expect((await daemon.sylk(["status"])).stdout).toMatch(
    /^trouble +store: Coordination is not enforced: changes are refused .*; reads still work\. The store cannot be used/m,
  );
  await expectNotTakenForEmpty(daemon, ways, sentence);
  const doctor = await daemon.sylk(["doctor", "--json"]);
  expect(doctor.code).toBe(7);
  expect(jsonOf<Findings>(doctor).findings).toContainEqual(
    expect.objectContaining({ check: "store", state: "problem", what: told, fix: expect.any(String) }),
  );
}

/** Who is here can still be read; that nobody is kept apart is said with it, and why. */
async function expectNotTakenForEmpty(daemon: ScratchDaemon, ways: readonly WayIn[], sentence: RegExp): Promise<void> {
  const notEnforced = new RegExp(`coordination is NOT enforced: .*${sentence.source}`, "s");
  for (const way of ways) {
    const told = expect.stringMatching(sentence);
    expect(await way.call("agent.list", {}, {}), way.name).toMatchObject({ ok: true, body: { notEnforced: told } });
    expect(await way.call("health.show", {}, {}), way.name).toMatchObject({
      ok: true,
      body: { enforced: false, whyNot: told },
    });
    const { body } = await way.call("health.greeting", {}, {});
    expect(body, way.name).toMatchObject({ enforced: false, line: expect.stringMatching(notEnforced) });
  }
  for (const words of [["who"], ["health"], ["health", "greeting"]])
    expect((await daemon.sylk(words)).stdout.replaceAll(/\s+/g, " "), words.join(" ")).toMatch(notEnforced);
  expect((await daemon.sylk(["status"])).stdout).toMatch(/Coordination is not enforced/);
}

/** Without a restart, and without a trace of what was refused. */
export async function expectWellAgain(daemon: ScratchDaemon, ways: readonly WayIn[], pid: number): Promise<void> {
  expect(await health(daemon)).toEqual({ status: 200, body: '{"ok":true}' });
  expect(jsonOf(await daemon.sylk(["status", "--json"]))).toMatchObject({
    pid,
    store: { state: "ok" },
    troubles: [],
  });
  await expectDoneEveryWay(daemon, ways, "done");
  const { items } = await daemon.user.call("work-item.list", { limit: 500 });
  expect(items.filter(({ title }) => title.startsWith("refused"))).toEqual([]);
}

async function health({ paths }: ScratchDaemon) {
  const { status, body } = await send({ socketPath: paths.socket }, { path: "/healthz" });
  return { status, body };
}
