import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { settled } from "../../coordination/testkit.ts";
import { createOutcomeIntake } from "./ingest-outcomes.ts";
import { scratchHealth, type ScratchHealth } from "./testkit.ts";

function intakeOf(world: ScratchHealth) {
  const folder = join(world.folder.path, "log");
  mkdirSync(folder, { recursive: true });
  const taken: { counted: number; unreadable: number }[] = [];
  const unanswered: { component: string; why: string }[] = [];
  const intake = createOutcomeIntake({
    ...world,
    folder,
    resolve: async ({ agentKey }) => ({
      agent: agentKey === undefined ? undefined : { id: agentKey, name: agentKey },
      project: undefined,
    }),
    onUnanswered: async (hook) => void unanswered.push(hook),
    onTaken: (facts) => void taken.push(facts),
  });
  return { ...intake, folder, taken, unanswered, file: join(folder, "hook-outcomes.jsonl") };
}

function line(at: number, outcome = "degraded", component = "pre-edit"): string {
  return `${JSON.stringify({ at, component, outcome, cause: "daemon down", agentKey: "heron", ms: 3 })}\n`;
}

it("counts what was written while no daemon ran, and dates the incident by it [HLTH-10]", async () => {
  using world = scratchHealth();
  const intake = intakeOf(world);
  const hours = world.clock.now() - 5 * 3_600_000;
  writeFileSync(
    intake.file,
    [0, 1, 2].map((index) => line(hours + index * 1_000)).join("") + line(hours, "ok", "stop"),
  );
  expect(await intake.ingest()).toBe(4);
  expect(intake.unanswered.map(({ component, why }) => [component, why])).toEqual(
    Array.from({ length: 3 }, () => ["pre-edit", "daemon down"]),
  );
  expect(await world.tracker.components()).toMatchObject([
    { component: "pre-edit", calls: 3, degraded: 3, lastFailureAt: hours + 2_000, agent: { id: "heron" } },
    { component: "stop", calls: 1, degraded: 0 },
  ]);
  writeFileSync(intake.file, line(hours, "degraded", "pre-commit"));
  await intake.ingest();
  expect(world.tracker.incidents()).toMatchObject([
    { cause: "daemon-down", openedAt: hours, lastFailureAt: hours + 2_000, failures: 4 },
  ]);
});

it("counts once also when the daemon is killed before the file is gone, and takes what was written late [HLTH-10]", async () => {
  using world = scratchHealth();
  const first = intakeOf(world);
  const at = world.clock.now();
  writeFileSync(first.file, line(at));
  await first.ingest();
  const [aside] = readdirSync(first.folder);
  writeFileSync(join(first.folder, aside!), line(at), { flag: "a" });
  using next = world.killed({ downMs: 1_000 });
  const second = intakeOf(next);
  expect(await second.ingest()).toBe(1);
  next.clock.advance(10_000);
  await settled();
  await settled();
  expect(readdirSync(second.folder)).toEqual([]);
  expect(await next.tracker.components()).toMatchObject([{ calls: 2 }]);
  using last = next.killed();
  expect(await intakeOf(last).ingest()).toBe(0);
  expect(await last.tracker.components()).toMatchObject([{ calls: 2 }]);
});

it("counts everything anew when the daemon was killed before anything was written [HLTH-10]", async () => {
  using world = scratchHealth();
  const first = intakeOf(world);
  writeFileSync(first.file, line(world.clock.now()));
  await world.tracker.flush();
  Object.assign(world.store, { transact: async () => Promise.reject(new Error("killed")) });
  await expect(first.ingest()).rejects.toThrow("killed");
  using next = world.killed();
  expect(await intakeOf(next).ingest()).toBe(1);
  expect(await next.tracker.components()).toMatchObject([{ calls: 1 }]);
});

it("reads at most a megabyte of hostile lines, and counts only what makes sense [HLTH-10]", async () => {
  using world = scratchHealth();
  const intake = intakeOf(world);
  const now = world.clock.now();
  const nonsense = ["{", "null", "[]", '{"at":-1}', '{"at":1e400,"component":"x","outcome":"ok"}', "\u0000\u001b[2J"];
  const strange = [
    line(now + 9e12),
    line(now, "splendid"),
    line(1),
    line(now, "ok", "x".repeat(500)),
    `{"__proto__":{"at":1},"at":${now},"component":"constructor","outcome":"ok"}\n`,
  ];
  writeFileSync(intake.file, `${nonsense.join("\n")}\n${strange.join("")}${line(now).repeat(20_000)}`);
  await intake.ingest();
  const { unreadable } = intake.taken[0]!;
  expect(unreadable).toBe(nonsense.length + 3 + 1);
  const components = await world.tracker.components();
  expect(components.map(({ component }) => component)).toEqual(["pre-edit", "constructor"]);
  expect(components.every(({ lastReportAt }) => lastReportAt <= now)).toBe(true);
  expect(components[0]!.calls).toBeLessThan(1_048_576 / line(now).length);
});

it("never fails over a file's content [HLTH-10]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
      using world = scratchHealth();
      const intake = intakeOf(world);
      writeFileSync(intake.file, bytes);
      expect(await intake.ingest()).toBe(0);
    }),
    { numRuns: 20 },
  );
});

it("does not wait for a pipe at the file's place [HLTH-10]", async () => {
  using world = scratchHealth();
  const intake = intakeOf(world);
  execFileSync("mkfifo", [intake.file]);
  expect(await intake.ingest()).toBe(0);
  expect(existsSync(intake.file)).toBe(true);
});
