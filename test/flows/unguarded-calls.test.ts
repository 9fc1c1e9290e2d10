/** Calls that the guard could not judge: remembered for good, told once, and only where they concern others. */
import { isDeepStrictEqual } from "node:util";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type HookClient, hookClient } from "./hook-client.ts";
import { openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { until } from "./until.ts";

const silence = { code: 0, stdout: "", stderr: "" };

let daemon: ScratchDaemon;
let heron: HookClient;
let otter: HookClient;
const client = (session: string) => hookClient({ session, repository: daemon.repository, env: daemon.env });
const toolCall = (who: HookClient, tool: string, input: object) =>
  who.send("PreToolUse", { tool_name: tool, tool_use_id: "toolu_3", tool_input: input });
/** The last part of what a session is told, at whatever hook. */
const told = ({ stdout }: { readonly stdout: string }) =>
  stdout === ""
    ? ""
    : (JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
        .additionalContext;

beforeAll(async () => {
  // Without the kernel: the words alone.
  daemon = await openScratchDaemon({ env: { SYLK_GUARD_ENFORCE: "off" } });
  await daemon.sylk(["install", "claude-code", "--yes"]);
});
afterAll(() => daemon[Symbol.asyncDispose]());
let sessions = 0;
beforeEach(async () => {
  for (const { id } of (await daemon.user.call("agent.list", {})).items) await daemon.user.call("agent.end", { id });
  sessions++;
  [heron, otter] = [client(`heron-${sessions}`), client(`otter-${sessions}`)];
});

it("takes a program in no table for unknown, and tells it once a program while another agent holds files [HLTH-12]", async () => {
  await heron.edit("a.ts");
  const before = (await daemon.user.call("health.show", {})).unguarded;
  expect(await otter.shell("frobnicate --all")).toEqual(silence);
  expect(told(await otter.shell("touch mine.ts"))).toMatch(
    /could not guard a tool call of yours \(frobnicate: its writes are unknown\)/,
  );
  for (const command of [
    "frobnicate again",
    "touch mine.ts",
    "npm test",
    "npm test",
    "ls -la && grep -rn x src | wc -l",
  ])
    expect(told(await otter.shell(command)), command).not.toContain("frobnicate");
  expect((await daemon.user.call("health.show", {})).unguarded).toBe(before + 4);
  expect(await otter.shell("npm run build")).toEqual(silence);
  expect(await otter.shell("touch mine.ts")).toEqual(silence);
});

it("tells it right after the tools have run, if that comes first [HLTH-12]", async () => {
  await heron.edit("a.ts");
  expect(await otter.shell("./codegen.sh")).toEqual(silence);
  const calls = [{ tool_name: "Bash", tool_input: { command: "./codegen.sh" }, tool_response: "" }];
  expect(told(await otter.send("PostToolBatch", { tool_calls: calls }))).toContain("./codegen.sh");
  expect(await otter.send("PostToolBatch", { tool_calls: calls })).toEqual(silence);
});

it("says nothing while no other agent holds anything there [HLTH-12]", async () => {
  await heron.start();
  for (const command of ["frobnicate", 'echo x > "$OUT"', "npm test", "touch mine.ts"])
    expect(await otter.shell(command), command).toEqual(silence);
  expect(await toolCall(otter, "mcp__db__migrate", { name: "x" })).toEqual(silence);
  expect(await otter.shell("touch mine.ts")).toEqual(silence);
});

it("judges tools of other servers by the paths in their input, else takes them for unknown [HLTH-12]", async () => {
  await heron.edit("src/a.ts");
  const file = join(daemon.repository, "src/a.ts");
  for (const [tool, input] of [
    ["mcp__filesystem__write_file", { path: file, content: "x" }],
    ["mcp__filesystem__edit_file", { path: "src/a.ts", edits: [{ oldText: "a", newText: "b" }] }],
    ["mcp__filesystem__move_file", { source: "src/a.ts", destination: "src/b.ts" }],
    ["mcp__ide__applyEdits", { edits: [{ uri: `file://${file}`, range: {} }] }],
    ["mcp__serena__replace_symbol_body", { relative_path: "src/a.ts", body: "x" }],
  ] as const)
    expect(await toolCall(otter, tool, input), tool).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"src/a.ts" is held by'),
    });
  for (const [tool, input] of [
    ["Read", { file_path: file }],
    ["mcp__filesystem__read_file", { path: file }],
    ["mcp__filesystem__list_directory", { path: "src" }],
    ["mcp__sylk__reservation_acquire", { paths: ["src/a.ts"] }],
    ["TodoWrite", { todos: [] }],
  ] as const)
    expect(await toolCall(otter, tool, input), tool).toEqual(silence);
  expect(await toolCall(otter, "mcp__db__migrate", { name: "x" })).toEqual(silence);
  expect(await toolCall(otter, "PowerShell", { command: "Set-Content src/a.ts x" })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("mcp__db__migrate: the tool's writes are unknown"),
  });
  expect((await otter.shell("touch mine.ts")).stdout).toContain("PowerShell: the tool's writes are unknown");
});

