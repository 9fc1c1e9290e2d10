/** Claude Code is killed without a word: found out by its process, with and without the variable that names it. */
import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DomainError } from "../../src/contract/index.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { startClient } from "./client-process.ts";
import { hookClient } from "./hook-client.ts";
import { isAlive, killAndWait } from "./processes.ts";
import { mainScript } from "./run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const clock = systemClock();
let daemon: ScratchDaemon;
beforeAll(async () => {
  daemon = await openScratchDaemon();
  const { code, stderr } = await daemon.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
});
afterAll(() => daemon[Symbol.asyncDispose]());

const agentOf = async (pid: number) =>
  (await daemon.user.call("agent.list", {})).items.find((agent) => agent.pid === pid);

/** Kills the client; milliseconds until its agent is in no list any more. */
async function killed(pid: number): Promise<number> {
  await killAndWait(pid);
  const since = clock.monotonic();
  await until("the agent is offline", async () => (await agentOf(pid)) === undefined, { withinMs: 5_000 });
  return clock.monotonic() - since;
}

it.for([
  { version: "2.1.325, which sets CLAUDE_PID", withPid: true },
  { version: "2.1.197, which does not", withPid: false },
])("is offline within two seconds after a SIGKILL of $version [ADPT-7]", async ({ withPid }) => {
  const client = startClient(daemon, `killed-${withPid}`, { withPid });
  await client.start();
  expect(await client.edit(`src/killed-${withPid}.ts`)).toMatchObject({ code: 0, stderr: "" });
  expect(await agentOf(client.pid)).toMatchObject({ client: "claude-code", status: "active" });
  expect(await killed(client.pid)).toBeLessThan(2_000);
  const heir = hookClient({ session: `heir-${withPid}`, repository: daemon.repository, env: daemon.env });
  expect(await heir.edit(`src/killed-${withPid}.ts`)).toMatchObject({ code: 0 });
});

it("finds the client behind a shell prefix of the user that stays between it and its hooks [ADPT-7]", async () => {
  const prefix = join(daemon.root, "my-prefix");
  writeFileSync(prefix, '#!/bin/sh\nsh -c "$1"\nexit $?\n');
  chmodSync(prefix, 0o755);
  const client = startClient(daemon, "prefixed", { withPid: false });
  const throughPrefix = hookClient({
    session: "prefixed",
    repository: daemon.repository,
    env: { ...daemon.env, CLAUDE_PID: "" },
    run: (command, input, env) => client.run(`"${prefix}" '${command.replaceAll("'", "'\\''")}'`, input, env, ""),
  });
  await throughPrefix.start();
  expect(await agentOf(client.pid)).toMatchObject({ status: "active" });
  expect(await killed(client.pid)).toBeLessThan(2_000);
});

it("watches the process of a session that a command made known before its first hook [ADPT-7]", async () => {
  const client = startClient(daemon, "command-first", { withPid: false });
  const env = { CLAUDE_CODE_SESSION_ID: "command-first" };
  expect(await daemon.sylk(["reserve", "first.ts"], { env })).toMatchObject({ code: 0 });
  expect(await agentOf(client.pid)).toBeUndefined();
  await client.edit("second.ts");
  expect(await agentOf(client.pid)).toMatchObject({ files: ["first.ts", "second.ts"] });
  expect(await killed(client.pid)).toBeLessThan(2_000);
});

it("lets a tool server follow its client over /clear, though it keeps the variable of the session before [ADPT-7]", async () => {
  const repository = daemon.addRepository("cleared");
  expect(await daemon.sylk(["install", "claude-code", "--yes"], { cwd: repository })).toMatchObject({ code: 0 });
  // This process is the client: it starts the hooks and the server.
  const [before, after] = ["before", "after"].map((session) =>
    hookClient({ session, repository, env: { ...daemon.env, CLAUDE_PID: "" } }),
  );
  await before!.start();
  const server = new Client({ name: "flows", version: "1" });
  const env = { ...daemon.env, CLAUDE_CODE_SESSION_ID: "before" };
  await server.connect(
    new StdioClientTransport({ command: process.execPath, args: [mainScript, "mcp"], env, cwd: repository }),
  );
  await before!.send("SessionEnd", { reason: "clear" });
  await after!.send("SessionStart", { source: "clear" });
  const call = { name: "sylk_more", arguments: { call: "reservation_acquire", input: { paths: ["a.ts"] } } };
  const { structuredContent } = await server.callTool(call);
  await server.close();
  const { items } = await daemon.clientOf({ project: repository }).call("agent.list", {});
  expect(items).toMatchObject([{ status: "active", files: ["a.ts"] }]);
  expect(structuredContent).toMatchObject({ reservation: { holder: { id: items[0]!.id } } });
});

