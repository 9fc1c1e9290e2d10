/** Claude Code's hooks as it runs them: the command from the settings file, its JSON on standard input, a real daemon. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hookClient, runShell } from "./hook-client.ts";
import { inOwnRepository, openScratchDaemon, type ScratchDaemon } from "./scratch-daemon.ts";
import { busybox, noBusybox, pathWith, refusedCalls, type Shell, shellsHere } from "./shells.ts";
import { until } from "./until.ts";

const silence = { code: 0, stdout: "", stderr: "" };

type Guarded = Awaited<ReturnType<typeof guarded>>;
let shared: Guarded;
beforeAll(async () => {
  shared = await guarded();
});
afterAll(() => shared[Symbol.asyncDispose]());

it("installs, guards an edit, and denies the same file to another session with who and how long [RSV-6, ADPT-2]", async () => {
  await using daemon = await openScratchDaemon();
  const installed = await daemon.sylk(["install", "claude-code", "--yes"]);
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  const one = hookClient({ session: "s-1", repository: daemon.repository, env: daemon.env });
  const two = hookClient({ session: "s-2", repository: daemon.repository, env: daemon.env });
  const { stdout: told } = await one.start();
  expect(told).toContain("No other agents here");
  expect(told).toContain("[sylk] coordination=active | work=0 ready | librarian=absent | budget=none | ");
  expect(await one.edit("src/checkout.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(await one.edit("src/checkout.ts")).toEqual({ code: 0, stdout: "", stderr: "" });
  const { items } = await daemon.user.call("reservation.list", {});
  expect(items).toMatchObject([{ paths: ["src/checkout.ts"], mode: "exclusive" }]);
  const denied = await two.edit("src/checkout.ts");
  expect(denied).toMatchObject({ code: 2, stdout: "" });
  expect(denied.stderr).toMatch(/"src\/checkout.ts" is held by \w+ \(claude-code, active .*\) for \d+ .* more/);
  expect(denied.stderr).toContain(`sylk negotiate ${items[0]!.id}`);
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: daemon.repository, encoding: "utf8" })).toBe("");
});

it.for(shellsHere)("does the same under $name, and shows its status line", (shell) => expectGuardUnder(shell));

it("does the same under busybox, and shows its status line", async ({ skip }) => {
  skip(busybox.program === "", noBusybox);
  await expectGuardUnder(busybox);
});

/** The command of the settings, the launcher and the status line. */
async function expectGuardUnder(shell: Shell): Promise<void> {
  const world = guardedHere();
  const bin = `${world.repository}-bin`;
  const env = { PATH: pathWith(shell, bin) };
  const [one, two] = [world.client("s-1", env), world.client("s-2", env)];
  expect((await one.start()).stdout).toContain('"additionalContext":"Sylk: you are');
  expect(await one.edit("a.ts")).toEqual(silence);
  expect((await two.start()).stdout).toContain("on a.ts");
  expect(await two.edit("a.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("reservation.conflict") });
  const settings = readFileSync(join(world.repository, ".claude", "settings.local.json"), "utf8");
  const { statusLine } = JSON.parse(settings) as { statusLine: { command: string } };
  const said = JSON.stringify({ session_id: "s-2", cwd: world.repository });
  const line = await runShell(statusLine.command, said, { ...world.env, ...env }, world.repository);
  // A busy machine's git may take longer than a status line waits for it.
  expect(line).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^sylk \w+ (?:clean )?\| \w+: a\.ts/),
    stderr: "",
  });
  expect(await one.send("SessionEnd", { reason: "other" })).toEqual(silence);
  expect(await two.edit("a.ts")).toEqual(silence);
  expect(refusedCalls(bin), "options that not every system has").toBe("");
}

