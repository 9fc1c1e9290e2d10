/** Codex, Gemini CLI and opencode as installed: what each of them starts or loads, against one real daemon. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hookClient } from "./hook-client.ts";
import { repositoryRoot } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { busybox, noBusybox, pathWith, refusedCalls, type Shell, shellsHere } from "./shells.ts";
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
  const start = join(daemon.paths.home, "hooks", "sylk-shell-start"); // for bash alone; enforced-holds shows what it does
  expect(shell.env).toMatchObject({ BASH_ENV: start, SYLK_SHELL_START: String(process.pid) });
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

it("serves Claude Code and Codex by one published plugin, each under its own name [ADPT-1]", async () => {
  const root = join(repositoryRoot, "plugins", "sylk");
  const { repository, env } = daemon;
  const loaded = (session: string, more: object) =>
    hookClient({
      session,
      repository,
      env: { ...env, CLAUDE_PLUGIN_ROOT: root, ...more },
      settings: join(root, "hooks", "hooks.json"),
    });
  // It may be told that Codex, which was installed before, is not trusted yet.
  expect(await loaded("p-1", {}).edit("src/cart.ts")).toMatchObject({ code: 0, stderr: "" });
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

it("stops a commit of another's file under bash, also one past pre-commit, and tells of one that was made", async ({
  skip,
}) => {
  const bash = shellsHere.find(({ name }) => name === "bash");
  skip(bash === undefined, "bash is not on the PATH");
  await expectGateUnder(bash!);
});

/** One row for both shells: where one of them is missing, neither is claimed. */
it("runs git hooks and launcher alike under dash and under busybox with its own tools [ADPT-6]", async ({ skip }) => {
  const dash = shellsHere.find(({ name }) => name === "dash");
  skip(dash === undefined, "dash is not on the PATH");
  skip(busybox.program === "", noBusybox);
  for (const shell of [dash!, busybox]) {
    await expectGateUnder(shell);
    const PATH = join(daemon.root, shell.name);
    expectNotesUnder(shell, PATH);
    expect(refusedCalls(PATH), "options that not every system has").toBe("");
  }
});

/** The launcher where no daemon answers: it keeps notes for the next one, by the tools of the system. */
function expectNotesUnder({ name }: Shell, PATH: string): void {
  const { repository, env, root, paths } = daemon;
  const home = join(root, `without-daemon-${name}`);
  const outcomes = join(home, "log", "hook-outcomes.jsonl");
  put(join(home, "token"), "");
  put(join(home, "guards"), "edit=fail-open\ncommit=fail-closed\n");
  put(outcomes, `${JSON.stringify({ at: 1, component: "old", outcome: "ok" })}\n`.repeat(25_000));
  put(join(home, "strict", ".sylk", "config.yaml"), "guard:\n  policy: strict\n");
  const places = `home='${home}'\nsocket='${join(home, "none.sock")}'\n`;
  const installed = readFileSync(join(paths.home, "hooks", "sylk-hook"), "utf8");
  put(join(home, "sylk-hook"), installed.replace("\nclient=${1-}\n", `\n${places}client=\${1-}\n`));
  const launch = (client: string, event: string, more: Readonly<Record<string, string>>) =>
    spawnSync("sh", [join(home, "sylk-hook"), client, event], {
      cwd: repository,
      env: { ...env, CLAUDE_PID: "0", ...more, PATH },
      encoding: "utf8",
      input: "{}",
    });
  const noAnswer = "the daemon does not answer at its socket";
  const start = launch("claude-code", "SessionStart", { CLAUDE_CODE_SESSION_ID: 'a "quoted" one' });
  expect([start.status, JSON.stringify(JSON.parse(start.stdout))]).toEqual([0, expect.stringContaining(noAnswer)]);
  const strict = launch("claude-code", "PreToolUse", { CLAUDE_PROJECT_DIR: join(home, "strict") });
  expect(strict).toMatchObject({ status: 2, stderr: expect.stringContaining("guard.policy is strict") });
  const commit = launch("git", "pre-commit", { SYLK_OVERRIDE: "it burns" });
  expect(commit).toMatchObject({ status: 0, stderr: expect.stringContaining("kept for the audit") });
  const [kept] = readdirSync(join(home, "log", "overrides"));
  expect(readFileSync(join(home, "log", "overrides", kept!), "utf8")).toContain("\0override=it burns\0");
  const lines = readFileSync(outcomes, "utf8").trimEnd().split("\n");
  expect(lines.join("\n").length, "the older half is gone").toBeLessThan(600_000);
  expect(lines.slice(-3).map((line) => JSON.parse(line) as object)).toMatchObject([
    { component: "hook/claude-code/SessionStart", agentKey: 'a "quoted" one', cause: noAnswer },
    { component: "hook/claude-code/PreToolUse", project: join(home, "strict") },
    { component: "hook/git/pre-commit", at: expect.any(Number) },
  ]);
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The git hooks and the launcher that they start. */
async function expectGateUnder(shell: Shell): Promise<void> {
  const { repository, env, root } = daemon;
  const PATH = pathWith(shell, join(root, shell.name));
  await codexSession("c-4").send("PreToolUse", { tool_name: "apply_patch", tool_input: patch });
  mkdirSync(join(repository, "src"), { recursive: true });
  writeFileSync(join(repository, "src", "cart.ts"), shell.name);
  execFileSync("git", ["add", "src/cart.ts"], { cwd: repository });
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=ada", "-c", "user.email=ada@localhost", ...args], {
      cwd: repository,
      env: { ...process.env, ...env },
      encoding: "utf8",
    }).trim();
  const hook = (which: string, who: Readonly<Record<string, string>>, args: readonly string[] = [], input = "") =>
    spawnSync("sh", [join(repository, ".git", "hooks", which), ...args], {
      cwd: repository,
      env: { ...env, ...who, PATH },
      encoding: "utf8",
      input,
    });
  const [holder, other] = [{ CODEX_SESSION_ID: "c-4" }, { GEMINI_SESSION_ID: "g-4" }];
  const denied = { status: 1, stderr: expect.stringContaining("is held by") };
  const passed = { status: 0, stdout: "", stderr: "" };
  await geminiSession("g-4").send("AfterAgent");
  expect(hook("pre-commit", other)).toMatchObject(denied);
  expect(hook("pre-commit", holder)).toMatchObject(passed);
  const made = git("commit-tree", git("write-tree"), "-p", "HEAD", "-m", `under ${shell.name}`);
  const move = `${git("rev-parse", "HEAD")} ${made} refs/heads/${git("branch", "--show-current")}\n`;
  expect(hook("reference-transaction", other, ["prepared"], move), "pre-commit let it through").toMatchObject(passed);
  expect(existsSync(join(repository, ".git", "sylk-gated")), "once").toBe(false);
  expect(hook("reference-transaction", other, ["prepared"], move)).toMatchObject(denied);
  expect(hook("reference-transaction", holder, ["prepared"], move)).toMatchObject(passed);
  expect(hook("reference-transaction", other, ["committed"], move)).toMatchObject(passed);
  const before = git("rev-parse", "HEAD");
  git("-c", "core.hooksPath=/dev/null", "reset", "-q", "--hard", made);
  expect(hook("post-commit", holder)).toMatchObject(passed);
  const { items } = await daemon.user.call("event.list", { type: "commit.announced", limit: 1000 });
  expect(items.filter(({ data }) => JSON.stringify(data).includes(made))).toHaveLength(1);
  git("-c", "core.hooksPath=/dev/null", "reset", "-q", "--hard", before);
}

