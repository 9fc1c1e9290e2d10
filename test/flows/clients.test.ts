/** Codex, Gemini CLI and opencode as installed: what each of them starts or loads, against one real daemon. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

type Hooks = Readonly<Record<string, (input: object, output?: object) => Promise<void>>>;
type Plugin = { readonly Sylk: (terms: { readonly directory: string }) => Promise<Hooks> };

const silence = { code: 0, stdout: "", stderr: "" };
let daemon: ScratchDaemon;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  for (const client of ["codex", "gemini", "opencode"]) {
    const { code, stderr } = await daemon.sylk(["install", client, "--yes"]);
    if (code !== 0 || stderr !== "") throw new Error(`${client} was not installed: ${stderr}`);
  }
});
afterAll(() => daemon[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const { id } of (await daemon.user.call("agent.list", {})).items) await daemon.user.call("agent.end", { id });
});

const codexSession = (session: string) => launched(session, ".codex/hooks.json");
const geminiSession = (session: string) => launched(session, ".gemini/settings.json");

function launched(session: string, settings: string): ReturnType<typeof hookClient> {
  const { repository, env } = daemon;
  return hookClient({ session, repository, env, settings: join(repository, settings) });
}

async function opencodeHooks(directory = daemon.repository): Promise<Hooks> {
  const file = join(daemon.repository, ".opencode", "plugins", "sylk.js");
  const { Sylk } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Plugin;
  return Sylk({ directory });
}

const patch = { command: "*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-a\n+b\n*** End Patch" };

it("denies across clients, each in the way it accepts, and says nothing where it allows [ADPT-1, ADPT-2]", async () => {
  const [codex, gemini, opencode] = [codexSession("c-1"), geminiSession("g-1"), await opencodeHooks()];
  const write = (filePath: string) =>
    opencode["tool.execute.before"]!(
      { tool: "write", sessionID: "ses_1", callID: "1" },
      { args: { filePath: join(daemon.repository, filePath) } },
    );
  expect(await codex.send("PreToolUse", { tool_name: "apply_patch", tool_input: patch })).toEqual(silence);
  const shell = { tool_name: "run_shell_command", tool_input: { command: "echo x > src/cart.ts" } };
  expect(await gemini.send("BeforeTool", shell)).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/"src\/cart.ts" is held by \w+ \(codex, active/),
  });
  await expect(write("src/cart.ts")).rejects.toThrow(/"src\/cart.ts" is held by \w+ \(codex, active/);
  await write("src/basket.ts");
  const denied = await codex.send("PreToolUse", { tool_name: "Bash", tool_input: { command: "rm src/basket.ts" } });
  expect(denied).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("(opencode, active") });
  expect((await daemon.user.call("agent.list", {})).items.map(({ client }) => client).toSorted()).toEqual([
    "codex",
    "gemini",
    "opencode",
  ]);
});

it("tells each session's model who else is here [ADPT-2]", async () => {
  for (const client of [codexSession("c-2"), geminiSession("g-2")]) {
    const { code, stdout } = await client.send("SessionStart", { source: "startup" });
    expect({ code, told: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      told: {
        hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: expect.stringContaining("you are") },
      },
    });
  }
  const opencode = await opencodeHooks();
  await opencode["chat.message"]!({ sessionID: "ses_2" });
  const output = { system: ["theirs"] };
  await opencode["experimental.chat.system.transform"]!({ sessionID: "ses_2" }, output);
  expect(output.system).toEqual(["theirs", expect.stringMatching(/you are .*\(codex, active\)/)]);
  const shell = { env: {} };
  await opencode["shell.env"]!({ sessionID: "ses_2" }, shell);
  const run = await daemon.sylk(["reserve", "mine.ts", "--json"], { env: shell.env });
  expect(JSON.parse(run.stdout)).toMatchObject({ reservation: { holder: { client: "opencode" } } });
});

it("knows opencode's sub-agents by their parent, and frees what they hold when they are done [ADPT-1]", async () => {
  const opencode = await opencodeHooks();
  await opencode.event!({
    event: { type: "session.created", properties: { info: { id: "ses_4", parentID: "ses_3" } } },
  });
  const edit = { args: { filePath: join(daemon.repository, "a.ts") } };
  await opencode["tool.execute.before"]!({ tool: "edit", sessionID: "ses_4" }, edit);
  expect((await daemon.user.call("reservation.list", {})).items).toHaveLength(1);
  expect((await daemon.user.call("agent.list", {})).items).toHaveLength(2);
  await opencode.event!({ event: { type: "session.idle", properties: { sessionID: "ses_4" } } });
  expect((await daemon.user.call("reservation.list", {})).items).toEqual([]);
  await opencode.event!({ event: { type: "session.deleted", properties: { info: { id: "ses_3" } } } });
  expect((await daemon.user.call("agent.list", { status: "active" })).items).toEqual([]);
});

it("takes the nearest process that is no shell for the client's own", async () => {
  await codexSession("c-3").send("SessionStart", { source: "startup" });
  expect((await daemon.user.call("agent.list", {})).items).toMatchObject([{ client: "codex", pid: process.pid }]);
});

it("keeps opencode working when nobody answers: the tool runs, soon, and that is counted [ADPT-2, DUAL-1]", async () => {
  const opencode = await opencodeHooks();
  const edit = (tool: string, args: object) => opencode["tool.execute.before"]!({ tool, sessionID: "ses_5" }, { args });
  await daemon.sylk(["down"]);
  await edit("edit", { filePath: join(daemon.repository, "a.ts") });
  await edit("bash", { command: 7 });
  await opencode["tool.execute.before"]!({}, {});
  const outcomes = join(daemon.paths.home, "log", "hook-outcomes.jsonl");
  await until("it is written down", () => existsSync(outcomes));
  expect(readFileSync(outcomes, "utf8")).toContain('"component":"hook/opencode/tool","outcome":"degraded"');
  const output = { system: [] };
  await opencode["chat.message"]!({ sessionID: "ses_5" });
  await opencode["experimental.chat.system.transform"]!({ sessionID: "ses_5" }, output);
  expect(output.system).toEqual([expect.stringContaining("who else is here is unknown")]);
  for (const client of ["codex", "gemini", "opencode"])
    expect(await daemon.sylk(["uninstall", client, "--yes"])).toMatchObject({ code: 0 });
  expect(
    execFileSync("git", ["status", "--porcelain", "--ignored"], { cwd: daemon.repository, encoding: "utf8" }),
  ).toBe("");
});