describe("processes that a killed session left", () => {
  /** Writes into the file again and again, until the other file is there. */
  const writing = (file: string, stop: string) => `while [ ! -e ${stop} ]; do echo x >> ${file}; sleep 0.05; done`;
  const heirIn = (world: ScratchDaemon, session: string) =>
    hookClient({ session, repository: world.repository, env: world.env });
  const saidIn = ({ stdout }: { readonly stdout: string }) =>
    (JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext;

  it("keep its files from the next agent until they have ended, over a restart too, and it is told what they changed [GIT-19]", async () => {
    const client = startClient(daemon, "builder", { withPid: false });
    await client.start();
    expect(await client.edit("src/built.ts")).toMatchObject({ code: 0, stderr: "" });
    const child = await client.tool(writing("src/built.ts", "stop-building"));
    const { name } = (await agentOf(client.pid))!;
    expect(await killed(client.pid)).toBeLessThan(2_000);
    const heir = heirIn(daemon, "builders-heir");
    const heldBack = /"src\/built\.ts" is held by .* until the processes of its killed session have ended/;
    expect(await heir.edit("src/built.ts")).toMatchObject({ code: 2, stderr: expect.stringMatching(heldBack) });
    await daemon.kill();
    await daemon.restart();
    await until("the new daemon knows why", async () => heldBack.test((await heir.edit("src/built.ts")).stderr));
    expect(isAlive(child)).toBe(true);
    writeFileSync(join(daemon.repository, "stop-building"), "");
    const granted = await until("it is granted", async () => {
      const answer = await heir.edit("src/built.ts");
      return answer.code === 0 && { ...answer, isAlive: isAlive(child) };
    });
    expect(granted.isAlive).toBe(false);
    expect(saidIn(granted)).toMatch(
      new RegExp(
        `the session of ${name} was killed, and its processes "sh -c while .*" \\(pid ${child}\\).* have ended; they changed src/built\\.ts`,
      ),
    );
    expect(await heir.edit("src/built.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
    const { stdout } = await daemon.sylk(["agent", "handoff", await idOf(name)]);
    expect(stdout).toMatch(new RegExp(`processes [^(]*\\(pid ${child}, ended\\)`));
  });

  it("are waited for without a limit unless it is set otherwise; the heir is told how to see them [GIT-19]", async () => {
    const { stdout } = await daemon.sylk(["config", "show", "--json"]);
    expect(JSON.stringify(JSON.parse(stdout))).toMatch(/"agents\.leftProcesses"[^}]*"wait"/);
    const client = startClient(daemon, "server", { withPid: true });
    await client.edit("src/served.ts");
    const child = await client.tool(writing("src/served.ts", "stop-serving"));
    const { name } = (await agentOf(client.pid))!;
    await killAndWait(client.pid);
    const heir = heirIn(daemon, "servers-heir");
    const refused = await until("its files are held back", async () => {
      const { stderr } = await heir.edit("src/served.ts");
      return /until the processes of its killed session have ended/.test(stderr) && stderr;
    });
    expect(refused).toContain(`"sylk agent handoff ${name}" lists them`);
    const seen = await daemon.sylk(["agent", "handoff", name]);
    expect(seen.stdout).toMatch(new RegExp(`\\(pid ${child}, running\\)`));
    const leftMs = async (): Promise<number> => {
      try {
        await daemon.user.call("reservation.acquire", { paths: ["src/served.ts"] });
      } catch (error) {
        return (error as DomainError).retryAfterMs!;
      }
      throw new Error("it is granted beside a process that writes");
    };
    const first = await leftMs();
    await until("the wait is renewed while they run", async () => (await leftMs()) > first);
    expect(isAlive(child)).toBe(true);
    writeFileSync(join(daemon.repository, "stop-serving"), "");
    await until("it is granted", async () => (await heir.edit("src/served.ts")).code === 0);
    expect(isAlive(child)).toBe(false);
  });

  it("are ended where that is set, deaf ones too; what the user started by hand is left alone [GIT-19]", async () => {
    await using world = await guardedDaemon({ SYLK_AGENTS_LEFT_PROCESSES: "end" });
    const own = { cwd: world.repository, env: world.env, stdio: "ignore" } as const;
    const byHand = spawn("sh", ["-c", writing("src/ended.ts", "never")], own);
    const client = startClient(world, "deaf", { withPid: true });
    await client.edit("src/ended.ts");
    const child = await client.tool(`trap "" TERM; ${writing("src/ended.ts", "never")}`);
    await killAndWait(client.pid);
    const heir = heirIn(world, "heir");
    const granted = await until("it is granted", async () => {
      const answer = await heir.edit("src/ended.ts");
      return answer.code === 0 && answer;
    });
    expect([isAlive(child), isAlive(byHand.pid!)]).toEqual([false, true]);
    expect(saidIn(granted)).toMatch(/were ended by Sylk; they changed src\/ended\.ts after it: read that again/);
    await killAndWait(byHand.pid!);
  });
});

const idOf = async (name: string): Promise<string> =>
  (await daemon.user.call("agent.list", { status: "offline" })).items.find((agent) => agent.name === name)!.id;

async function guardedDaemon(env: Record<string, string>): Promise<ScratchDaemon> {
  const opened = await openScratchDaemon({ env });
  const { code, stderr } = await opened.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
  return opened;
}