it("asks with a file of built-ins where curl is missing", async () => {
  const world = guardedHere();
  const bin = `${world.repository}-bin`;
  mkdirSync(bin);
  for (const tool of ["sh", "date", "sed", "tr", "wc", "mkdir", "git"])
    symlinkSync(execFileSync("sh", ["-c", `command -v ${tool}`], { encoding: "utf8" }).trim(), join(bin, tool));
  const [one, two] = [world.client("s-1"), world.client("s-2", { PATH: bin })];
  expect(await one.edit("a.ts")).toEqual(silence);
  expect(await two.edit("a.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("is held by") });
  expect(await two.edit("b.ts")).toEqual(silence);
});

it("gives a file that eight sessions want at once to one of them [RSV-1]", async () => {
  const world = guardedHere();
  const sessions = Array.from({ length: 8 }, (_, index) => world.client(`s-${index}`));
  for (const round of [1, 2, 3]) {
    const runs = await Promise.all(sessions.map((session) => session.edit(`raced-${round}.ts`)));
    // On a busy machine a launcher may wait in vain for its second; then it says so, and guards nothing.
    const guardedRuns = runs.filter(({ stderr }) => !stderr.includes("not guarded"));
    expect(guardedRuns.length).toBeGreaterThan(1);
    expect(guardedRuns.filter(({ code }) => code === 0).length).toBeLessThanOrEqual(1);
    expect(guardedRuns.filter(({ code }) => code === 2).length).toBeGreaterThanOrEqual(guardedRuns.length - 1);
  }
});

describe("a session", () => {
  let world: Guarded;
  beforeAll(() => {
    world = guardedHere();
  });
  beforeEach(async () => {
    for (const { id } of (await world.user.call("agent.list", {})).items) await world.user.call("agent.end", { id });
  });

  it("is told who else is here, and what its own name is", async () => {
    const [one, two] = [world.client("s-1"), world.client("s-2")];
    await one.start();
    await one.edit("src/checkout.ts");
    const { items } = await world.user.call("agent.list", {});
    const told = JSON.parse((await two.start()).stdout) as { hookSpecificOutput: Record<string, string> };
    expect(told.hookSpecificOutput).toEqual({
      hookEventName: "SessionStart",
      additionalContext: expect.stringMatching(
        new RegExp(
          `^Sylk: you are \\w+\\. Here too: ${items[0]!.name} \\(claude-code, active\\) on src/checkout\\.ts\\.$`,
          "m",
        ),
      ),
    });
  });

  it("is one agent for hook, command and commit, known by the client's session id [IDN-1]", async () => {
    const one = world.client("s-1", { CLAUDE_PID: String(process.pid) });
    await one.start();
    await one.edit("a.ts");
    expect((await world.user.call("agent.list", {})).items).toMatchObject([
      { client: "claude-code", pid: process.pid },
    ]);
    const env = { CLAUDE_CODE_SESSION_ID: "s-1" };
    expect((await world.sylk(["reserve", "a.ts", "b.ts"], { env })).code).toBe(0);
    expect((await world.user.call("agent.list", {})).items).toHaveLength(1);
  });

  it("guards every writing tool, also through a link, and leaves files outside alone", async () => {
    const [one, two] = [world.client("s-1"), world.client("s-2")];
    symlinkSync(join(world.repository, "src"), join(world.repository, "linked"));
    for (const tool of ["Write", "MultiEdit", "NotebookEdit"])
      expect(await one.edit(`${tool}.ipynb`, { tool })).toEqual(silence);
    expect(await one.edit("src/checkout.ts")).toEqual(silence);
    expect(await two.edit("linked/checkout.ts")).toMatchObject({ code: 2 });
    expect(await two.edit("../elsewhere.ts")).toEqual(silence);
    const held = (await world.user.call("reservation.list", {})).items.flatMap(({ paths }) => paths);
    expect(held.toSorted()).toEqual(["MultiEdit.ipynb", "NotebookEdit.ipynb", "Write.ipynb", "src/checkout.ts"]);
  });

  it("is denied a shell write into another's file, and continues where the target cannot be known [ADPT-4]", async () => {
    const [one, two] = [world.client("s-1"), world.client("s-2")];
    const settings = readFileSync(join(world.repository, ".claude/settings.local.json"), "utf8");
    const { hooks } = JSON.parse(settings) as { hooks: { PreToolUse: [{ matcher: string }] } };
    expect("Bash").toMatch(new RegExp(hooks.PreToolUse[0].matcher));
    expect(await one.edit("src/checkout.ts")).toEqual(silence);
    for (const command of [
      "echo x >> src/checkout.ts",
      "cd src && sed -i 's/a/b/' checkout.ts",
      "cat <<'EOF' > \"$PWD/src/checkout.ts\"\nx\nEOF",
      "bash -c 'git checkout -- src/checkout.ts'",
      "rm -rf src/",
      "rm src/*.ts",
      "git checkout .",
    ])
      expect(await two.shell(command), command).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('"src/checkout.ts" is held by'),
      });
    for (const command of ["cat src/checkout.ts > /dev/null", "rm -rf lib/ *.md", 'echo x > "$OUT"', "git status"])
      expect(await two.shell(command), command).toEqual(silence);
    const { code, stdout } = await two.shell("cd src && touch made.ts");
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        hookSpecificOutput: {
          additionalContext: expect.stringMatching(/could not guard a tool call.*\$OUT: redirect/),
        },
      },
    ]);
    expect(await two.shell("touch src/made.ts")).toEqual(silence);
    expect((await world.user.call("health.show", {})).unguarded).toBe(1);
    expect((await world.sylk(["doctor"])).stdout).toMatch(/warning +guard +.* 1 with unknown write targets/);
    expect(await one.edit("src/made.ts")).toMatchObject({ code: 2, stderr: expect.stringContaining("is held by") });
  });

  it("may write what its parent holds as a sub-agent, holds its own, and gives back only that [IDN-2]", async () => {
    const one = world.client("s-1");
    await one.edit("parent.ts");
    await one.send("SubagentStart", { agent_id: "a-1", agent_type: "general-purpose" });
    expect(await one.edit("parent.ts", { agent: "a-1" })).toEqual(silence);
    expect(await one.edit("child.ts", { agent: "a-1" })).toEqual(silence);
    expect(await one.edit("child.ts", { agent: "a-2" })).toMatchObject({ code: 2 });
    const { items } = await world.user.call("agent.list", {});
    const parent = items.find((agent) => agent.parent === undefined);
    expect(items.filter((agent) => agent.parent === parent!.id)).toHaveLength(2);
    await one.send("SubagentStop", { agent_id: "a-1", agent_type: "general-purpose", stop_hook_active: false });
    expect(await one.edit("child.ts", { agent: "a-2" })).toEqual(silence);
    const held = (await world.user.call("reservation.list", {})).items.flatMap(({ paths }) => paths);
    expect(new Set(held)).toEqual(new Set(["child.ts", "parent.ts"]));
  });

  it("keeps what it holds at the end of a turn, and frees it at its own end", async () => {
    const one = world.client("s-1");
    await one.edit("a.ts");
    expect(await one.send("Stop", { stop_hook_active: false })).toEqual(silence);
    expect((await world.user.call("reservation.list", {})).items).toHaveLength(1);
    expect(await one.send("SessionEnd", { reason: "clear" })).toEqual(silence);
    expect((await world.user.call("reservation.list", {})).items).toEqual([]);
    expect(await one.send("SessionEnd", { reason: "other" })).toEqual(silence);
    expect(await one.edit("a.ts")).toEqual(silence);
    expect((await world.user.call("agent.list", {})).items).toHaveLength(1);
  });

  it("gets its mail and findings at the end of a turn, once, marked as others wrote it, and of commits of what it has read [MAIL-1, MAIL-5, GIT-13]", async () => {
    const one = world.client("s-1");
    const otter = await world.register(`otter-${crypto.randomUUID().slice(0, 8)}`);
    await one.edit("a.ts");
    const [agent] = (await world.user.call("agent.list", {})).items.filter(({ client }) => client === "claude-code");
    await otter.client.call("mail.send", { to: [agent!.id], subject: "May I have a.ts?", body: "Two lines." });
    await otter.client.call("finding.add", {
      summary: "parse() drops the last order",
      severity: "blocking",
      category: "correctness",
      files: [{ path: "a.ts", line: 1 }],
    });
    const read = { tool_name: "Read", tool_input: { file_path: join(world.repository, "read.ts") } };
    expect(await one.send("PostToolBatch", { tool_calls: [read] })).toEqual(silence);
    const commit = { commit: "4c2a1f0", paths: ["read.ts"], subject: "Rate-limit orders" };
    expect((await otter.client.call("commit.announce", commit)).told).toMatchObject([{ id: agent!.id }]);
    const { code, stdout } = await one.send("Stop", { stop_hook_active: false });
    expect(stdout).toContain("commit-notice");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        decision: "block",
        reason: expect.stringMatching(/otter[^]*May I have a\.ts\?\nTwo lines\.[^]*drops the last order/),
      },
    ]);
    expect((await one.send("Stop", { stop_hook_active: false })).stdout, "the client did not come back").toBe(stdout);
    expect(await one.send("Stop", { stop_hook_active: true })).toEqual(silence);
    expect(await one.send("Stop", { stop_hook_active: false })).toEqual(silence);
    expect((await world.user.call("reservation.list", {})).items).toHaveLength(1);
  });

  it("keeps the tasks of its own team to itself, as long as no other agent wants them [ADPT-3]", async () => {
    const one = world.client("s-1");
    const task = { task_id: "7", task_subject: "Rate-limit orders", team_name: "t" };
    for (const event of ["TaskCreated", "TaskCompleted", "TeammateIdle"])
      expect(await one.send(event, task)).toEqual(silence);
    expect((await world.user.call("work-item.list", {})).items).toEqual([]);
    expect((await world.user.call("incident.list", {})).items).toEqual([]);
  });

  it("is told once that a file went to another agent since, before it may have it again [RSV-9]", async () => {
    await using short = await guarded({
      SYLK_RESERVATIONS_TTL_MS: "1000",
      SYLK_RESERVATIONS_MAX_TTL_MS: "1000",
      SYLK_RESERVATIONS_GRACE_MS: "0",
    });
    const [one, two] = [short.client("s-1"), short.client("s-2")];
    await one.edit("a.ts");
    await until("the first hold has run out", async () => (await two.edit("a.ts")).code === 0);
    await two.send("SessionEnd", { reason: "other" });
    const lost = await one.edit("a.ts");
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining("Read the file again") });
    expect(lost.stderr).toContain("lease.lost");
    expect(await one.edit("a.ts")).toEqual(silence);
  });
});

