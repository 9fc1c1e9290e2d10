import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFairQueue, type FairQueueOptions, type Job } from "./fair-queue.ts";
import { type Lane, lanes, rankAfter, rankOf } from "./lanes.ts";

const ageingMs = 100;
type Named = Job & { readonly name: number };

/** (sum x)² / (n · sum x²): 1 when all get the same, 1/n when one gets everything. */
function jain(shares: readonly number[]): number {
  const sum = shares.reduce((total, share) => total + share, 0);
  const squares = shares.reduce((total, share) => total + share * share, 0);
  return squares === 0 ? 1 : (sum * sum) / (shares.length * squares);
}

const job = fc.record({
  group: fc.constantFrom("a", "b", "c"),
  kind: fc.constantFrom("engineer", "tester"),
  lane: fc.constantFrom<Lane>(...lanes),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("add" as const), job }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("take" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("finish" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.nat(150) }) },
);
const limits = fc.record({
  all: fc.integer({ min: 2, max: 6 }),
  perGroup: fc.integer({ min: 1, max: 3 }),
  perKind: fc.record({ engineer: fc.integer({ min: 1, max: 3 }) }),
});

it("takes the oldest job of the highest lane that may run, and never exceeds a limit [POOL-2, POOL-6, POOL-10, POOL-11]", () => {
  fc.assert(
    fc.property(limits, fc.array(step, { maxLength: 80, size: "max" }), (given, steps) => {
      const queue = createFairQueue<Named>({ limits: given, ageingMs });
      const waiting = new Map<Named, number>();
      const running: Named[] = [];
      const count = (of: Partial<Job>) =>
        running.filter((each) => Object.entries(of).every(([key, value]) => each[key as keyof Job] === value)).length;
      const mayRun = ({ group, kind }: Job) =>
        running.length < given.all &&
        count({ group }) < given.perGroup &&
        (kind !== "engineer" || count({ kind }) < given.perKind.engineer);
      let now = 0;
      let names = 0;
      for (const action of steps) {
        if (action.do === "add") {
          const added = { ...action.job, name: names++ };
          waiting.set(added, now);
          queue.add(added, now);
        } else if (action.do === "pass") now += action.ms;
        else if (action.do === "finish" && running.length > 0) {
          const [done] = running.splice(action.pick % running.length, 1);
          queue.finish(done!);
        } else if (action.do === "remove" && waiting.size > 0) {
          const gone = [...waiting.keys()][action.pick % waiting.size]!;
          expect(queue.remove(gone)).toBe(true);
          expect(queue.remove(gone)).toBe(false);
          waiting.delete(gone);
        } else if (action.do === "take") {
          const allowed = [...waiting.keys()].filter(mayRun);
          const rank = (each: Named) => rankAfter(rankOf(each.lane), now - waiting.get(each)!, ageingMs);
          const taken = queue.take(now);
          if (!taken) expect(allowed).toEqual([]);
          else {
            expect(allowed).toContain(taken.job);
            expect(rank(taken.job)).toBe(Math.min(...allowed.map(rank)));
            expect(taken.waitedMs).toBe(now - waiting.get(taken.job)!);
            waiting.delete(taken.job);
            running.push(taken.job);
          }
        }
        expect([queue.waiting, queue.running]).toEqual([waiting.size, running.length]);
      }
    }),
    { numRuns: 200 },
  );
});

describe("ageing", () => {
  it("lets every job run in bounded time under constant load of higher lanes, of others and of its own group [POOL-4, POOL-19]", () => {
    fc.assert(
      fc.property(fc.constantFrom<Lane>("high", "normal", "low", "background"), fc.boolean(), (lane, isOwn) => {
        const queue = createFairQueue<Named>({ limits: { all: 2, perGroup: 2 }, ageingMs });
        const patient: Named = { group: "patient", kind: "k", lane, name: -1 };
        queue.add(patient, 0);
        const climb = rankOf(lane) * ageingMs;
        let startedAt: number | undefined;
        const running: Named[] = [];
        for (let now = 0; startedAt === undefined && now <= climb + 10 * ageingMs; now += 10) {
          for (const group of isOwn ? ["patient"] : ["x", "y"])
            for (let each = 0; each < 3; each++) queue.add({ group, kind: "k", lane: "critical", name: now }, now);
          for (const done of running.splice(0)) queue.finish(done);
          for (let next = queue.take(now); next; next = queue.take(now)) {
            running.push(next.job);
            if (next.job === patient) startedAt = now;
          }
        }
        expect(startedAt).toBeGreaterThanOrEqual(climb - 10);
        // Once in the critical lane it is the oldest there, or its group the least served.
        expect(startedAt).toBeLessThanOrEqual(climb + 20);
      }),
      { numRuns: 20 },
    );
  });

  it("climbs one lane at a time", () => {
    expect([0, 99, 100, 250, 399, 10_000].map((waited) => rankAfter(4, waited, ageingMs))).toEqual([4, 4, 3, 2, 1, 0]);
  });
});

