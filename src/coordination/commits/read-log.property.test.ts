import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentId, ProjectId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createReadLog } from "./read-log.ts";

const project = "prj" as ProjectId;
const agents = ["agt_a", "agt_b", "agt_c"] as AgentId[];

it("names whoever read a path within the time, as a list of all reads does [GIT-13]", () => {
  const step = fc.record({ agent: fc.constantFrom(...agents), path: fc.constantFrom("a", "b", "c"), ms: fc.nat(500) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), fc.nat(1_000), (steps, within) => {
      const clock = manualClock();
      const log = createReadLog(clock);
      const all = steps.map(({ agent, path, ms }) => {
        clock.advance(ms);
        log.read(project, agent, [path]);
        return { agent, path, at: clock.monotonic() };
      });
      const since = clock.monotonic() - within;
      const expected = new Set(all.filter(({ path, at }) => path === "a" && at >= since).map(({ agent }) => agent));
      expect(log.readersOf(project, ["a"], within)).toEqual(expected);
      expect(log.readersOf("prj_other" as ProjectId, ["a"], within).size).toBe(0);
    }),
  );
});

it("forgets what was read first where an agent reads everything", () => {
  const log = createReadLog(manualClock());
  const paths = Array.from({ length: 2_001 }, (_, at) => `${at}.ts`);
  log.read(project, agents[0]!, paths);
  expect(log.readersOf(project, ["0.ts"], 1_000).size).toBe(0);
  expect(log.readersOf(project, ["1.ts"], 1_000).size).toBe(1);
});
