import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandRequest, ProcessIdentity } from "../../orchestration/executors/index.ts";
import { systemClock } from "../../platform/clock/index.ts";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { groupRuns, startTimeOf } from "./process-identity.ts";
import { createCommands } from "./run-command.ts";

const clock = systemClock();
const commands = createCommands(clock);
const env = { PATH: process.env.PATH ?? "" };

const run = (argv: readonly string[], more: Partial<CommandRequest> = {}) =>
  commands.run({ argv: argv as [string, ...string[]], cwd: "/", env, timeoutMs: 10_000, ...more });
const shell = (script: string, more: Partial<CommandRequest> = {}) => run(["sh", "-c", script], more);

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 500; looks++) {
    if (await condition()) return;
    await new Promise<void>((resolve) => clock.after(10, resolve, { keepAlive: true }));
  }
  throw new Error("it did not happen");
}

describe("a command", () => {
  it("gets its words as they are, without a shell, and the given environment and nothing else [RUN-8]", async () => {
    const { end, exitCode, output } = await run(["printf", "%s|", "$HOME", "a b", "`id`", ";", "*"], {
      env: { ...env, HOME: "/nowhere" },
    });
    expect([end, exitCode, output]).toEqual(["exited", 0, "$HOME|a b|`id`|;|*|"]);
    const printed = (await run(["env"], { env: { PATH: env.PATH, LANG: "C" } })).output
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(new Set(printed.filter((name) => name !== "" && name !== "PWD" && name !== "_"))).toEqual(
      new Set(["LANG", "PATH"]),
    );
  });

  it("tells its exit code and both streams in order; standard input is empty", async () => {
    expect(await shell("echo out; echo err >&2; cat; exit 3")).toMatchObject({
      end: "exited",
      exitCode: 3,
      output: "out\nerr\n",
      truncated: false,
    });
  });

  it("that does not exist, is no program, or is killed is not taken for one that ran [RUN-11]", async () => {
    expect(await run(["no-such-program-anywhere"])).toMatchObject({ end: "not-found" });
    expect(await run(["/"])).toMatchObject({ end: "not-found" });
    expect(await shell("kill -9 $$")).toMatchObject({ end: "killed", exitCode: undefined });
    await expect(run(["true"], { cwd: "/no/such/folder", onStarted: async () => {} })).rejects.toThrow(
      "could not be started",
    );
  });

  it("runs nothing before it is recorded, and nothing at all when that fails", async () => {
    using folder = scratchFolder();
    const file = join(folder.path, "ran");
    let seen: ProcessIdentity | undefined;
    await run(["touch", file], {
      async onStarted(identity) {
        seen = identity;
        await new Promise<void>((resolve) => clock.after(100, resolve, { keepAlive: true }));
        expect([existsSync(file), await startTimeOf(identity.pid)]).toEqual([false, identity.startedAt]);
      },
    });
    expect([existsSync(file), seen === undefined]).toEqual([true, false]);
    const other = join(folder.path, "other");
    let gate = 0;
    const refused = run(["touch", other], {
      onStarted: async ({ pid }) => {
        gate = pid;
        throw new Error("not recorded");
      },
    });
    await expect(refused).rejects.toThrow("not recorded");
    await eventually(async () => !(await groupRuns(gate)));
    expect(existsSync(other)).toBe(false);
  });

  it("is ended at its time limit with everything it started, even what is deaf to a polite request", async () => {
    using folder = scratchFolder();
    const beat = join(folder.path, "beat");
    const script = `trap "" TERM; (trap "" TERM; while :; do echo x >> ${beat}; sleep 0.02; done) & while :; do sleep 0.02; done`;
    const { end, exitCode } = await shell(script, { timeoutMs: 300 });
    expect([end, exitCode]).toEqual(["timed-out", undefined]);
    await expectSilence(beat);
  });

  it("is ended at once when it is aborted, before or while it runs", async () => {
    using folder = scratchFolder();
    const file = join(folder.path, "ran");
    expect(await run(["touch", file], { signal: AbortSignal.abort() })).toMatchObject({ end: "aborted" });
    expect(existsSync(file)).toBe(false);
    const controller = new AbortController();
    const running = shell("sleep 60", {
      signal: controller.signal,
      onStarted: async () => void clock.after(50, () => controller.abort()),
    });
    expect(await running).toMatchObject({ end: "aborted", exitCode: undefined });
  });

  it("that leaves something running has ended nevertheless, and what it left is ended, too", async () => {
    using folder = scratchFolder();
    const beat = join(folder.path, "beat");
    const result = await shell(`while :; do echo x >> ${beat}; sleep 0.02; done & sleep 0.1; echo done`);
    expect(result).toMatchObject({ end: "exited", exitCode: 0, output: "done\n" });
    expect(result.durationMs).toBeLessThan(5_000);
    await expectSilence(beat);
  });

  it("that prints without end keeps its beginning and its end, and says how much is missing", async () => {
    const { output, truncated } = await shell("echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo last");
    expect([truncated, output.startsWith("first\n"), output.endsWith("last\n"), output.length < 200_000]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(output).toMatch(/\n… \d+ bytes cut …\n/);
  });
});

describe("endGroup", () => {
  it("ends leader and members, waits until they are gone, and does not mind when they are", async () => {
    using folder = scratchFolder();
    const beat = join(folder.path, "beat");
    const started = Promise.withResolvers<ProcessIdentity>();
    const running = shell(`trap "" TERM; (trap "" TERM; while :; do echo x >> ${beat}; sleep 0.02; done) & sleep 60`, {
      onStarted: async (identity) => started.resolve(identity),
    });
    const identity = await started.promise;
    await eventually(() => existsSync(beat));
    await commands.endGroup(identity);
    expect([await startTimeOf(identity.pid), await groupRuns(identity.pid)]).toEqual([undefined, false]);
    await expectSilence(beat);
    await commands.endGroup(identity);
    expect((await running).end).toBe("killed");
  });

  it("ends members whose leader is gone", async () => {
    using folder = scratchFolder();
    const beat = join(folder.path, "beat");
    // Nobody watches over this one, as after the death of its worker.
    const orphans = spawn("sh", ["-c", `(while :; do echo x >> ${beat}; sleep 0.02; done) & sleep 60`], {
      detached: true,
      stdio: "ignore",
    });
    const pid = orphans.pid!;
    const startedAt = (await startTimeOf(pid))!;
    await eventually(() => existsSync(beat));
    process.kill(pid, "SIGKILL");
    await eventually(async () => (await startTimeOf(pid)) === undefined);
    expect(await groupRuns(pid)).toBe(true);
    await commands.endGroup({ pid, startedAt });
    expect(await groupRuns(pid)).toBe(false);
    await expectSilence(beat);
  });

  it("leaves a later process with the same number alone", async () => {
    const started = Promise.withResolvers<ProcessIdentity>();
    const controller = new AbortController();
    const innocent = shell("sleep 60", {
      signal: controller.signal,
      onStarted: async (identity) => started.resolve(identity),
    });
    const { pid, startedAt } = await started.promise;
    await commands.endGroup({ pid, startedAt: "of another boot:12345" });
    expect(await startTimeOf(pid)).toBe(startedAt);
    controller.abort();
    await innocent;
  });
});

async function expectSilence(file: string): Promise<void> {
  const before = readFileSync(file, "utf8");
  await new Promise<void>((resolve) => clock.after(150, resolve, { keepAlive: true }));
  expect(readFileSync(file, "utf8")).toBe(before);
}