describe("tasks of agent teams", () => {
  const task = { task_id: "7", task_subject: "Rate-limit orders", task_description: "POST", team_name: "t" };

  it("are work items while that is switched on: once each, closed when done, and nothing rests on them [ADPT-3, ADPT-5]", async () => {
    await using world = await guarded({ SYLK_ADAPTERS_AGENT_TEAMS: "on" });
    const [lead, mate] = [world.client("s-1"), world.client("s-2")];
    const items = async () => (await world.user.call("work-item.list", {})).items;
    for (const sent of [task, task, { ...task, task_id: "8", task_subject: "Test it" }])
      expect(await lead.send("TaskCreated", sent)).toEqual(silence);
    expect(await mate.send("TeammateIdle", { teammate_name: "tester", team_name: "t" })).toEqual(silence);
    expect(await mate.send("TaskCompleted", { ...task, teammate_name: "tester" })).toEqual(silence);
    expect(await items()).toMatchObject([
      { title: "Test it", status: "open" },
      {
        title: "Rate-limit orders",
        body: "POST",
        status: "closed",
        closedReason: "completed in Claude Code by tester",
      },
    ]);
    for (const broken of [{ task: { id: 9 } }, { task_id: 9, task_subject: "s" }, { task_id: "9" }])
      expect(await lead.send("TaskCreated", broken)).toMatchObject({ code: 0, stdout: "" });
    const { incidents } = await world.user.call("health.show", {});
    expect(incidents).toMatchObject([{ components: expect.arrayContaining(["adapter agent-teams"]) }]);
    expect(await items()).toHaveLength(2);
    expect(await lead.edit("a.ts")).toEqual(silence);
    expect(await mate.edit("a.ts")).toMatchObject({ code: 2 });
  });
});

