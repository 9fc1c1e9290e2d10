/** Two versions of Sylk meet in one home: the newer takes over after the older has finished, and never the other way. */
import { existsSync, readFileSync, utimesSync } from "node:fs";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import type { DaemonRecord } from "../../src/platform/home/index.ts";
import { openEventStream } from "../flows/event-stream.ts";
import { isAlive, processesUnder } from "../flows/processes.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { finish, plan, work, write } from "../flows/scenario-turns.ts";
import { openScratchHome, type ScratchHome } from "../flows/scratch-home.ts";
import { makeQuickShop, patience, shopEnv } from "../flows/scratch-shop.ts";
import { until } from "../flows/until.ts";
import type { Findings } from "./every-way.ts";
import { startLoad, userOf } from "./under-load.ts";
import { makeVersion, type VersionedSylk } from "./versioned-sylk.ts";

const limits = { SYLK_RESERVATIONS_MAX_PER_AGENT: "1000", SYLK_WORK_MAX_CLAIMS_PER_AGENT: "1000" };

describe("a newer command and an older daemon", () => {
  it("the daemon finishes, makes way and nothing is lost or doubled; streams and runs go on [CORE-18]", async () => {
    await using home = openScratchHome({ env: { ...shopEnv, ...limits } });
    const [old, young] = [makeVersion(home, { version: "0.8.0" }), makeVersion(home, { version: "0.9.0" })];
    expect((await old.run(["up"])).code).toBe(0);
    const before = recordOf(home);
    expect(before).toMatchObject({ version: "0.8.0", protocol: 1 });

    const load = await startLoad(home, 6);
    const place = { socketPath: home.paths.socket };
    const token = readFileSync(home.paths.token, "utf8").trim();
    const stream = await openEventStream(place, { token, project: home.repository, after: 0 });
    // A project of their own: the load's checker knows every change of its project.
    const project = home.addRepository("other");
    await using proxy = await mcpProxy(home, old, project);
    await proxy.create("Before the change of version");
    const run = await startSlowRun(home);
    await load.answers(100);

    const added = await young.run(["-C", project, "work", "add", "After the change of version"]);
    expect(added.code, added.stderr).toBe(0);
    const after = recordOf(home);
    expect(after).toMatchObject({ version: "0.9.0" });
    expect(added.stderr).toBe(
      `note: the daemon of Sylk 0.8.0 (pid ${before.pid}) was replaced by 0.9.0 (pid ${after.pid}); work in progress continues\n`,
    );
    await until("the old daemon is gone", () => !isAlive(before.pid));
    expect(await stream.end).toBe("ended");
    await load.answers(100);
    await proxy.create("By the older version's MCP process");

    expect(await load.verdict()).toEqual([]);
    const last = stream.frames.at(-1)!.id;
    const again = await openEventStream(place, { token, project: home.repository, lastEventId: last });
    const { items } = await userOf(home).call("event.list", { after: last, limit: 1000 });
    await again.receive(items.length);
    expect(again.frames.slice(0, items.length).map(({ id }) => id)).toEqual(items.map(({ sequence }) => sequence));
    again.close();
    const agents = await userOf(home).call("agent.list", {});
    expect(agents.items.filter(({ name }) => /^c\d$/.test(name))).toHaveLength(6);
    expect(await run.ended()).toMatchObject({ status: "verified" });
    expect(startsIn(home)).toEqual([before.pid, after.pid]);
  });

  it("any number of commands of both versions at once change the daemon once, and none fails [CORE-18]", async () => {
    await using home = openScratchHome();
    const [old, young] = [makeVersion(home, { version: "0.8.0" }), makeVersion(home, { version: "0.9.0" })];
    await old.run(["up"]);
    const { pid } = recordOf(home);
    const kinds = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? old : young));
    const runs = await Promise.all(kinds.map((sylk, index) => sylk.run(["work", "add", `item ${index}`, "--json"])));
    expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
    // Several may have asked it before it went; the log below says that it went once.
    expect(runs.filter(({ stderr }) => stderr.includes("was replaced by"))).not.toHaveLength(0);
    expect(recordOf(home).version).toBe("0.9.0");
    expect(startsIn(home)).toEqual([pid, recordOf(home).pid]);
    await until("one daemon is left", () => processesUnder(home.paths.home).length === 1);
    const { items } = await userOf(home).call("work-item.list", { limit: 500 });
    expect(items.map(({ title }) => title).sort()).toEqual(kinds.map((_, index) => `item ${index}`).sort());
  });

  it("a daemon that was killed is followed by the newer version without a word [CORE-18]", async () => {
    await using home = openScratchHome();
    const [old, young] = [makeVersion(home, { version: "0.8.0" }), makeVersion(home, { version: "0.9.0" })];
    await old.run(["up"]);
    process.kill(recordOf(home).pid, "SIGKILL");
    const run = await young.run(["ready"]);
    expect([run.code, run.stderr, recordOf(home).version]).toEqual([0, "", "0.9.0"]);
  });
});

