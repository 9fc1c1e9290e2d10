/** Claude Code is killed without a word: found out by its process, with and without the variable that names it. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock/index.ts";
import { startClient } from "./client-process.ts";
import { hookClient } from "./hook-client.ts";
import { killAndWait } from "./processes.ts";
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
