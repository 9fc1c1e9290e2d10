/** Codex, Gemini CLI and opencode as installed: what each of them starts or loads, against one real daemon. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { repositoryRoot } from "./run-sylk.ts";
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
  const [codex, gemini] = [codexSession("c-3"), geminiSession("g-3")];
  // Only where the client tells a tool server nothing: then the model must be able to.
  expect((await gemini.send("SessionStart", { source: "startup" })).stdout).toContain("agent_register");
  expect((await codex.send("SessionStart", { source: "startup" })).stdout).not.toContain("agent_register");
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

it("serves Claude Code and Codex by one published plugin, each under its own name [ADPT-1, DUAL-1]", async () => {
  const root = join(repositoryRoot, "plugins", "sylk");
  const { repository, env } = daemon;
  const loaded = (session: string, more: object) =>
    hookClient({
      session,
      repository,
      env: { ...env, CLAUDE_PLUGIN_ROOT: root, ...more },
      settings: join(root, "hooks", "hooks.json"),
    });
  expect(await loaded("p-1", {}).edit("src/cart.ts")).toEqual(silence);
  const codex = loaded("p-2", { PLUGIN_ROOT: root });
  expect(await codex.send("PreToolUse", { tool_name: "apply_patch", tool_input: patch })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("(claude-code, active"),
  });
  expect((await daemon.user.call("agent.list", {})).items.map(({ client }) => client).toSorted()).toEqual([
    "claude-code",
    "codex",
  ]);
});

/** Whatever is called `sh` first on the PATH runs the hook and the launcher that it starts. */
const shells = ["dash", "busybox", "bash"].flatMap((name) => {
  const found = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  return found === "" ? [] : [{ name, shell: found }];
});

it.each(shells)(
  "stops a commit of another's file under $name, and takes each client's word for who it is [ADPT-6]",
  async ({ name, shell }) => {
    const { repository, env, root } = daemon;
    const bin = join(root, name);
    mkdirSync(bin);
    symlinkSync(shell, join(bin, "sh"));
    await codexSession("c-4").send("PreToolUse", { tool_name: "apply_patch", tool_input: patch });
    mkdirSync(join(repository, "src"), { recursive: true });
    writeFileSync(join(repository, "src", "cart.ts"), name);
    execFileSync("git", ["add", "src/cart.ts"], { cwd: repository });
    const commit = (who: Readonly<Record<string, string>>) =>
      spawnSync("sh", [join(repository, ".git", "hooks", "pre-commit")], {
        cwd: repository,
        env: { ...env, ...who, PATH: `${bin}:${process.env.PATH}` },
        encoding: "utf8",
      });
    await geminiSession("g-4").send("AfterAgent");
    expect(commit({ GEMINI_SESSION_ID: "g-4" })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is held by"),
    });
    expect(commit({ CODEX_SESSION_ID: "c-4" })).toMatchObject({ status: 0, stderr: "" });
    execFileSync("git", ["rm", "-q", "-f", "src/cart.ts"], { cwd: repository });
  },
);

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
