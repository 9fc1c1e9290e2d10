/** What it costs to load a skill by the text of a conversation, and by its name, among many. */
import type { Bench, Figure } from "../bench.ts";
import { loaderOf, loadOne, manySkills } from "../load/skill-loads.ts";
import { percentile } from "../statistics.ts";

const count = 200;
const turns = 20_000;
const warmUp = 2_000;
const mostMicroseconds = 1_000;

export const skills: Bench = {
  name: "skills",
  method: `${count} skills of three keywords each in one agent's loader with the budget of a real one, so that most loads unload others; ${turns.toLocaleString("en")} turns with a request of 400 characters, each calling for another skill, then as many loads by name. The floor looks the name up in a Map.`,
  async run() {
    const known = manySkills(count);
    const loader = loaderOf(known);
    const map = new Map(known.map((skill) => [skill.name, skill]));
    const domain = known.filter(({ tier }) => tier === "domain");
    const nameAt = (turn: number): string => domain[(turn * 7) % domain.length]!.name;
    let found = 0;
    const floor = timed((turn) => void (found += map.get(nameAt(turn)) === undefined ? 0 : 1));
    const byText = timed((turn) => void (found += loadOne(loader, Number(nameAt(turn).slice(6))).length));
    const byName = timed((turn) => void (found += loader.request(nameAt(turn)).uses));
    if (found === 0) throw new Error("nothing was loaded, so nothing was measured");
    const bare = { what: "Map look-up, p99", value: percentile(floor, 99), unit: "µs" } as const;
    return [figure("load by a text, p99", byText, bare), figure("load by name, p99", byName, bare)];
  },
};

function timed(act: (turn: number) => void): readonly number[] {
  const times: number[] = [];
  for (let turn = 0; turn < warmUp + turns; turn++) {
    const start = performance.now();
    act(turn);
    if (turn >= warmUp) times.push((performance.now() - start) * 1_000);
  }
  return times;
}

function figure(what: string, times: readonly number[], floor: Figure["floor"]): Figure {
  const value = percentile(times, 99);
  const target = { text: "< 1,000 µs (asked: 50 ms)", met: value < mostMicroseconds };
  return { what, value, unit: "µs", rounds: [], ...(floor === undefined ? {} : { floor }), target };
}
