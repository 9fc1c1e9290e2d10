/** A daemon under three hundred agents for a while: what they saw, and what became of its memory meanwhile. */
import { join } from "node:path";
import type { SoakResult } from "../load/soak-agents.ts";
import { upDaemon } from "./daemon.ts";
import { memoryOf } from "./process-usage.ts";
import { runChild } from "./run-child.ts";
import { homeWithStore, scratchFolder } from "./scratch-home.ts";

export type SoakTerms = {
  readonly agents: number;
  readonly seconds: number;
  readonly seed: number;
  readonly onSample?: (secondsSoFar: number, rssMb: number) => void;
};
export type SoakFigures = SoakResult & {
  readonly failed: number;
  readonly highestRssMb: number;
  /** Of the second half: the first holds V8's own growing. */
  readonly rssMbPerMinute: number;
  readonly rssSamples: readonly number[];
};

export async function runSoak({ agents, seconds, seed, onSample }: SoakTerms): Promise<SoakFigures> {
  using scratch = scratchFolder();
  const prepared = join(scratch.path, "prepared");
  const fleet = join(scratch.path, "fleet.json");
  await runChild("prepare-store", { home: prepared, fleet, agents, items: 100 + agents * Math.ceil(seconds / 60) });
  await using daemon = await upDaemon(homeWithStore(join(scratch.path, "home"), prepared));
  const rssSamples: number[] = [];
  const sampling = setInterval(() => {
    rssSamples.push(memoryOf(daemon.pid).rssMb);
    onSample?.(rssSamples.length, rssSamples.at(-1)!);
  }, 1000);
  try {
    const result = await runChild("soak-agents", {
      address: daemon.unix,
      fleet,
      userToken: daemon.userToken,
      project: join(prepared, "project"),
      seconds,
      seed,
    });
    const failed = Object.values(result.errors).reduce((sum, count) => sum + count, 0);
    const rssMbPerMinute = 60 * slopeOf(rssSamples.slice(Math.floor(rssSamples.length / 2)));
    return { ...result, failed, highestRssMb: Math.max(...rssSamples), rssMbPerMinute, rssSamples };
  } finally {
    clearInterval(sampling);
  }
}

/** Least squares, per step. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [over, under] = values.reduce<readonly [number, number]>(
    ([a, b], value, at) => [a + (at - middle) * (value - mean), b + (at - middle) ** 2],
    [0, 0],
  );
  return under === 0 ? 0 : over / under;
}
