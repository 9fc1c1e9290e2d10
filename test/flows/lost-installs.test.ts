/** What was installed into clients goes, or is not trusted yet: any hook notices it, and every surface says it. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hookClient, runShell } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";

let daemon: ScratchDaemon;
let snapshot: string;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  await install("claude-code");
  // A client that runs keeps the hooks it started with.
  snapshot = join(daemon.root, "snapshot.json");
  copyFileSync(settingsOf("claude-code"), snapshot);
});
afterAll(() => daemon[Symbol.asyncDispose]());

async function install(client: string): Promise<string> {
  const { code, stdout, stderr } = await daemon.sylk(["install", client, "--yes"]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

const settingsOf = (client: "claude-code" | "codex"): string =>
  join(daemon.repository, client === "codex" ? ".codex/hooks.json" : ".claude/settings.local.json");
const session = (name: string) =>
  hookClient({ session: name, repository: daemon.repository, env: daemon.env, settings: snapshot });
const told = ({ stdout }: { readonly stdout: string }): string =>
  (JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;
const guardOf = async (name: string) => {
  const { items } = await daemon.user.call("agent.list", {});
  const { guard, guardReason } = items.find((agent) => agent.name === name)!;
  return [guard, guardReason];
};
const installation = async () =>
  (await daemon.user.call("health.show", { kind: "daemon" })).components.find(({ name }) => name === "installation");
async function statusline(name: string): Promise<string> {
  const said = JSON.stringify({ session_id: name, cwd: daemon.repository });
  const program = join(daemon.paths.home, "hooks", "sylk-statusline");
  const { stdout } = await runShell(`sh "${program}"`, said, daemon.env, daemon.repository);
  return stdout;
}

let sessions = 0;

/** Every surface names the lost part, and the agent is unguarded for that reason. */
async function expectSaid(what: RegExp): Promise<void> {
  const named = `told-${++sessions}`;
  expect(told(await session(named).start())).toMatch(what);
  expect(await statusline(named)).toMatch(/NOT (guarded|checked)/);
  expect((await daemon.sylk(["who"])).stdout).toMatch(what);
  expect((await daemon.sylk(["doctor"])).stdout).toMatch(new RegExp(what.source.replace(/^.*?: /, "")));
}

it("shows a person as a person, whose edits and commands no guard asks about", async () => {
  expect((await daemon.sylk(["reserve", "mine.ts"])).code).toBe(0);
  const person = (await daemon.user.call("agent.list", {})).items.find(({ client }) => client === "human")!;
  expect([person.guard, person.guardReason, person.shell, person.shellReason]).toEqual([
    "person",
    undefined,
    "person",
    undefined,
  ]);
  expect((await daemon.sylk(["who"])).stdout).toMatch(new RegExp(`${person.name} +human +active +person +- `));
});

it("calls an agent guarded once a hook of its session has asked, and unguarded before and without one [ADPT-8]", async () => {
  await daemon.register("lone");
  expect(await guardOf("lone")).toEqual(["unguarded", "no hook of its session has asked"]);
  const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
  await daemon.sylk(["reserve", "early.ts"], { env });
  const name = (await daemon.user.call("agent.list", {})).items.find(({ client }) => client === "claude-code")!.name;
  expect(await guardOf(name)).toEqual(["unguarded", "no hook of its session has asked"]);
  await session("s-1").edit("a.ts");
  expect(await guardOf(name)).toEqual(["guarded", undefined]);
  expect((await daemon.sylk(["who"])).stdout).toMatch(new RegExp(`${name} +claude-code +active +guarded`));
  expect((await daemon.sylk(["who"])).stdout).toMatch(/lone +other +active +unguarded/);
  expect(await daemon.sylk(["down"])).toMatchObject({ code: 0 });
  await daemon.restart();
  expect(await guardOf(name)).toEqual(["guarded", undefined]);
});

it("notices at the next hook of any session that git clean took the hooks, and says so everywhere until they are back [ADPT-8]", async () => {
  const other = session("s-2");
  await other.start();
  const { name } = (await daemon.user.call("agent.list", {})).items[0]!;
  execFileSync("git", ["clean", "-fdxq"], { cwd: daemon.repository });
  expect((await installation())?.failures ?? 0).toBe(0);
  const lost = /claude-code is NOT guarded: \S+settings\.local\.json has none of our hooks/;
  await other.send("Stop", { stop_hook_active: false });
  expect(await installation()).toMatchObject({ failures: 1 });
  expect(told(await other.edit("b.ts"))).toMatch(lost);
  expect(await other.edit("b.ts")).toMatchObject({ stdout: "" });
  expect(await guardOf(name)).toEqual(["unguarded", expect.stringContaining("has none of our hooks")]);
  await expectSaid(lost);
  await install("claude-code");
  expect(await guardOf(name)).toEqual(["guarded", undefined]);
  expect(told(await session("s-3").start())).not.toContain("NOT guarded");
});

it.for([
  {
    part: "the launcher",
    file: () => join(daemon.paths.home, "hooks", "sylk-hook"),
    what: /every client is NOT guarded: \S+sylk-hook is missing/,
  },
  {
    part: "the shell prefix",
    file: () => join(daemon.repository, ".claude/sylk-shell"),
    what: /claude-code is NOT guarded: \S+sylk-shell is missing/,
  },
  {
    part: "git's hooks folder",
    file: () => join(daemon.repository, ".git/hooks"),
    what: /commits are NOT checked: \S+pre-commit has no commit gate/,
  },
])("says that $part is gone [ADPT-8]", async ({ file, what }) => {
  const before = told(await session("before").start());
  renameSync(file(), `${file()}.away`);
  try {
    expect((await daemon.sylk(["who"])).stdout).toMatch(what);
    expect((await daemon.sylk(["doctor"])).stdout).toMatch(new RegExp(what.source.replace(/^.*?: /, "")));
    expect(await statusline("before")).toMatch(/NOT (guarded|checked)/);
  } finally {
    renameSync(`${file()}.away`, file());
  }
  expect(before).not.toMatch(what);
  expect(told(await session("after").start())).not.toMatch(what);
});

it("says of Codex that it is not guarded until its hooks are trusted, also as it installs them [ADPT-8]", async () => {
  const said = await install("codex");
  expect(said).toMatch(
    /Done\. codex is NOT guarded yet\. Codex does not run untrusted hooks .*: start codex, type \/hooks and trust them/,
  );
  expect(said).not.toContain("sessions are guarded");
  expect(await install("codex")).toMatch(/codex is already installed\. Codex does not run untrusted hooks/);
  await daemon.register("coder", { client: "codex" });
  expect(await guardOf("coder")).toEqual(["unguarded", expect.stringContaining("untrusted hooks")]);
  await expectSaid(/codex is NOT guarded: Codex does not run untrusted hooks/);
  const events =
    "session_start:0 pre_tool_use:0 pre_tool_use:1 subagent_start:0 subagent_stop:0 stop:0 session_end:0".split(" ");
  const trusted = events.map(
    (event) => `[hooks.state."${settingsOf("codex")}:${event}:0"]\ntrusted_hash = "sha256:0"\n`,
  );
  mkdirSync(join(daemon.env.HOME!, ".codex"), { recursive: true });
  writeFileSync(join(daemon.env.HOME!, ".codex", "config.toml"), trusted.join("\n"));
  expect(await guardOf("coder")).toEqual(["unguarded", "no hook of its session has asked"]);
  expect(told(await session("s-4").start())).not.toContain("NOT guarded");
  rmSync(join(daemon.env.HOME!, ".codex"), { recursive: true });
});
