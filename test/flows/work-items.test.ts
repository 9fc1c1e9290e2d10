/** Work items as people and their agents use them: through the command line, with a real daemon and real files. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { killAndWait } from "./processes.ts";
import { startProcess } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
});
afterAll(() => daemon[Symbol.asyncDispose]());

type WorkItemJson = { readonly id: string; readonly title: string; readonly owner?: { readonly name: string } };
type Body = {
  readonly workItem: WorkItemJson;
  readonly items: readonly { readonly kind: string; readonly text: string }[];
};
const sylk = async (args: readonly string[], as?: string) => {
  const run = await daemon.sylk([...args, ...(as === undefined ? [] : ["--as", as]), "--json"]);
  return { ...run, body: JSON.parse(run.stdout) as Body };
};

it("imports a beads file, works on its items by their ids, and exports what was not touched as it was [WRK-12]", async () => {
  await daemon.register("heron");
  const lines = [
    '{"id":"bd-fbj","title":"Store tombstones","status":"open","priority":0,"issue_type":"task","unknown":1.50}',
    '{"id":"bd-0ih","title":"Handle \\u00fcber-tombstones","status":"open","priority":1,"dependencies":[{"issue_id":"bd-0ih","depends_on_id":"bd-fbj","type":"blocks"}]}',
  ];
  const file = join(daemon.repository, "issues.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n\n`);
  expect((await sylk(["work", "import", "issues.jsonl"], "heron")).body).toMatchObject({ added: 2, openLinks: 0 });
  expect((await sylk(["work", "import", "issues.jsonl"], "heron")).body).toMatchObject({ added: 0, unchanged: 2 });
  expect((await sylk(["work", "export", "out.jsonl"])).body).toMatchObject({ items: 2 });
  expect(readFileSync(join(daemon.repository, "out.jsonl"), "utf8")).toBe(`${lines.join("\n")}\n`);

  const blocked = await sylk(["claim", "bd-0ih"], "heron");
  expect([blocked.code, blocked.body]).toMatchObject([4, { error: { code: "work-item.blocked" } }]);
  expect((await sylk(["claim", "bd-fbj"], "heron")).body.workItem.owner?.name).toBe("heron");
  await sylk(["close", "bd-fbj", "--reason", "merged"], "heron");
  await sylk(["work", "export", "out.jsonl"]);
  const [closed, untouched] = readFileSync(join(daemon.repository, "out.jsonl"), "utf8").trim().split("\n");
  expect(JSON.parse(closed!)).toMatchObject({ id: "bd-fbj", status: "closed", close_reason: "merged", unknown: 1.5 });
  expect(untouched).toBe(lines[1]);
});

it("holds at most three claims, and ready --for me puts first what the agent can and has done well and fast [WRK-10]", async () => {
  const place = { client: "other", project: { path: daemon.repository } } as const;
  const register = (pid?: number) => {
    const wanted = { ...place, sessionKey: "test-lynx", name: "lynx", capabilities: ["lang:go"] };
    return daemon.user.call("agent.register", { ...wanted, ...(pid === undefined ? {} : { pid }) });
  };
  const lynx = daemon.clientOf({ token: (await register()).token });
  const made = async (title: string, more: { type?: string; labels?: string[] } = {}) =>
    (await lynx.call("work-item.create", { title, ...more })).workItem.id;
  const held = await Promise.all(["one", "two", "three", "four"].map((title) => made(title)));
  for (const id of held.slice(0, 3)) expect((await sylk(["claim", id], "lynx")).code).toBe(0);
  const fourth = await sylk(["claim", held[3]!], "lynx");
  expect([fourth.code, fourth.body]).toMatchObject([
    6,
    { error: { code: "claim.limit", details: { limit: 3, used: 3, held: expect.arrayContaining(held.slice(0, 3)) } } },
  ]);
  for (const id of held.slice(0, 3)) await sylk(["close", id, "--reason", "done"], "lynx");
  await sylk(["close", held[3]!, "--reason", "not needed"], "lynx");

  // It closes a bug at once and a chore late; documentation it closes at once, and was twice killed over it.
  for (const type of ["bug", "chore", "docs"]) {
    const id = await made(`first ${type}`, { type });
    await sylk(["claim", id], "lynx");
    if (type === "chore") ageClaim(id, 3_600_000);
    await sylk(["close", id, "--reason", "done"], "lynx");
  }
  for (const title of ["left docs", "more left docs"]) {
    const client = startProcess("sleep", ["600"], { env: daemon.env, cwd: daemon.repository });
    const lynx = daemon.clientOf({ token: (await register(client.pid)).token });
    const id = await made(title, { type: "docs" });
    await lynx.call("work-item.claim", { id });
    await killAndWait(client.pid);
    await until("its claim is gone", async () => {
      const { workItem } = await daemon.user.call("work-item.get", { id });
      return workItem.owner === undefined;
    });
    await daemon.user.call("work-item.close", { id, reason: "not needed" });
  }
  await register();
  const wanted = ["next docs", "next chore", "next bug", "next go"];
  for (const title of wanted.slice(0, 3)) await made(title, { type: title.split(" ")[1]! });
  await made("next go", { type: "feature", labels: ["lang:go"] });
  const titles = async (...flags: readonly string[]) => {
    const { items } = (await sylk(["ready", ...flags], "lynx")).body as unknown as { items: readonly WorkItemJson[] };
    return items.map(({ title }) => title).filter((title) => wanted.includes(title));
  };
  expect(await titles()).toEqual(wanted);
  expect(await titles("--for", "me")).toEqual(["next go", "next bug", "next chore", "next docs"]);
});

/** As if it had been claimed that much earlier. */
function ageClaim(id: string, ms: number): void {
  const database = new Database(daemon.paths.database);
  database.prepare("UPDATE work_items SET claimed_at = claimed_at - ? WHERE id = ?").run(ms, id);
  database.close();
}

