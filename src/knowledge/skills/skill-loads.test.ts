import { expect, it } from "vitest";
import { loaderOf, loadOne, manySkills } from "../../../bench/load/skill-loads.ts";

it("loads by text the one that is called for among 200, within the budget, however often it is asked", () => {
  const loader = loaderOf(manySkills(200));
  for (let turn = 0; turn < 1_000; turn++) {
    const wanted = 1 + ((turn * 7) % 99);
    const before = loader.loaded().map(({ skill }) => skill.name);
    const expected = before.includes(`skill-${wanted}`) ? [] : [`skill-${wanted}`];
    expect(loadOne(loader, wanted)).toEqual(expected);
    const { used, max, skills, maxSkills } = loader.budget();
    expect(used <= max && skills <= maxSkills).toBe(true);
  }
});

it("reads each keyword once, not at every turn: a turn costs by the number of skills alone", () => {
  let reads = 0;
  const counted = manySkills(200).map(({ keywords, ...skill }) => ({
    ...skill,
    get keywords() {
      reads++;
      return keywords;
    },
  }));
  const loader = loaderOf(counted);
  const atFirst = reads;
  for (let turn = 0; turn < 50; turn++) loadOne(loader, turn);
  expect([atFirst > 0, reads]).toEqual([true, atFirst]);
});
