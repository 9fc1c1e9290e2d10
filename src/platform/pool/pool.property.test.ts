import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { lanes } from "./lanes.ts";
import { createPool } from "./pool.ts";

const graceMs = 3;
const ms = fc.integer({ min: 1, max: 8 });
const job = fc.record({
  group: fc.constantFrom("a", "b", "c"),
  kind: fc.constantFrom("engineer", "tester"),
  lane: fc.constantFrom(...lanes),
  comesAt: fc.nat(10),
  does: fc.constantFrom("end", "end", "reject", "throw", "deaf", "late", "tidy up"),
  afterMs: ms,
  /** Of those that never end by themselves, always. */
  limitMs: ms,
  isLimited: fc.boolean(),
  ownerLeavesAfter: fc.option(fc.nat(12), { nil: undefined }),
});
type Wanted = typeof job extends fc.Arbitrary<infer Value> ? Value : never;
const limits = fc.record({
  all: fc.integer({ min: 2, max: 5 }),
  perGroup: fc.integer({ min: 1, max: 3 }),
  perKind: fc.record({ engineer: fc.integer({ min: 1, max: 3 }) }),
});

/** Does not stop when told to; the late one ends long after everybody has given it up. */
const isDeaf = ({ does }: Wanted): boolean => does === "deaf" || does === "late";

/** Jobs under way, on a clock moved by hand; one that ignores its stop is nobody's once its grace is over. */
function stage(clock: ReturnType<typeof manualClock>) {
  const live = new Map<Wanted, number | undefined>();
  const held = (of: Partial<Wanted> = {}): number =>
    [...live].filter(
      ([each, toldAt]) =>
        (toldAt === undefined || clock.now() < toldAt + graceMs) &&
        Object.entries(of).every(([key, value]) => each[key as keyof Wanted] === value),
    ).length;
  const play = (wanted: Wanted, signal: AbortSignal): Promise<string> => {
    live.set(wanted, undefined);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const leave = (settle: () => void) => () => {
      live.delete(wanted);
      settle();
    };
    if (wanted.does === "throw") {
      live.delete(wanted);
      throw new Error("thrown");
    }
    if (isDeaf(wanted)) signal.addEventListener("abort", () => live.set(wanted, clock.now()));
    else
      signal.addEventListener(
        "abort",
        leave(() => (wanted.does === "tidy up" ? resolve("tidied") : reject(signal.reason))),
      );
    if (wanted.does === "end")
      clock.after(
        wanted.afterMs,
        leave(() => resolve("ended")),
      );
    if (wanted.does === "reject")
      clock.after(
        wanted.afterMs,
        leave(() => reject(new Error("rejected"))),
      );
    if (wanted.does === "late")
      clock.after(
        wanted.limitMs + graceMs + wanted.afterMs,
        leave(() => resolve("late")),
      );
    return promise;
  };
  return { held, play };
}

const turn = () => new Promise((resolve) => void setImmediate(resolve));

it("keeps to every cap and settles every job, whatever jobs and their owners do at the same time [POOL-6, POOL-10, POOL-11]", async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(limits, fc.array(job, { minLength: 2, maxLength: 20, size: "max" }), async (caps, jobs) => {
      const clock = manualClock();
      const pool = createPool({ clock, limits: caps, graceMs });
      const { held, play } = stage(clock);
      const over: string[] = [];
      const check = ({ group }: Wanted) => {
        most = Math.max(most, held());
        if (held() > caps.all || held({ group }) > caps.perGroup || held({ kind: "engineer" }) > caps.perKind.engineer)
          over.push(`${held()} run, ${held({ group })} of ${group}, ${held({ kind: "engineer" })} engineers`);
      };
      let settled = 0;
      const submit = (wanted: Wanted) => {
        const owner = new AbortController();
        const endless = isDeaf(wanted) || wanted.does === "tidy up";
        const run = async (signal: AbortSignal) => {
          const played = play(wanted, signal);
          check(wanted);
          return played;
        };
        if (wanted.ownerLeavesAfter !== undefined) clock.after(wanted.ownerLeavesAfter, () => owner.abort());
        const { group, kind, lane } = wanted;
        const timeLimit = endless || wanted.isLimited ? { timeLimitMs: wanted.limitMs } : {};
        const count = () => settled++;
        pool.submit({ group, kind, lane, run, signal: owner.signal, ...timeLimit }).then(count, count);
      };
      for (let now = 0; now < 500 && (now <= 10 || settled < jobs.length); now++) {
        jobs.filter(({ comesAt }) => comesAt === now).forEach(submit);
        await turn();
        clock.advance(1);
      }
      for (let left = 0; left < 25; left++) {
        clock.advance(1); // owners and jobs that leave late
        await turn();
      }
      const { running, waiting, groups, abandoned } = pool.metrics();
      expect([over, settled, running, waiting]).toEqual([[], jobs.length, 0, 0]);
      const counted = Object.values(groups).reduce((sum, { finished, failed }) => sum + finished + failed, 0);
      expect([counted, clock.pendingTimers()]).toEqual([jobs.length, 0]);
      expect(abandoned).toBeLessThanOrEqual(jobs.filter(isDeaf).length);
    }),
    { numRuns: 60 },
  );
  expect(most).toBeGreaterThan(2);
});