describe("every hook", () => {
  it("is counted for its agent with its latency, a denial as an answer [HLTH-1, HLTH-8]", async () => {
    await using world = await guarded();
    const [one, two] = [world.client("s-1"), world.client("s-2")];
    await one.start();
    for (let edits = 0; edits < 3; edits++) await one.edit("a.ts");
    await two.edit("a.ts");
    const { components } = await world.user.call("health.show", { kind: "hook" });
    const edits = components.filter(({ name }) => name === "hook/claude-code/PreToolUse");
    expect(edits.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
    expect(edits).toContainEqual(
      expect.objectContaining({ agent: expect.any(String), calls: 3, failures: 0, degraded: 0 }),
    );
    expect(edits.every(({ latency }) => latency !== undefined && latency.maxMs > 0)).toBe(true);
  });

  it("tells a session that starts what is unresolved, in its one line [HLTH-5]", async () => {
    await using world = await guarded();
    const failed = { kind: "hook", outcome: "failed", error: "no space left on device" } as const;
    const reports = ["pre-edit", "post-edit"].map((component) => ({ ...failed, component }));
    await world.user.call("health.report", { reports });
    const { stdout } = await world.client("s-1").start();
    expect(stdout).toMatch(/No other agents here\. 1 unresolved incident: disk full: .*sylk health/);
  });
});

describe("without an answer", () => {
  it("stops an edit where guard.edit is fail-closed, and lets a commit go where guard.commit is fail-open [HLTH-2]", async () => {
    await using world = await guarded({ SYLK_GUARD_EDIT: "fail-closed", SYLK_GUARD_COMMIT: "fail-open" });
    mkdirSync(join(world.repository, ".sylk"), { recursive: true });
    writeFileSync(join(world.repository, ".sylk", "config.yaml"), "guard:\n  policy: strict\n");
    const unknown = await world.client("s-1").shell('echo x > "$OUT"');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("write.unknown") });
    await world.kill();
    const strict = await world.client("s-1").edit("a.ts");
    expect(strict).toMatchObject({ code: 2, stderr: expect.stringContaining("guard.policy is strict") });
    rmSync(join(world.repository, ".sylk"), { recursive: true });
    const stopped = await world.client("s-1").edit("a.ts");
    expect(stopped).toMatchObject({ code: 2, stderr: expect.stringContaining("guard.edit is fail-closed") });
    writeFileSync(join(world.repository, "a.ts"), "a");
    const git = (...args: readonly string[]) =>
      spawnSync("git", args, { cwd: world.repository, env: { ...process.env, ...world.env }, encoding: "utf8" });
    git("add", "a.ts");
    const committed = git(
      "-c",
      "user.name=ada",
      "-c",
      "user.email=ada@localhost",
      "commit",
      "-q",
      "-m",
      "all the same",
    );
    expect(committed).toMatchObject({ status: 0, stderr: expect.stringContaining("was not guarded") });
  });

  it("lets the tool run, says so, and keeps a line of it for the next daemon [HLTH-2, HLTH-9]", async () => {
    await using world = await guarded();
    await world.kill();
    const one = world.client("s-1");
    expect(await one.edit("a.ts")).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ systemMessage: 'Sylk: this call was NOT guarded: the daemon does not answer at its socket; "sylk up" starts the daemon' })}\n`,
      stderr:
        'Sylk: claude-code PreToolUse was not guarded: the daemon does not answer at its socket; "sylk up" starts the daemon\n',
    });
    const { stdout } = await one.start();
    const { hookSpecificOutput } = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
    expect(hookSpecificOutput.additionalContext).toContain("who else is here is unknown: the daemon does not answer");
    expect(hookSpecificOutput.additionalContext).toMatch(/\n\[sylk\] coordination=absent$/);
    expect(outcomes(world)).toMatchObject([
      {
        component: "hook/claude-code/PreToolUse",
        outcome: "degraded",
        cause: "the daemon does not answer at its socket",
        agentKey: "s-1",
        project: world.repository,
        at: expect.any(Number),
      },
      { component: "hook/claude-code/SessionStart" },
    ]);
  });

  it("does not wait for a daemon that hangs [HLTH-2]", async () => {
    await using world = await guarded();
    process.kill(world.pid, "SIGSTOP");
    try {
      const run = await world.client("s-1").edit("a.ts");
      expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("does not answer in time") });
    } finally {
      process.kill(world.pid, "SIGCONT");
    }
    await world.client("s-2").start();
    expect((await world.user.call("health.show", {})).degraded).toBe(1);
    const { client } = await world.register("committer");
    const { warnings } = await client.call("guard.commit", { paths: ["b.ts"] });
    expect(warnings).toEqual([expect.stringMatching(/1 tool call went unguarded.*does not answer in time/)]);
  });

  it("keeps the file of outcomes below a megabyte, and the newest lines [HLTH-2]", async () => {
    await using world = await guarded();
    await world.kill();
    const file = join(world.paths.logs, "hook-outcomes.jsonl");
    writeFileSync(file, `${JSON.stringify({ at: 1, component: "old", outcome: "ok" })}\n`.repeat(30_000));
    await world.client("s-1").edit("a.ts");
    expect(statSync(file).size).toBeLessThan(1_048_576 / 2 + 1_000);
    expect(outcomes(world).at(-1)).toMatchObject({ component: "hook/claude-code/PreToolUse" });
  });

  it("says that it is unknown who is here while the store takes nothing, and lets edits run unguarded [HLTH-7, HLTH-9]", async () => {
    const preload = join(import.meta.dirname, "..", "faults", "small-store.ts");
    await using world = await guarded({}, ["--import", preload]);
    process.kill(world.pid, "SIGUSR2");
    const full = await until("the store is full", async () => {
      const { code, stderr } = await world.client(crypto.randomUUID()).edit(`${crypto.randomUUID()}.ts`);
      return stderr === "" ? undefined : { code, stderr };
    });
    expect(full).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Sylk did not guard this: .*store\.unavailable/),
    });
    const { stdout } = await world.client(crypto.randomUUID()).start();
    expect(stdout).toContain("who else is here is unknown: ");
    expect(stdout).not.toContain("No other agents");
    const { components, enforced } = await world.user.call("health.show", { kind: "hook" });
    expect([enforced, components]).toMatchObject([
      false,
      expect.arrayContaining([
        expect.objectContaining({
          name: "hook/claude-code/PreToolUse",
          lastError: expect.stringContaining("store.unavailable"),
        }),
      ]),
    ]);
  });

  it("does nothing where the home is gone", async () => {
    await using world = await guarded();
    await world.kill();
    rmSync(world.paths.home, { recursive: true });
    expect(await world.client("s-1").edit("a.ts")).toEqual(silence);
  });
});

describe("bad input", () => {
  const bad = {
    "no JSON": "{",
    nothing: "",
    "a list": "[1]",
    "no session": JSON.stringify({ cwd: "/", tool_name: "Edit", tool_input: { file_path: "/a" } }),
    "a number for a session": JSON.stringify({ session_id: 7, cwd: "/" }),
    "bytes that are no text": Buffer.from([0xff, 0xfe, 0x00, 0x22]),
    "a path that is no text": JSON.stringify({
      session_id: "s",
      cwd: "/",
      tool_name: "Edit",
      tool_input: { file_path: 1 },
    }),
    "a folder that is not there": JSON.stringify({
      session_id: "s",
      cwd: "/nowhere/at/all",
      tool_name: "Edit",
      tool_input: { file_path: "/nowhere/at/all/a" },
    }),
    "deep nesting": `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    "hostile names": JSON.stringify({ session_id: "__proto__", cwd: "/", tool_name: "constructor", tool_input: {} }),
  };
  it("is never a denial, and is said and counted unless it is harmless [ADPT-2]", async () => {
    await using world = await guarded();
    const one = world.client("s-1");
    for (const [what, raw] of Object.entries(bad)) {
      const run = await one.send("PreToolUse", {}, raw);
      expect(run.code, what).toBe(0);
      expect(run.stdout, what).toBe("");
      if (what !== "hostile names") expect(run.stderr, what).toContain("Sylk did not guard this");
    }
    const { degraded } = await world.user.call("health.show", { kind: "hook" });
    expect(degraded).toBe(Object.keys(bad).length - 1);
    expect(await one.edit("a.ts")).toEqual(silence);
  });

  it("takes a tool input of 50 MB, and unknown events and wrong arguments without a denial [ADPT-2]", async () => {
    const world = guardedHere();
    const one = world.client("s-1");
    const file_path = join(world.repository, "big.ts");
    const content = "x".repeat(50 * 1_048_576);
    const big = await one.send("PreToolUse", { tool_name: "Write", tool_input: { content, file_path } });
    expect(big.code).toBe(0);
    const launcher = `sh '${join(world.paths.home, "hooks", "sylk-hook")}'`;
    for (const words of [
      "",
      "claude-code",
      "claude-code PreTool/Use",
      "'a b' c",
      "claude-code NoSuchEvent",
      "nobody PreToolUse",
    ])
      expect((await runShell(`${launcher} ${words}`, "{}", world.env, world.repository)).code, words).toBe(0);
  });

  it("is refused on TCP without the user's token", async () => {
    const world = guardedHere();
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${world.url}/v1/hooks/claude-code/PreToolUse`, { method: "POST", body: "{}", headers });
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${world.userToken}` });
    expect(await answer.text()).toMatch(/^degraded\n/);
  });
});

type Outcome = { readonly component: string };

function outcomes({ paths }: ScratchDaemon): readonly Outcome[] {
  const text = readFileSync(join(paths.logs, "hook-outcomes.jsonl"), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Outcome);
}

async function guarded(env: Record<string, string> = {}, nodeOptions: readonly string[] = []) {
  const daemon = await openScratchDaemon({ env, nodeOptions });
  const { code, stderr } = await daemon.sylk(["install", "claude-code", "--yes"]);
  if (code !== 0) throw new Error(stderr);
  return withClients(daemon);
}

/** A guarded repository of its own on the daemon of this file, which stays as it is. */
function guardedHere(): Guarded {
  return withClients(inOwnRepository(shared));
}

function withClients(daemon: ScratchDaemon) {
  return Object.defineProperties({} as ScratchDaemon & { client: typeof client }, {
    ...Object.getOwnPropertyDescriptors(daemon),
    client: { value: client },
  });
  function client(session: string, extra: Record<string, string> = {}) {
    return hookClient({ session, repository: daemon.repository, env: { ...daemon.env, ...extra } });
  }
}