it("names the file and the line that cannot be imported, and imports nothing of it", async () => {
  writeFileSync(join(daemon.repository, "bad.jsonl"), '{"id":"bd-77","title":"fine"}\nnot json\n');
  const bad = await sylk(["work", "import", "bad.jsonl"]);
  expect([bad.code, bad.body]).toMatchObject([2, { error: { message: expect.stringContaining("line 2") } }]);
  expect((await sylk(["work", "show", "bd-77"])).code).toBe(3);
  const missing = await sylk(["work", "import", "nowhere.jsonl"]);
  expect([missing.code, missing.body]).toMatchObject([
    2,
    { error: { message: expect.stringContaining("nowhere.jsonl") } },
  ]);
});

it("hands an item from agent to agent: asked, accepted, with what the first one left [WRK-7]", async () => {
  const [first, second] = [await daemon.register("crane"), await daemon.register("stork")];
  const { workItem } = await first.client.call("work-item.create", { title: "Rate-limit POST /orders" });
  await first.client.call("work-item.claim", { id: workItem.id });
  await first.client.call("reservation.acquire", { paths: ["src/limit.ts"] });
  await sylk(["work", "progress", workItem.id, "limiter written", "--percent", "60"], "crane");
  expect((await sylk(["handoff", workItem.id], "stork")).body).toMatchObject({ state: "asked" });
  const told = (await sylk(["work", "notices"], "crane")).body;
  expect(told.items.map(({ kind }) => kind)).toEqual(["handoff-asked"]);
  expect((await sylk(["handoff", workItem.id, "--accept"], "crane")).body).toMatchObject({
    state: "handed-over",
    workItem: { owner: { name: "stork" } },
  });
  const received = await second.client.call("work-item.claim", { id: workItem.id });
  expect(received.handoff).toMatchObject({
    from: { name: "crane" },
    progress: [{ note: "limiter written", percent: 60 }],
    files: ["src/limit.ts"],
  });
  const { stdout } = await daemon.sylk(["who"]);
  expect(stdout).toMatch(/stork .*Rate-limit POST \/orders/);
  expect(stdout).toMatch(/crane .*src\/limit\.ts/);
});

it("releases work that does not move after asking, and leaves alone who edits [WRK-6]", async () => {
  const env = { SYLK_WORK_STALL_AFTER_MS: "3000", SYLK_WORK_ANSWER_WITHIN_MS: "1000" };
  await using own = await openScratchDaemon({ env });
  const [idle, busy] = [await own.register("heron"), await own.register("otter")];
  const claims = await Promise.all(
    [idle, busy].map(async ({ client }) => {
      const { workItem } = await client.call("work-item.create", { title: "Rate-limit POST /orders" });
      return (await client.call("work-item.claim", { id: workItem.id })).workItem;
    }),
  );
  const { reservation } = await busy.client.call("reservation.acquire", { paths: ["src/limit.ts"] });
  const owners = async () =>
    Promise.all(claims.map(async ({ id }) => (await own.user.call("work-item.get", { id })).workItem.owner?.name));
  await until("the idle agent's item is back in the queue", async () => {
    await busy.client.call("reservation.renew", { id: reservation.id });
    return (await owners())[0] === undefined;
  });
  expect(await owners()).toEqual([undefined, "otter"]);
  const { items } = await idle.client.call("work-item.notices", {});
  expect(items.map(({ kind }) => kind)).toEqual(["stall-asked", "stall-released"]);
});

it("knows who is there while another process holds the store, within a second [WRK-11]", async () => {
  const foreign = new Database(daemon.paths.database);
  foreign.exec("BEGIN IMMEDIATE");
  const run = await daemon.sylk(["who", "--json"]);
  foreign.exec("ROLLBACK");
  foreign.close();
  expect(run.code).toBe(0);
  const { items } = JSON.parse(run.stdout) as { items: { name: string; lastSeenAt: number }[] };
  expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(["crane", "stork"]));
  expect(items.map(({ lastSeenAt }) => lastSeenAt)).toEqual(
    items.map(({ lastSeenAt }) => lastSeenAt).toSorted((a, b) => b - a),
  );
});

it("says within a second why it does not know who is there when the daemon does not answer [WRK-11]", async () => {
  process.kill(daemon.pid, "SIGSTOP");
  try {
    const run = await daemon.sylk(["who", "--json"]);
    expect(run.code).toBe(7);
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: { code: "daemon.unreachable", message: expect.stringContaining("unknown"), details: { limitMs: 1_000 } },
    });
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
  await until("it answers again", async () => (await daemon.sylk(["who"])).code === 0);
});
