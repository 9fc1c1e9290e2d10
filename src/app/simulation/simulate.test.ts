import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type DampingRule, dampingRules, type SimulationTerms } from "../../contract/index.ts";
import { resolveSettings } from "../../platform/config/index.ts";
import { simulation } from "./simulate.ts";

/** Few files, so that a handful of agents meet within minutes. */
const crowded: SimulationTerms = {
  agents: [1, 2, 6],
  minutes: 20,
  seed: 7,
  off: [],
  commits: "paths",
  rhythm: { ...simulation.rhythms.sprint!, areas: 1, filesPerArea: 8, patienceSeconds: 60 },
  rhythmName: "crowded",
};
const watching = { onProgress: () => {}, signal: new AbortController().signal };
const limits = { timeout: 600_000 };

it(
  "gives the same result to the last byte for the same seed, and another for another seed [LOAD-1]",
  limits,
  async () => {
    const short = { ...crowded, agents: [1, 6], minutes: 5 };
    const [first, again, other] = [
      await simulation.simulate(short, watching),
      await simulation.simulate(short, watching),
      await simulation.simulate({ ...short, seed: 8 }, watching),
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
    const counts = { ...crowded, agents: [1, 2, 6], minutes: 10 };
    const together = await simulation.simulate(counts, watching);
    const strangers = await simulation.simulate({ ...counts, rhythm: apart }, watching);
    for (const one of [together.measurements[0]!, ...strangers.measurements])
      expect(one).toMatchObject({ deliveriesPerCommit: 0, deliveriesPerReservation: 0, refreshesPerCommit: 0 });
    const perCommit = together.measurements.map(({ deliveriesPerCommit }) => deliveriesPerCommit);
    expect(perCommit.at(-1)).toBeGreaterThan(perCommit[1]!);
    // Told are those who met the paths, never all the others.
    expect(perCommit.at(-1)).toBeLessThan(5);
  },
);

it("shows the effect of debounce and batch where commits are many [LOAD-3]", limits, async () => {
  const busy = { editEverySeconds: 6, thinkShare: 0, forgetShare: 0, itemsPerAgentHour: 60, patienceSeconds: 30 };
  const rhythm = { ...crowded.rhythm, ...busy, filesPerArea: 12 };
  const { rows } = await simulation.compare({ ...crowded, rhythm, agents: [6], minutes: 6 }, watching);
  expect(rows.map(({ off }) => off)).toEqual([undefined, ...dampingRules]);
  const row = (rule: DampingRule | undefined) => rows.find(({ off }) => off === rule)!.measurements[0]!;
  expect(row("debounce").refreshesPerCommit).toBeGreaterThan(1.5 * row(undefined).refreshesPerCommit);
  expect(row("batch").syncsPerCommit).toBeGreaterThan(2 * row(undefined).syncsPerCommit);
  expect(row("cool-down")).not.toEqual(row(undefined));
});

it("shows the effect of grace and adaptive lease where agents think long [LOAD-3]", limits, async () => {
  const deep = { ...crowded, agents: [20], minutes: 60, seed: 1, rhythm: simulation.rhythms.deep! };
  const measured = async (...off: DampingRule[]) =>
    (await simulation.simulate({ ...deep, off }, watching)).measurements[0]!;
  const all = await measured();
  const withoutGrace = await measured("grace");
  expect(all.graceHits).toBeGreaterThan(0);
  expect(withoutGrace.graceHits).toBe(0);
  expect(withoutGrace.lostHolds).toBeGreaterThan(all.lostHolds);
  expect((await measured("adaptive-lease")).handOvers).not.toBe(all.handOvers);
});

it("shows from how many agents on one commit at a time is too few [GIT-5]", limits, async () => {
  // Files of their own, so that nobody waits for a file, and half a minute for each commit.
  const alone = { areas: 1_000, filesPerArea: 1_000, hotFiles: 0, patienceSeconds: 60, thinkShare: 0, forgetShare: 0 };
  const rhythm = {
    ...simulation.rhythms.checked!,
    ...alone,
    editsPerFile: 1,
    filesPerCommit: 1,
    itemsPerAgentHour: 20,
  };
  const terms = { ...crowded, rhythm, agents: [1, 2, 4, 8], minutes: 30 };
  const paths = await simulation.simulate(terms, watching);
  const project = await simulation.simulate({ ...terms, commits: "project" }, watching);
  for (const one of paths.measurements) expect(one.blockedShare, `${one.agents} agents`).toBeLessThan(0.01);
  const blocked = project.measurements.map(({ blockedShare }) => blockedShare);
  expect(blocked[0]).toBe(0);
  expect(blocked.at(-1)).toBeGreaterThan(0.3);
  // It cannot land more than one each half minute, however many work.
  expect(project.measurements.at(-1)!.commitsPerHour).toBeLessThanOrEqual(121);
  expect(paths.measurements.at(-1)!.commitsPerHour).toBeGreaterThan(1.5 * project.measurements.at(-1)!.commitsPerHour);
  expect(project.tipping.tipsAt).toBeLessThanOrEqual(8);
  expect(paths.tipping.tipsAt).toBeUndefined();
});

it(
  "the defaults are those that decision 0010 chose, and its figures are what the model says of them [LOAD-4]",
  limits,
  async () => {
    const { settings } = await resolveSettings({ userFile: undefined, projectFile: undefined, env: {}, flags: {} });
    const minutes = (key: keyof typeof settings): number => Number(settings[key]) / 60_000;
    const decision = readFileSync(
      join(import.meta.dirname, "..", "..", "..", "docs", "decisions", "0010-damping-defaults.md"),
      "utf8",
    );
    const [, decided = ""] = /\*\*Decided\.\*\*([^]*?)\n\n/.exec(decision.replaceAll("`", "")) ?? [];
    const chosen = decided.replaceAll(/\s+/g, " ");
    expect(chosen).toContain(
      `Lease ${minutes("reservations.ttlMs")} min, growing to ${minutes("reservations.maxTtlMs")} min`,
    );
    expect(chosen).toContain(`grace ${minutes("reservations.graceMs")} min`);
    expect(chosen).toContain(`looking again at most every ${60 * minutes("commits.refreshEveryMs")} s`);
    expect(chosen).toContain(`taking over at most every ${60 * minutes("commits.syncEveryMs")} s`);
    expect(chosen).toContain(
      `every ${minutes("commits.batchEveryMs")} min while a project makes more than ${settings["commits.busyPerHour"]} commits an hour`,
    );
    const [row = ""] = /^\| steady \| none \|.*$/m.exec(decision) ?? [];
    const terms = { ...crowded, agents: [20], minutes: 60, seed: 1, rhythm: simulation.rhythms.steady! };
    const [measured] = (await simulation.simulate(terms, watching)).measurements;
    expect(row).toContain(`| ${measured!.commitsPerHour} | ${(100 * measured!.blockedShare).toFixed(1)} % |`);
  },
);

it("holds for a thousand agents [LOAD-1]", { timeout: 600_000 }, async () => {
  const slow = {
    ...simulation.rhythms.steady!,
    editsPerFile: 1,
    editEverySeconds: 40,
    filesPerCommit: 1,
    thinkShare: 0,
    heartbeatSeconds: 0,
  };
  const { measurements } = await simulation.simulate(
    { ...crowded, rhythm: slow, agents: [1_000], minutes: 1 },
    watching,
  );
  expect(measurements[0]!.commits).toBeGreaterThan(0);
});

it("stops when it is told to", limits, async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(simulation.simulate(crowded, { ...watching, signal })).rejects.toThrow("enough");
});
