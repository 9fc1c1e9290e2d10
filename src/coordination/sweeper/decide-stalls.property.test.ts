import fc from "fast-check";
import { expect, it } from "vitest";
import { decideStalls, type ClaimState } from "./decide-stalls.ts";

const stallAfterMs = 60;
const terms = fc.record({ budget: fc.constantFrom(0, 1, 2), budgetEveryMs: fc.constant(1_000) });
const claims: fc.Arbitrary<readonly ClaimState[]> = fc
  .array(
    fc.record({
      project: fc.constantFrom("shop", "bank"),
      owner: fc.constantFrom("heron", "otter", "lynx"),
      asked: fc.boolean(),
      wanted: fc.boolean(),
      stuck: fc.boolean(),
      idleMs: fc.integer({ min: 0, max: 120 }),
      answerLeftMs: fc.integer({ min: -50, max: 50 }),
      handoffLeftMs: fc.integer({ min: -50, max: 50 }),
      ownerIsGone: fc.boolean(),
    }),
    { maxLength: 10 },
  )
  .map((rows) =>
    rows.map(({ project, owner, asked, wanted, stuck, ...state }, index) => ({
      ...state,
      record: {
        id: `item-${index}`,
        project,
        owner: { id: `${project}-${owner}` },
        stallAfterMs,
        ...(asked ? { askedAt: 1 } : {}),
        ...(wanted ? { handoffRequest: {} } : {}),
        ...(stuck ? { stuck: {} } : {}),
      } as never,
    })),
  );
const ownersOf = (states: readonly ClaimState[], project: string) =>
  new Set(states.filter(({ record }) => record.project === project).map(({ record }) => record.owner!.id));

it("releases within its budget, the longest idle first, and never from a project's only working agent [WRK-6]", () => {
  fc.assert(
    fc.property(claims, terms, (states, { budget, budgetEveryMs }) => {
      const { release, gone, handOver } = decideStalls(states, { budget, budgetEveryMs });
      expect(release.length).toBeLessThanOrEqual(budget);
      const ended = new Set([...release, ...gone, ...handOver]);
      const left = states.filter(({ record }) => !ended.has(record));
      for (const { project } of release) expect(ownersOf(left, project).size).toBeGreaterThan(0);
      const idleOf = new Map(states.map(({ record, idleMs }) => [record, idleMs]));
      const idles = release.map((record) => idleOf.get(record)!);
      expect(idles).toEqual(idles.toSorted((a, b) => b - a));
    }),
  );
});

it("asks before it releases, returns claims of the dead at once, and frees no agent that moves [WRK-6]", () => {
  fc.assert(
    fc.property(claims, terms, (states, given) => {
      const decision = decideStalls(states, given);
      for (const state of states) {
        const { record, idleMs, answerLeftMs, ownerIsGone } = state;
        const isStalled = idleMs >= stallAfterMs;
        expect(decision.gone.includes(record)).toBe(ownerIsGone);
        if (decision.release.includes(record))
          expect([isStalled, record.askedAt !== undefined, answerLeftMs <= 0, ownerIsGone]).toEqual([
            true,
            true,
            true,
            false,
          ]);
        if (decision.ask.includes(record)) expect([isStalled, record.askedAt]).toEqual([true, undefined]);
        if (decision.calm.includes(record)) expect(isStalled).toBe(false);
        if (decision.handOver.includes(record)) expect(isStalled || record.stuck !== undefined).toBe(true);
      }
      const fates = [decision.gone, decision.ask, decision.calm, decision.release, decision.handOver].flat();
      expect(new Set(fates).size).toBe(fates.length);
    }),
  );
});

it("looks again when the next thing is due, and when there is a budget again", () => {
  fc.assert(
    fc.property(claims, terms, (states, given) => {
      const { nextInMs, release, ask } = decideStalls(states, given);
      if (nextInMs !== undefined) expect(nextInMs).toBeGreaterThan(0);
      const held = states.filter(({ ownerIsGone }) => !ownerIsGone);
      const waiting = held.filter(({ record, idleMs }) => idleMs < stallAfterMs && record.handoffRequest === undefined);
      if (waiting.length > 0 && release.length + ask.length === 0) expect(nextInMs).toBeDefined();
    }),
  );
});
