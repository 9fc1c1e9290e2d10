/** Providers through the command line, against a model server on loopback; and where keys are, and are not. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { startScriptedServer, type ScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { provider } from "./rehearsed-runs.ts";
import { environmentOf, workersUnder } from "./run-processes.ts";
import { jsonOf } from "./run-sylk.ts";
import { command, finish, plan, work, write } from "./scenario-turns.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { endedRun, makeQuickShop, shopEnv, type Shop, workOf } from "./scratch-shop.ts";
import { until } from "./until.ts";

/** Writes what a command of the run sees of the world. */
const printer =
  'import { writeFileSync } from "node:fs";\nimport { test } from "node:test";\ntest("prints", () => writeFileSync("environment.json", JSON.stringify(process.env)));\n';
const turns = [
  plan([{ key: "print" }]),
  ...work(
    "print",
    { reply: [write("env/print.test.ts", printer)], fault: { delayMs: 300 } },
    command("node", "--test", "env/print.test.ts"),
    finish(),
  ),
  { when: {}, reply: [{ text: "Hello" }] },
];
const shellSecret = "sk-of-the-calling-shell-0123456789";

let server: ScriptedServer;
let daemon: ScratchDaemon;
let shop: Shop;
beforeAll(async () => {
  server = await startScriptedServer({ scenario: Scenario.parse({ name: "provider", turns }) });
  daemon = await openScratchDaemon({ env: { ...shopEnv, MODEL_KEY: server.apiKey, ANTHROPIC_API_KEY: shellSecret } });
  shop = makeQuickShop(daemon);
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await server.close();
});

describe("a provider", () => {
  it("with a key in the 0600 file is added, listed without it, tested, used for a run, and removed with it [RUN-8]", async () => {
    const added = await add("local", "openai-compatible", "--key", server.apiKey);
    expect([added.code, added.stdout]).toEqual([
      0,
      "local uses rehearsal (openai-compatible, key: file), the default\n",
    ]);
    const file = join(daemon.paths.home, "providers.json");
    expect([statSync(file).mode & 0o777, readFileSync(file, "utf8").includes(server.apiKey)]).toEqual([0o600, true]);
    const listed = await shop.sylk("provider", "list", "--json");
    expect(jsonOf(listed)).toEqual({
      items: [
        {
          name: "local",
          kind: "openai-compatible",
          model: "rehearsal",
          baseUrl: server.url,
          key: "file",
          isDefault: true,
        },
      ],
    });
    expect(jsonOf(await shop.sylk("provider", "test", "local", "--json"))).toMatchObject({
      ok: true,
      model: "rehearsal",
    });

    const workers = watchWorkers();
    const ended = endedRun(await sylkRun());
    expect([ended.run.status, ended.run.reason, ended.run.model]).toEqual(["verified", undefined, "local/rehearsal"]);
    expect(ended.run.label, "a configured provider is no rehearsal").toBeUndefined();
    expectNoSecrets(ended.run.workspace!.tree, await workers.stop());
    expect(filesWith(server.apiKey)).toEqual(["providers.json"]);
    expect([JSON.stringify(ended), listed.stdout, added.stdout].join()).not.toContain(server.apiKey);

    expect((await shop.sylk("provider", "remove", "local")).code).toBe(0);
    expect(filesWith(server.apiKey)).toEqual([]);
    const gone = await shop.sylk("provider", "remove", "local");
    expect([gone.code, gone.stderr]).toEqual([3, expect.stringContaining('no provider "local"')]);
  });

  it("with a key in a variable works without a trace of the key on disk [RUN-8]", async () => {
    await add("claude", "anthropic", "--key-variable", "MODEL_KEY");
    expect((await shop.sylk("provider", "list")).stdout).toMatch(
      /claude +anthropic +rehearsal +http:\/\/127\.0\.0\.1:\d+\/v1 +MODEL_KEY +default/,
    );
    const workers = watchWorkers();
    const { run } = endedRun(await sylkRun("--provider", "claude"));
    expect([run.status, run.model]).toEqual(["verified", "claude/rehearsal"]);
    expectNoSecrets(run.workspace!.tree, await workers.stop());
    expect(filesWith(server.apiKey)).toEqual([]);
    await shop.sylk("provider", "remove", "claude");
  });

  it("that cannot answer says why and what to do, without its key, before a run depends on it [RUN-8, RUN-11]", async () => {
    await add("wrong", "anthropic", "--key", "sk-wrong-wrong-wrong");
    const test = await shop.sylk("provider", "test", "wrong", "--json");
    expect(jsonOf(test)).toMatchObject({ ok: false, problem: expect.stringMatching(/key/i), fix: expect.any(String) });
    expect(test.stdout).not.toContain("sk-wrong-wrong-wrong");
    const failed = endedRun(await sylkRun("--provider", "wrong")).run;
    expect([failed.status, workOf(failed)]).toEqual(["failed", []]);
    expect(failed.reason).not.toContain("sk-wrong-wrong-wrong");
    await add("absent", "anthropic", "--key-variable", "NOT_SET_ANYWHERE");
    const refused = await sylkRun("--provider", "absent");
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining("NOT_SET_ANYWHERE")]);
    expect((await sylkRun("--provider", "nobody")).code).toBe(3);
  });

  it("that fails in four runs is an incident; a rehearsal that fails as often is counted and is none", async () => {
    await using own = await openScratchDaemon({ env: shopEnv });
    const other = makeQuickShop(own);
    const fails = async (...args: readonly string[]) => {
      for (let time = 0; time < 4; time++)
        expect(endedRun(await other.sylk("run", "Print", "--yes", "--json", ...args)).run.status).toBe("failed");
    };
    const incidentsAfter = (failed: number) =>
      until("the failures are counted", async () => {
        const { components, incidents } = await own.clientOf({ project: other.repository }).call("health.show", {});
        const architect = components.find(({ kind, name }) => kind === "agent" && name === "architect");
        return (architect?.failures ?? 0) >= failed && incidents.flatMap((one) => one.components);
      });
    await fails("--rehearse", other.scenario([{ when: { mentions: "never said" }, reply: [finish()] }]));
    expect(await incidentsAfter(4)).toEqual([]);
    const { name, ...terms } = provider("silent");
    await own.user.call("provider.add", { name, ...terms, baseUrl: server.url, key: "sk-wrong-wrong-wrong" });
    await fails("--provider", name);
    expect(await incidentsAfter(8)).toContainEqual(expect.stringContaining(name));
  });
});