it("takes the nearest process that is no shell for the client's own", async () => {
  await codexSession("c-3").send("SessionStart", { source: "startup" });
  expect((await daemon.user.call("agent.list", {})).items).toMatchObject([{ client: "codex", pid: process.pid }]);
});

describe("mail", () => {
  const agentOf = async (client: string) =>
    (await daemon.user.call("agent.list", {})).items.find((agent) => agent.client === client)!;
  const write = async (to: string) => {
    const otter = await daemon.register(`otter-${crypto.randomUUID().slice(0, 8)}`);
    await otter.client.call("mail.send", { to: [to], subject: "May I have a.ts?" });
    // Unknown targets are told while another agent holds something.
    await otter.client.call("reservation.acquire", { paths: [`${otter.agent.name}.ts`] });
  };

  it("makes Gemini go on at the end of its turn, once, with what it could not be told before a tool [ADPT-2, MAIL-5]", async () => {
    const gemini = geminiSession("g-5");
    await gemini.send("SessionStart", { source: "startup" });
    await write((await agentOf("gemini")).id);
    const shell = (command: string) => ({ tool_name: "run_shell_command", tool_input: { command } });
    expect(await gemini.send("BeforeTool", shell('echo x > "$OUT"'))).toEqual(silence);
    expect(await gemini.send("BeforeTool", shell("touch b.ts"))).toEqual(silence);
    const turn = { prompt: "p", prompt_response: "Done", stop_hook_active: false };
    const { code, stdout } = await gemini.send("AfterAgent", turn);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { decision: "deny", reason: expect.stringMatching(/could not guard a tool call[^]*May I have a\.ts\?/) },
    ]);
    expect(await gemini.send("AfterAgent", { ...turn, stop_hook_active: true })).toEqual(silence);
    expect(await gemini.send("AfterAgent", turn)).toEqual(silence);
  });

  it("stands in opencode's system prompt for one turn, and starts none [ADPT-2, MAIL-5]", async () => {
    const opencode = await opencodeHooks();
    const system = async (): Promise<string> => {
      const output = { system: [] };
      await opencode["experimental.chat.system.transform"]!({ sessionID: "ses_6" }, output);
      return output.system.join("\n");
    };
    const message = () => opencode["chat.message"]!({ sessionID: "ses_6" });
    const idle = () => opencode.event!({ event: { type: "session.idle", properties: { sessionID: "ses_6" } } });
    await message();
    await write((await agentOf("opencode")).id);
    expect(await system()).not.toContain("May I have");
    await idle();
    await message();
    await idle(); // the model was not asked: it is shown again
    await message();
    const bash = (command: string) =>
      opencode["tool.execute.before"]!({ tool: "bash", sessionID: "ses_6" }, { args: { command } });
    await bash('echo x > "$OUT"');
    await bash("touch c.ts");
    expect(await system()).toMatch(/could not guard a tool call[^]*May I have a\.ts\?/);
    expect(await system()).toMatch(/^(?![^]*could not guard)[^]*May I have a\.ts\?/);
    await idle();
    await message();
    expect(await system()).not.toContain("May I have");
  });
});

it("keeps opencode working when no daemon answers: the tool runs, soon, and that is counted [ADPT-2]", async () => {
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
  expect(output.system).toEqual([
    expect.stringContaining("who else is here is unknown"),
    expect.stringContaining("this call was NOT guarded"),
  ]);
  for (const client of ["codex", "gemini", "opencode"])
    expect(await daemon.sylk(["uninstall", client, "--yes"])).toMatchObject({ code: 0 });
  expect(
    execFileSync("git", ["status", "--porcelain", "--ignored"], { cwd: daemon.repository, encoding: "utf8" }),
  ).toBe("");
});
