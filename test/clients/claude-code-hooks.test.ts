/** A real session of Claude Code, where the user has it, on a scripted model: its hooks, and its death. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Scenario } from "../../src/adapters/models/rehearsal/scenario.ts";
import { startScriptedServer } from "../../src/adapters/models/rehearsal/scripted-server.ts";
import { systemClock } from "../../src/platform/clock/index.ts";
import { killAndWait } from "../flows/processes.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until, within } from "../flows/until.ts";
import { claude, noClaude, startClaude } from "./real-claude.ts";

const clock = systemClock();
const scripted = (...replies: readonly object[]) =>
  startScriptedServer({
    scenario: Scenario.parse({
      name: "claude",
      turns: [
        ...replies.map((reply, turn) => ({ when: { turn, tool: "Bash" }, reply: [reply] })),
        { reply: [{ text: "Done" }] },
      ],
    }),
  });
const present = async (daemon: ScratchDaemon) =>
  (await daemon.user.call("agent.list", {})).items.find(({ client }) => client === "claude-code");

it("is denied another agent's file, and the model is told whose it is", async ({ skip }) => {
  skip(claude === "", noClaude);
  await using daemon = await openScratchDaemon();
  const { client: heron } = await daemon.register("heron");
  await heron.call("reservation.acquire", { paths: ["src/limits.ts"] });
  const file = join(daemon.repository, "src/limits.ts");
  await using server = await scripted({ tool: "Write", input: { file_path: file, content: "spoilt" } });
  expect(await daemon.sylk(["install", "claude-code", "--yes"])).toMatchObject({ code: 0 });
  const { stdout } = await within("the session ends", startClaude(daemon, server).ended, { withinMs: 100_000 });
  expect(existsSync(file), stdout).toBe(false);
  expect(toolResultsIn(stdout)).toEqual([
    expect.stringMatching(/^PreToolUse:Write hook error: Sylk: "src\/limits\.ts" is held by heron/),
  ]);
});

it("is offline within two seconds after a SIGKILL, and its command keeps its file until it has ended", async ({
  skip,
}) => {
  skip(claude === "", noClaude);
  await using daemon = await openScratchDaemon();
  const command = "for i in 1 2 3 4 5 6 7 8; do echo x >> src/limits.ts; sleep 1; done";
  await using server = await scripted({ tool: "Bash", input: { command, description: "x" } });
  expect(await daemon.sylk(["install", "claude-code", "--yes"])).toMatchObject({ code: 0 });
  const { pid } = startClaude(daemon, server);
  const written = join(daemon.repository, "src/limits.ts");
  await until("its command writes", () => existsSync(written));
  const agent = (await present(daemon))!;
  await killAndWait(pid);
  const since = clock.monotonic();
  await until("it is offline", async () => (await present(daemon)) === undefined);
  expect(clock.monotonic() - since).toBeLessThan(2_000);
  const { client: heir } = await daemon.register("heir");
  const early = heir.call("reservation.acquire", { paths: ["src/limits.ts"] });
  await expect(early).rejects.toThrow("until the processes of its killed session have ended");
  const { news = [] } = await heir.call("reservation.acquire", { paths: ["src/limits.ts"], waitMs: 30_000 });
  expect(news.join()).toContain(`the session of ${agent.name} was killed`);
});

it("is another agent after /clear, and its tool server acts for that one", async ({ skip }) => {
  skip(claude === "", noClaude);
  await using daemon = await openScratchDaemon();
  const reserving = (path: string) => ({
    tool: "mcp__sylk__sylk_more",
    input: { call: "reservation_acquire", input: { paths: [path] } },
  });
  const turns = [
    { when: { turn: 0, mentions: "Take b" }, reply: [reserving("b.ts")] },
    { when: { turn: 0, mentions: "Take a" }, reply: [reserving("a.ts")] },
    { reply: [{ text: "Taken" }] },
  ];
  await using server = await startScriptedServer({ scenario: Scenario.parse({ name: "claude", turns }) });
  expect(await daemon.sylk(["install", "claude-code", "--yes"])).toMatchObject({ code: 0 });
  const session = startClaude(daemon, server, {}, "typed");
  const say = (content: string) =>
    session.child.stdin!.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
  const held = async (path: string) => {
    const { items } = await daemon.user.call("reservation.list", { path });
    return items[0]?.holder.id;
  };
  say("Take a");
  const before = await until("it has the first file", () => held("a.ts"), { withinMs: 100_000 });
  const results = () => session.output().match(/"type":"result"/g)?.length ?? 0;
  await until("its first turn is over", () => results() === 1, { withinMs: 100_000 });
  say("/clear");
  await until("the conversation is cleared", () => results() === 2, { withinMs: 100_000 });
  say("Take b");
  const after = await until("it has the second file", () => held("b.ts"), { withinMs: 100_000 });
  const agents = (await daemon.user.call("agent.list", {})).items.filter(({ client }) => client === "claude-code");
  session.child.stdin!.end();
  await within("the session ends", session.ended, { withinMs: 100_000 });
  expect(
    agents.map(({ id }) => id),
    session.output(),
  ).toEqual([after]);
  expect(after).not.toBe(before);
  const sources = session.output().match(/"session_id":"[^"]+"/g);
  expect(new Set(sources).size).toBe(2);
});

/** What the model was told by its tools. */
function toolResultsIn(stdout: string): readonly string[] {
  const rows = stdout.split("\n").filter((line) => line.startsWith('{"type":"user"'));
  type Row = { readonly message: { readonly content: readonly { readonly type: string; readonly content: string }[] } };
  return rows.flatMap((row) =>
    (JSON.parse(row) as Row).message.content.filter(({ type }) => type === "tool_result").map(({ content }) => content),
  );
}