it("starts its hook for every tool but the known reading ones and its own", () => {
  const settings = JSON.parse(readFileSync(join(daemon.repository, ".claude/settings.local.json"), "utf8")) as {
    hooks: Record<string, [{ matcher: string }]>;
  };
  const matcher = new RegExp(settings.hooks.PreToolUse![0].matcher);
  for (const tool of ["Bash", "Edit", "TodoWriteFile", "PowerShell", "mcp__fs__write_file", "SomeToolOfTomorrow"])
    expect(matcher.test(tool), tool).toBe(true);
  for (const tool of [
    "Read",
    "Grep",
    "TodoWrite",
    "Task",
    "mcp__sylk__reservation_acquire",
    "mcp__plugin_sylk_sylk__x",
  ])
    expect(matcher.test(tool), tool).toBe(false);
});

it("still tells it after a restart of the daemon, and then no more [HLTH-12]", async () => {
  await heron.edit("a.ts");
  expect(await otter.shell("frobnicate")).toEqual(silence);
  await daemon.kill();
  await daemon.restart();
  expect(told(await otter.shell("touch mine.ts"))).toContain("frobnicate: its writes are unknown");
  await daemon.kill();
  await daemon.restart();
  expect(await otter.shell("frobnicate")).toEqual(silence);
  expect(await otter.shell("touch mine.ts")).toEqual(silence);
});

it("tells a session that a stalled daemon let its call pass, at its next call [HLTH-12]", async () => {
  await otter.edit("mine.ts");
  process.kill(daemon.pid, "SIGSTOP");
  try {
    expect((await otter.edit("b.ts")).stderr).toContain("does not answer in time");
  } finally {
    process.kill(daemon.pid, "SIGCONT");
  }
  expect(told(await otter.edit("mine.ts"))).toMatch(
    /could not guard a tool call .*PreToolUse.*does not answer in time/,
  );
  // The stalled call may have taken the news with it, so it is told at least once: then no more.
  await until("it is told no more", async () => isDeepStrictEqual(await otter.edit("mine.ts"), silence));
});

it("tells a session that was not known yet what it did while no daemon ran [HLTH-12]", async () => {
  await daemon.kill();
  expect((await otter.edit("b.ts")).stderr).toContain("does not answer");
  await daemon.restart();
  expect(told(await otter.edit("b.ts"))).toContain("PreToolUse");
});

it("refuses an unknown program where the policy is strict only while others hold files [HLTH-12]", async () => {
  const policy = (text: string) =>
    execFileSync("sh", ["-c", `mkdir -p .sylk && printf 'guard:\\n  policy: ${text}\\n' > .sylk/config.yaml`], {
      cwd: daemon.repository,
    });
  policy("strict");
  try {
    expect(await otter.shell("frobnicate")).toEqual(silence);
    await heron.edit("a.ts");
    expect(await otter.shell("frobnicate")).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/frobnicate: its writes are unknown.*write\.unknown/),
    });
  } finally {
    policy("deny");
  }
});

it("says of a write past the guard how its writer is known [HLTH-12]", async () => {
  const holder = await daemon.register("holder"); // without hooks: it announces no write of its own
  await holder.client.call("reservation.acquire", { paths: ["past.ts"], mode: "exclusive" });
  expect(await otter.shell("frobnicate")).toEqual(silence);
  execFileSync("sh", ["-c", "echo otter > past.ts"], { cwd: daemon.repository });
  const finding = await until("the write is found", async () =>
    (await daemon.user.call("finding.list", {})).items.find(({ category }) => category === "unguarded-write"),
  );
  expect(finding.summary).toMatch(
    // Sessions of earlier tests have calls whose end was not told.
    /past\.ts, held by \w+, was written past the guard: .*(one of|probably) [\w, ]+, whose commands? with unknown write targets/,
  );
});
