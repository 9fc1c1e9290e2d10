import { expect, it } from "vitest";
import { dampingRules, type SimulationTerms } from "./contract/index.ts";
import { simulation } from "./simulate.ts";

/** Few files, so that a handful of agents meet within minutes. */
const crowded: SimulationTerms = {
  agents: [1, 2, 6],
  minutes: 20,
  seed: 7,
  off: [],
  rhythm: { ...simulation.rhythms.sprint!, areas: 1, filesPerArea: 8, patienceSeconds: 60 },
  rhythmName: "crowded",
};
const watching = { onProgress: () => {}, signal: new AbortController().signal };
const limits = { timeout: 60_000 };

it(
  "gives the same result to the last byte for the same seed, and another for another seed [LOAD-1]",
  limits,
  async () => {
    const [first, again, other] = [
      await simulation.simulate(crowded, watching),
      await simulation.simulate(crowded, watching),
      await simulation.simulate({ ...crowded, seed: 8 }, watching),
    ];
    expect(JSON.stringify(again)).toBe(JSON.stringify(first));
    expect(JSON.stringify(other.measurements)).not.toBe(JSON.stringify(first.measurements));
  },
);

it(
  "measures waiting, hand-overs, catching up, fairness and queue age, and says where it tips [LOAD-2]",
  limits,
  async () => {
    const { measurements, tipping } = await simulation.simulate(crowded, watching);
    const [alone, , many] = measurements;
    expect(alone).toMatchObject({ agents: 1, blockedShare: 0, handOvers: 0, fairness: 1 });
    expect(many!.blockedShare).toBeGreaterThan(0.1);
    expect(many!.handOvers).toBeGreaterThan(0);
    expect(many!.refreshesPerCommit).toBeGreaterThan(0);
    expect(many!.syncsPerCommit).toBeGreaterThan(0);
    expect(many!.fairness).toBeGreaterThan(0.5);
    expect(many!.queueAgeMinutes).toBeGreaterThan(0);
    expect(tipping.tipsAt).toBeGreaterThan(1);
    expect(tipping.sentence).toMatch(/^It tips between \d+ and \d+ agents: there \d+ % of all time is spent waiting/);
  },
);

it(
  "one agent alone causes no delivery; more cause them with their overlap and not with their number [LOAD-5]",
  limits,
  async () => {
    const apart = { ...crowded.rhythm, areas: 10_000, filesPerArea: 1_000, hotShare: 0 };
    const counts = { ...crowded, agents: [1, 2, 3, 5, 10], minutes: 10 };
    const together = await simulation.simulate(counts, watching);
    const strangers = await simulation.simulate({ ...counts, rhythm: apart }, watching);
    for (const one of [together.measurements[0]!, ...strangers.measurements])
      expect(one).toMatchObject({ deliveriesPerCommit: 0, deliveriesPerReservation: 0, refreshesPerCommit: 0 });
    const perCommit = together.measurements.map(({ deliveriesPerCommit }) => deliveriesPerCommit);
    expect(perCommit.at(-1)).toBeGreaterThan(perCommit[1]!);
    // Told are those who met the paths, never all the others.
    expect(perCommit.at(-1)).toBeLessThan(9);
  },
);

it("shows the effect of each damping rule, switched off for itself [LOAD-3]", limits, async () => {
  // Long thoughts over few files, so that leases run out while somebody waits.
  const rhythm = {
    ...crowded.rhythm,
    thinkShare: 0.6,
    thinkSeconds: 300,
    heartbeatSeconds: 240,
    hotFiles: 0,
    filesPerArea: 4,
  };
  const { rows } = await simulation.compare({ ...crowded, rhythm, agents: [6], minutes: 40 }, watching);
  expect(rows.map(({ off }) => off)).toEqual([undefined, ...dampingRules]);
  const [base] = rows[0]!.measurements;
  const without = new Map(rows.map(({ off, measurements: [row] }) => [off, row!]));
  expect(without.get("debounce")!.refreshesPerCommit).toBeGreaterThan(base!.refreshesPerCommit);
  expect(without.get("cool-down")!.syncsPerCommit).toBeGreaterThanOrEqual(base!.syncsPerCommit);
  expect(without.get("adaptive-lease")).not.toEqual(base);
  expect(without.get("grace")!.graceHits).toBe(0);
});

it("holds for a thousand agents [LOAD-1]", { timeout: 120_000 }, async () => {
  const slow = {
    ...simulation.rhythms.steady!,
    editsPerFile: 1,
    editEverySeconds: 40,
    filesPerCommit: 1,
    thinkShare: 0,
    heartbeatSeconds: 0,
  };
  const { measurements } = await simulation.simulate(
    { ...crowded, rhythm: slow, agents: [1_000], minutes: 2 },
    watching,
  );
  expect(measurements[0]!.commits).toBeGreaterThan(0);
});

it("stops when it is told to", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(simulation.simulate(crowded, { ...watching, signal })).rejects.toThrow("enough");
});