describe.concurrent("an older command and a newer daemon", () => {
  it("of the same protocol work together, and the command says so [CORE-18]", async () => {
    await using home = openScratchHome();
    const [old, young] = [makeVersion(home, { version: "0.8.0" }), makeVersion(home, { version: "0.9.0" })];
    await young.run(["up"]);
    const { pid } = recordOf(home);
    for (const words of [["work", "add", "x"], ["ready"], ["up"]]) {
      const { code, stderr } = await old.run(words);
      expect([code, stderr]).toEqual([
        0,
        "note: the daemon is Sylk 0.9.0, this command is 0.8.0; they are compatible, but upgrade soon: npm install -g sylk@0.9.0\n",
      ]);
    }
    expect(recordOf(home)).toMatchObject({ pid, version: "0.9.0" });
    expect(jsonOf<Findings>(await old.run(["doctor", "--json"])).findings).toContainEqual({
      check: "daemon",
      state: "warning",
      what: "runs version 0.9.0, this command is 0.8.0",
      fix: "npm install -g sylk@0.9.0",
    });
  });

  it("of another protocol do not: the command refuses with the way out; status, doctor and down still work [CORE-18]", async () => {
    await using home = openScratchHome();
    const old = makeVersion(home, { version: "0.8.0" });
    const young = makeVersion(home, { version: "0.9.0", protocol: 2 });
    await old.run(["up"]);
    await using proxy = await mcpProxy(home, old);
    await young.run(["up"]);
    const { pid } = recordOf(home);
    const wayOut =
      'This home is served by Sylk 0.9.0 and this command is 0.8.0, which must not replace it; upgrade this command (npm install -g sylk@0.9.0), or downgrade on purpose with "sylk down" and "sylk up --downgrade"';
    for (const words of [["work", "add", "x"], ["ready"], ["up"]]) {
      const text = await old.run(words);
      expect([text.code, text.stderr]).toEqual([7, expect.stringContaining(wayOut)]);
      const json = await old.run([...words, "--json"]);
      expect(jsonOf(json)).toMatchObject({
        error: {
          code: "daemon.version-mismatch",
          message: wayOut,
          details: { daemon: { version: "0.9.0", protocol: 2 }, command: { version: "0.8.0", protocol: 1 } },
        },
      });
    }
    expect(await proxy.tryCreate("by MCP")).toMatchObject({ error: { code: "daemon.version-mismatch" } });
    expect(jsonOf(await old.run(["status", "--json"]))).toMatchObject({ running: true, pid, version: "0.9.0" });
    const doctor = await old.run(["doctor"]);
    expect([doctor.code, doctor.stdout]).toEqual([7, expect.stringMatching(/problem +daemon +runs version 0\.9\.0/)]);
    expect((await old.run(["down"])).code).toBe(0);
    await until("the daemon is gone", () => !isAlive(pid));
  });

  it("a newer version's home is taken back by an older one on purpose only [CORE-18]", async () => {
    await using home = openScratchHome();
    const old = makeVersion(home, { version: "0.8.0" });
    const young = makeVersion(home, { version: "0.9.0", protocol: 2 });
    await young.run(["up"]);
    await young.run(["down"]);
    utimesSync(home.paths.servedBy, 0, 0); // nobody is just taking over
    const refused = await old.run(["ready", "--json"]);
    expect([refused.code, jsonOf(refused)]).toMatchObject([7, { error: { code: "daemon.version-mismatch" } }]);
    const daemon = await old.run(["serve", "--background"]);
    expect([daemon.code, daemon.stderr]).toEqual([7, expect.stringContaining("which must not replace it")]);
    expect(existsSync(home.paths.socket), "nothing was started").toBe(false);
    expect((await old.run(["doctor"])).stdout).toMatch(
      /problem +daemon +not running, and Sylk 0\.9\.0 served this home/,
    );
    expect((await old.run(["up", "--downgrade"])).code).toBe(0);
    expect(recordOf(home).version).toBe("0.8.0");

    await young.run(["up"]);
    process.kill(recordOf(home).pid, "SIGKILL");
    expect((await old.run(["up", "--downgrade"])).code, "also from what a killed one left").toBe(0);
    expect(recordOf(home).version).toBe("0.8.0");
  });
});