function add(name: string, kind: string, ...key: readonly string[]) {
  return shop.sylk("provider", "add", name, "--kind", kind, "--model", "rehearsal", "--base-url", server.url, ...key);
}

function sylkRun(...args: readonly string[]) {
  return shop.sylk("run", "Print", "--yes", "--json", "--test-command", "node test/format.test.ts", ...args);
}

/** The environments of all workers that were seen meanwhile. */
function watchWorkers(): { stop(): Promise<readonly string[]> } {
  const seen = new Map<number, string>();
  let over = false;
  const watching = until(
    "the run is over",
    () => {
      for (const pid of workersUnder(daemon.root)) seen.set(pid, environmentOf(pid) || (seen.get(pid) ?? ""));
      return over;
    },
    { withinMs: 60_000 },
  );
  return {
    async stop() {
      over = true;
      await watching;
      return [...seen.values()];
    },
  };
}

function expectNoSecrets(tree: string, workers: readonly string[]): void {
  const environment = readFileSync(join(tree, "environment.json"), "utf8");
  expect(Object.keys(JSON.parse(environment) as object)).toContain("PATH");
  expect(workers.length).toBeGreaterThan(0);
  for (const text of [environment, ...workers]) {
    expect(text.length).toBeGreaterThan(20);
    expect(text).not.toContain(server.apiKey);
    expect(text).not.toContain(shellSecret);
  }
  expect(environment).not.toContain(daemon.userToken);
}

/** Files of the home, database and logs included, that contain the text. */
function filesWith(text: string): readonly string[] {
  const files = readdirSync(daemon.paths.home, { withFileTypes: true, recursive: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text))
    .map((file) => file.slice(daemon.paths.home.length + 1));
}
