/** What a conflict check costs among very many live reservations, beside comparing with each of them. */
import { join } from "node:path";
import type { Bench, Figure } from "../bench.ts";
import type { ConflictChecks } from "../load/conflict-checks.ts";
import { runChild } from "../processes/run-child.ts";
import { homeWithStore, scratchFolder } from "../processes/scratch-home.ts";
import { median, percentile, ratios } from "../statistics.ts";

const reservations = 50_000;
const agents = 1_300;
const rounds = 3;
const calls = { warmUp: 500, measured: 2_000, scans: 40 };
const mostP99Ms = 1;

export const conflicts: Bench = {
  name: "reservations",
  method: `${reservations.toLocaleString("en")} live reservations of ${(agents - 1).toLocaleString("en")} agents in one tree, every tenth a glob; the engine in a process of its own, without a surface, asked for one path after the other: ${calls.measured.toLocaleString("en")} times each (after ${calls.warmUp} to warm up), ${rounds} rounds. Beside it a scan that compares with all of them, compiled and in memory, ${calls.scans} times.`,
  async run() {
    using scratch = scratchFolder();
    const fleet = join(scratch.path, "fleet.json");
    const prepared = join(scratch.path, "prepared");
    await runChild("prepare-store", { home: prepared, fleet, agents, items: 10 });
    await runChild("prepare-reservations", { home: prepared, fleet, reservations });
    const results: ConflictChecks[] = [];
    for (let round = 0; round < rounds; round++) {
      const home = homeWithStore(join(scratch.path, "home"), prepared);
      results.push(await runChild("conflict-checks", { home, fleet, reservations, ...calls }));
    }
    const scan = { what: "pairwise scan, p50", value: p50(results, "scan"), unit: "ms" } as const;
    const perRound = ratios(
      results.map((result) => percentile(result.scan, 50)),
      results.map((result) => percentile(result.taken, 50)),
    );
    return [
      ...figuresOf("check, the path is held", "taken"),
      ...figuresOf("check, a glob holds it", "glob"),
      ...figuresOf("check, a free path", "free"),
      ...figuresOf("reserve, refused", "refused"),
      { what: "pairwise scan / check, p50", value: median(perRound), unit: "x", rounds: perRound },
    ];

    function figuresOf(what: string, kind: keyof ConflictChecks): readonly Figure[] {
      return [50, 99].map((percent): Figure => {
        const value = percentile(
          results.flatMap((result) => result[kind]),
          percent,
        );
        return {
          what: `p${percent}, ${what}`,
          value,
          unit: "ms",
          rounds: results.map((result) => percentile(result[kind], percent)),
          floor: scan,
          ...(percent === 99 ? { target: { text: `< ${mostP99Ms} ms`, met: value < mostP99Ms } } : {}),
        };
      });
    }
  },
};

function p50(results: readonly ConflictChecks[], kind: keyof ConflictChecks): number {
  return percentile(
    results.flatMap((result) => result[kind]),
    50,
  );
}
