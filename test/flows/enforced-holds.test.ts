/** Enforced mode as Claude Code runs it: its shell prefix from the settings file, real commands, a real daemon and kernel. */
import { execFileSync, spawnSync, type SpawnSyncOptionsWithStringEncoding } from "node:child_process";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { attacksAs, noNamespaces } from "../../src/adapters/confinement/testkit.ts";
import { hookClient, type HookRun, runShell } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const kept = "one\nuncommitted\n";
let daemon: ScratchDaemon;

beforeEach(async ({ skip }) => {
  skip(noNamespaces !== "", noNamespaces);
  daemon = await openScratchDaemon();
  const { repository } = daemon;
  mkdirSync(join(repository, "src"), { recursive: true });
  writeFileSync(join(repository, "src", "held.ts"), "one\n");
  writeFileSync(join(repository, "src", "free.ts"), "one\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: repository });
  git("add", ".");
  git("commit", "-q", "-m", "both");
  writeFileSync(join(repository, "src", "held.ts"), kept);
  await daemon.sylk(["install", "claude-code", "--yes"]);
});
afterEach(() => daemon[Symbol.asyncDispose]());

const clientOf = (session: string) => hookClient({ session, repository: daemon.repository, env: daemon.env });
const held = () => readFileSync(join(daemon.repository, "src", "held.ts"), "utf8");

/** As the client does: the prefix of its settings with the whole command line as one argument. */
function shellOf(session: string, command: string, env: Record<string, string> = {}): Promise<HookRun> {
  const settings = readFileSync(join(daemon.repository, ".claude", "settings.local.json"), "utf8");
  const { env: own } = JSON.parse(settings) as { env: { CLAUDE_CODE_SHELL_PREFIX: string } };
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const line = `${quoted(own.CLAUDE_CODE_SHELL_PREFIX)} ${quoted(command)}`;
  return runShell(
    line,
    "",
    { ...daemon.env, CLAUDE_CODE_SESSION_ID: session, SHELL: "/bin/bash", ...env },
    daemon.repository,
  );
}

/** As opencode does: bash, with the variables that our plugin sets; this process is the client. */
function bashOf(command: string, env: Record<string, string> = {}): HookRun {
  const start = join(daemon.paths.home, "hooks", "sylk-shell-start");
  const own = { SYLK_OPENCODE_SESSION: "o-1", BASH_ENV: start, SYLK_SHELL_START: String(process.pid), ...env };
  const options: SpawnSyncOptionsWithStringEncoding = {
    env: { ...daemon.env, ...own },
    cwd: daemon.repository,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", command, "zero", "one two"], options);
  return { code: status, stdout, stderr };
}

it("does the same for a bash that reads our file first, with the command, its arguments and variables as they were [GIT-21]", async () => {
  await clientOf("s-1").start();
  expect(await clientOf("s-1").edit("src/held.ts")).toMatchObject({ code: 0 });
  const other = join(daemon.root, "users-own.sh");
  writeFileSync(other, "own=sourced\n");
  const shown = 'echo "$0|$1|$own|$BASH_ENV|${SYLK_SHELL_START-none}"; exit 3';
  expect(bashOf(shown, { SYLK_BASH_ENV: other })).toEqual({
    code: 3,
    stdout: `zero|one two|sourced|${other}|none\n`,
    stderr: "",
  });
  const written = bashOf("sh -c 'echo lost > src/held.ts'; echo two >> src/free.ts");
  expect(written).toMatchObject({ code: 0, stderr: expect.stringContaining("Read-only file system") });
  expect([held(), readFileSync(join(daemon.repository, "src", "free.ts"), "utf8")]).toEqual([kept, "one\ntwo\n"]);
  const who = async () => (await daemon.user.call("agent.list", {})).items.find(({ client }) => client === "opencode");
  expect(await who()).toMatchObject({ shell: "enforced" });
  // A bash that another shell of the client has started is not the client's command; it runs as it is, with the user's own file.
  const inner = { SYLK_SHELL_START: "1", SYLK_BASH_ENV: other };
  expect(bashOf(`echo "$own"; echo three > src/held.ts`, inner)).toMatchObject({ code: 0, stdout: "sourced\n" });
});

it("makes a file that another session holds read-only for a shell command and what it starts [GIT-21]", async () => {
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await two.start();
  expect(await one.edit("src/held.ts")).toMatchObject({ code: 0 });
  const written = await shellOf("s-2", "sh -c 'echo lost > src/held.ts'; echo $?");
  expect(written.stdout).toBe("2\n");
  expect(written.stderr).toContain("Read-only file system");
  expect(held()).toBe(kept);
  expect(await shellOf("s-2", "echo two >> src/free.ts; git status --short; exit 3")).toMatchObject({
    code: 3,
    stdout: " M src/free.ts\n M src/held.ts\n",
    stderr: "",
  });
  expect(await shellOf("s-1", "echo mine > src/held.ts")).toMatchObject({ code: 0, stderr: "" });
  expect(held()).toBe("mine\n");
});

it("keeps the file, whatever the command's text is [GIT-21]", async () => {
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await one.edit("src/held.ts");
  await two.start();
  for (const attack of attacksAs(process.getuid!())) {
    await shellOf("s-2", attack);
    expect(held(), attack).toBe(kept);
    execFileSync("git", ["checkout", "-q", "HEAD", "--", "src/free.ts"], { cwd: daemon.repository });
    // "git clean -fdx" takes the client's settings with it.
    if (!existsSync(join(daemon.repository, ".claude"))) await daemon.sylk(["install", "claude-code", "--yes"]);
  }
});

it("runs plainly, without a namespace, while others hold nothing in the tree, and says so [GIT-21]", async () => {
  await clientOf("s-2").start();
  const { stdout } = await shellOf("s-2", "readlink /proc/self/ns/mnt; echo ${SYLK_CONFINED-none}");
  expect(stdout).toBe(`${readlinkSync("/proc/self/ns/mnt")}\nnone\n`);
  const shown = await daemon.sylk(["guard", "confine"]);
  expect(shown).toMatchObject({ code: 0, stdout: "Other agents hold nothing here; commands run as they are\n" });
});

it("keeps another prefix of the user, and runs it under the same holds [GIT-21]", async () => {
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await one.edit("src/held.ts");
  await two.start();
  const own = join(daemon.root, "own-prefix");
  writeFileSync(own, '#!/bin/sh\necho mine\nexec sh -c "$1"\n', { mode: 0o755 });
  const { stdout } = await shellOf("s-2", "echo lost > src/held.ts; echo ran", { SYLK_SHELL_PREFIX: own });
  expect(stdout).toBe("mine\nran\n");
  expect(held()).toBe(kept);
  await daemon.sylk(["uninstall", "claude-code", "--yes"]);
  const settings = join(daemon.repository, ".claude", "settings.local.json");
  mkdirSync(join(settings, ".."), { recursive: true });
  writeFileSync(settings, JSON.stringify({ env: { CLAUDE_CODE_SHELL_PREFIX: own } }));
  const again = await daemon.sylk(["install", "claude-code", "--yes"]);
  expect(again.stdout).toContain(`CLAUDE_CODE_SHELL_PREFIX is ${own} already and stays`);
  expect(readFileSync(settings, "utf8")).toContain(own);
  expect((await daemon.sylk(["doctor"])).stdout).toContain(
    "no client starts commands by Sylk; not enforced for claude-code",
  );
});

it("runs a command when no daemon answers, counts it, and refuses it where guard.edit is fail-closed [GIT-21]", async () => {
  await daemon.kill();
  expect(await shellOf("s-2", "echo ran")).toMatchObject({ code: 0, stdout: "ran\n", stderr: "" });
  const outcomes = join(daemon.paths.logs, "hook-outcomes.jsonl");
  expect(readFileSync(outcomes, "utf8")).toMatch(
    /"component":"hook\/shell\/start","outcome":"degraded","cause":"the daemon does not answer at its socket","agentKey":"s-2"/,
  );
  writeFileSync(join(daemon.paths.home, "guards"), "edit=fail-closed\ncommit=fail-closed\n");
  expect(await shellOf("s-2", "echo ran")).toMatchObject({
    code: 126,
    stdout: "",
    stderr: expect.stringContaining('start the daemon with "sylk up"'),
  });
});

it("says after a refused command who holds the file, for how long and what to do [GIT-21]", async () => {
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await one.edit("src/held.ts");
  await two.start();
  const { stdout, stderr } = await shellOf("s-2", "sed -i s/one/two/ src/held.ts; mv src/free.ts .");
  const call = (response: unknown) => ({
    tool_calls: [{ tool_name: "Bash", tool_use_id: "t", tool_input: { command: "x" }, tool_response: response }],
  });
  const told = await two.send("PostToolBatch", call({ stdout, stderr }));
  expect(told.stdout).toMatch(
    /"hookEventName":"PostToolBatch","additionalContext":"Sylk: What other agents hold is read-only/,
  );
  expect(told.stdout).toMatch(
    /src\/held\.ts\\" is held by \w+ \(claude-code, active .*\) for \d+ \w+ more; .*sylk negotiate rsv_/,
  );
  expect(await two.send("PostToolBatch", call({ stdout: "ok", stderr: "" }))).toEqual({
    code: 0,
    stdout: "",
    stderr: "",
  });
  expect((await one.send("PostToolBatch", call({ stdout, stderr }))).stdout).toBe("");
});

it("follows holds that end, come and are saved by rename while a command runs [GIT-21]", async () => {
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await one.edit("src/held.ts");
  await two.start();
  const [asked, done] = ["asked", "done"].map((name) => join(daemon.root, name));
  execFileSync("mkfifo", [asked!, done!]);
  // A server that runs on: at each line it tries to write both files, and says how that went.
  const attempts = "for f in held free; do (echo $line >> src/$f.ts) 2>/dev/null && printf '%s ' $f; done";
  const server = shellOf(
    "s-2",
    `while read -r line; do [ "$line" != end ] || exit 5; (${attempts}; echo) > ${done}; done < ${asked}`,
  );
  const writer = createWriteStream(asked!);
  const attempt = async (): Promise<string> => {
    writer.write("again\n");
    return readFile(done!, "utf8");
  };
  expect(await attempt()).toBe("free \n");
  const file = join(daemon.repository, "src", "held.ts");
  writeFileSync(`${file}.new`, kept);
  renameSync(`${file}.new`, file);
  await until("the new file is read-only, too", async () => (await attempt()) === "free \n");
  await one.send("SessionEnd", { reason: "other" });
  await until("what was given back can be written", async () => (await attempt()) === "held free \n");
  const { client: heron } = await daemon.register("heron");
  await heron.call("reservation.acquire", { paths: ["src/free.ts"] });
  await until("what is held now is read-only", async () => (await attempt()) === "held \n");
  writer.end("end\n");
  expect(await server).toMatchObject({ code: 5 });
});

it("says for each client what holds: who, status line and doctor [GIT-21]", async () => {
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await one.edit("src/held.ts");
  await two.start();
  await daemon.register("otter", { client: "codex" });
  const stateOf = async () => {
    const { items } = await daemon.user.call("agent.list", {});
    return items.map(({ client, shell, shellReason }) => ({ client, shell, shellReason }));
  };
  const unknown = {
    client: "claude-code",
    shell: "unknown",
    shellReason: "no shell command of its session has asked yet",
  };
  const codex = {
    client: "codex",
    shell: "not-enforced",
    shellReason: "its client has no way to start commands by Sylk",
  };
  expect(await stateOf()).toEqual(expect.arrayContaining([unknown, codex]));
  await shellOf("s-2", "true");
  expect(await stateOf()).toContainEqual({ client: "claude-code", shell: "enforced", shellReason: undefined });
  expect((await daemon.sylk(["who"])).stdout).toMatch(/codex +active +unguarded +not enforced /);
  await daemon.sylk(["install", "codex", "--yes"]);
  expect((await daemon.sylk(["doctor"])).stdout).toContain(
    "files of others are read-only for shell commands of claude-code (mount namespace); not enforced for codex",
  );
  await daemon.kill();
  await daemon.restart({ env: { SYLK_GUARD_ENFORCE: "off" } });
  expect(await stateOf()).toContainEqual({ ...unknown, shell: "not-enforced", shellReason: "guard.enforce is off" });
  const settings = readFileSync(join(daemon.repository, ".claude", "settings.local.json"), "utf8");
  const { statusLine } = JSON.parse(settings) as { statusLine: { command: string } };
  const said = JSON.stringify({ session_id: "s-2", cwd: daemon.repository });
  const line = await runShell(statusLine.command, said, daemon.env, daemon.repository);
  expect(line.stdout).toContain("shell NOT enforced");
  expect(await shellOf("s-2", "echo lost > src/held.ts")).toMatchObject({ code: 0, stderr: "" });
});

it("refuses a command where guard.enforce is on and the kernel cannot do it, naming holder and reason [GIT-21]", async () => {
  // A PATH without perl: the daemon cannot make a namespace.
  await daemon.kill();
  await daemon.restart({ env: { SYLK_GUARD_ENFORCE: "on", PATH: withoutPerl() } });
  const [one, two] = [clientOf("s-1"), clientOf("s-2")];
  await one.start();
  await one.edit("src/held.ts");
  await two.start();
  const refused = await shellOf("s-2", "echo lost > src/held.ts");
  expect(refused).toMatchObject({ code: 126, stdout: "" });
  expect(refused.stderr).toMatch(
    /Stopped: \w+ holds "src\/held.ts", and the kernel cannot keep it read-only.*mount namespace: it is not installed/,
  );
  expect(held()).toBe(kept);
  expect(await shellOf("s-1", "echo mine > src/held.ts")).toMatchObject({ code: 0 });
});

function withoutPerl(): string {
  const bin = join(daemon.root, "bin");
  mkdirSync(bin);
  for (const tool of ["git", "sh"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim(), join(bin, tool));
  return bin;
}