type Served = Record<string, number>;
function serve(
  { weights = [], ...options }: FairQueueOptions & { readonly weights?: readonly number[] },
  jobs: readonly Named[],
  check: (served: Served, total: number) => void,
) {
  const queue = createFairQueue<Named>(options);
  for (const [group, weight] of weights.entries()) queue.setWeight(`${group}`, weight);
  for (const each of jobs) queue.add(each, 0);
  const served: Served = {};
  const running: Named[] = [];
  let total = 0;
  for (;;) {
    while (queue.running < queue.limit) {
      const next = queue.take(0);
      if (!next) break;
      served[next.job.group] = (served[next.job.group] ?? 0) + 1;
      total++;
      running.push(next.job);
      check(served, total);
    }
    const done = running.shift();
    if (!done) return total;
    queue.finish(done);
  }
}

it("refuses a weight that would give a group everything or nothing for ever", () => {
  for (const weight of [0, -1, Number.NaN, Infinity]) {
    const queue = createFairQueue<Named>({ limits: { all: 2, perGroup: 2 }, ageingMs });
    expect(() => queue.setWeight("a", weight)).toThrow(`the weight of a must be a number above 0, not ${weight}`);
  }
});

describe("fairness", () => {
  it("serves 1,000 jobs of 10 sessions evenly at every point on the way, in whatever order they came [POOL-5, POOL-17]", () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: 1_000 }, (_, name) => name),
      { minLength: 1_000 },
    );
    fc.assert(
      fc.property(order, fc.integer({ min: 2, max: 16 }), (names, all) => {
        const jobs = names.map((name): Named => ({ group: `s${name % 10}`, kind: "k", lane: "normal", name }));
        const total = serve({ limits: { all, perGroup: all }, ageingMs }, jobs, (served, count) => {
          const shares = Array.from({ length: 10 }, (_, index) => served[`s${index}`] ?? 0);
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
          if (count >= 50) expect(jain(shares)).toBeGreaterThanOrEqual(0.99);
        });
        expect(total).toBe(1_000);
      }),
      { numRuns: 10 },
    );
  });

  it("serves in proportion to weights, within one turn, while all have work", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 5 }), (weights) => {
        const jobs = Array.from({ length: weights.length * 100 }, (_, name): Named => ({
          group: `${name % weights.length}`,
          kind: "k",
          lane: "normal",
          name,
        }));
        serve({ limits: { all: 3, perGroup: 3 }, ageingMs, weights }, jobs, (served, count) => {
          if (count > 20 * weights.length) return;
          const perWeight = weights.map((weight, index) => (served[`${index}`] ?? 0) / weight);
          expect(Math.max(...perWeight) - Math.min(...perWeight)).toBeLessThanOrEqual(1 + 1e-9);
        });
      }),
      { numRuns: 50 },
    );
  });

  it("does not make a late small session wait for an early large one, nor repay it for its absence [POOL-17]", () => {
    const queue = createFairQueue<Named>({ limits: { all: 2, perGroup: 2 }, ageingMs });
    const add = (group: string, name: number) => queue.add({ group, kind: "k", lane: "normal", name }, 0);
    for (let name = 0; name < 500; name++) add("large", name);
    const order: string[] = [];
    const running: Named[] = [];
    const next = () => {
      if (queue.running === 2) queue.finish(running.shift()!);
      const { job: taken } = queue.take(0)!;
      running.push(taken);
      order.push(taken.group);
    };
    for (let turn = 0; turn < 300; turn++) next();
    for (let name = 0; name < 10; name++) add("small", name);
    for (let turn = 0; turn < 30; turn++) next();
    const after = order.slice(300);
    expect(after.slice(0, 21).filter((group) => group === "small")).toHaveLength(10);
    expect(after.slice(0, 10).filter((group) => group === "large").length).toBeGreaterThanOrEqual(4);
  });

  it("does not let a newcomer push aside a session that was served much in another lane or earlier [POOL-5]", () => {
    const queue = createFairQueue<Named>({ limits: { all: 2, perGroup: 2 }, ageingMs });
    const add = (group: string, lane: Lane, count: number) => {
      for (let name = 0; name < count; name++) queue.add({ group, kind: "k", lane, name }, 0);
    };
    const serveNext = (turns: number): string[] =>
      Array.from({ length: turns }, () => {
        const { job: taken } = queue.take(0)!;
        queue.finish(taken);
        return taken.group;
      });
    add("patient", "low", 50);
    add("busy", "critical", 400);
    serveNext(300);
    add("newcomer", "critical", 50);
    expect(serveNext(20).filter((group) => group === "busy")).toHaveLength(10);
    add("late", "low", 50);
    serveNext(130);
    expect(serveNext(40).filter((group) => group === "patient")).toHaveLength(20);
  });

  it("gives a session that comes one job at a time no more than its share [POOL-5]", () => {
    const queue = createFairQueue<Named>({ limits: { all: 2, perGroup: 2 }, ageingMs });
    const add = (group: string, name: number) => queue.add({ group, kind: "k", lane: "normal", name }, 0);
    for (let name = 0; name < 300; name++) add(`s${name % 3}`, name);
    const served: Served = {};
    const running: Named[] = [];
    for (let turn = 0; turn < 100; turn++) {
      if (queue.depth({ group: "single" }) + queue.runningOf("single") === 0) add("single", turn);
      const { job: taken } = queue.take(0)!;
      served[taken.group] = (served[taken.group] ?? 0) + 1;
      running.push(taken);
      if (queue.running === 2) queue.finish(running.shift()!);
    }
    expect(served["single"]).toBeGreaterThanOrEqual(24);
    expect(served["single"]).toBeLessThanOrEqual(26);
  });
});