function recordOf({ paths }: ScratchHome): DaemonRecord {
  return JSON.parse(readFileSync(paths.record, "utf8")) as DaemonRecord;
}

/** Which processes have served, in order. */
function startsIn({ paths }: ScratchHome): readonly number[] {
  const lines = readFileSync(`${paths.logs}/daemon.log`, "utf8").trim().split("\n");
  const facts = lines.map((line) => JSON.parse(line) as { event: string; pid: number });
  return facts.filter(({ event }) => event === "daemon.started").map(({ pid }) => pid);
}

/** `sylk mcp` of one version, for as long as the test lasts. */
async function mcpProxy({ env, repository }: ScratchHome, { main }: VersionedSylk, project = repository) {
  const client = new Client({ name: "faults", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp"],
    env: { ...env, GEMINI_SESSION_ID: "proxy" }, // nobody changes anything over MCP
    cwd: project,
    stderr: "ignore",
  });
  await client.connect(transport);
  const tryCreate = async (title: string): Promise<unknown> =>
    (await client.callTool({ name: "work_item_create", arguments: { title } })).structuredContent;
  return {
    tryCreate,
    create: async (title: string) => expect(await tryCreate(title)).toMatchObject({ workItem: { title } }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** A rehearsed run that is under way for a while: each answer of its model takes its time. */
async function startSlowRun(home: ScratchHome) {
  const shop = makeQuickShop(home);
  const turns = [
    plan([{ key: "price" }, { key: "tax", dependsOn: ["price"] }]),
    ...work("price", write("src/price.ts", "export const price = 1;\n"), finish()),
    ...work("tax", write("src/tax.ts", "export const tax = 1;\n"), finish()),
  ].map((turn) => ({ ...turn, fault: { delayMs: 300, times: 1000 } }));
  const client = userOf(home);
  const { run } = await client.call("run.start", {
    request: "Prices and taxes",
    project: { path: shop.repository },
    rehearse: shop.scenario(turns),
    approve: true,
    testCommand: ["node", "test/format.test.ts"],
    lintCommand: ["node", "scripts/lint.mjs"],
  });
  return {
    ended: () =>
      until(
        "the run rests",
        async () => {
          const now = (await client.call("run.get", { id: run.id })).run;
          return now.status === "planning" || now.status === "running" ? undefined : now;
        },
        patience,
      ),
  };
}
