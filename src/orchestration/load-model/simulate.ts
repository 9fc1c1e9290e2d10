/** The load model as a whole: every count for itself, then what they say together. */
import type { Measurement, SimulationReport, SimulationTerms } from "../../contract/index.ts";
import { findTipping } from "./find-tipping.ts";
import { simulateCount } from "./run-simulation.ts";
import type { OpenWorld } from "./world.ts";

export type Watching = {
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
};

export async function simulate(
  terms: SimulationTerms,
  openWorld: OpenWorld,
  watching: Watching = {},
): Promise<SimulationReport> {
  const measurements: Measurement[] = [];
  const all = terms.agents.reduce((sum, agents) => sum + agents, 0);
  let done = 0;
  for (const agents of terms.agents) {
    const onProgress = (share: number): void => watching.onProgress?.((done + share * agents) / all);
    measurements.push(await simulateCount({ ...terms, ...watching, agents, onProgress }, openWorld));
    done += agents;
  }
  return { terms, measurements, tipping: findTipping(measurements) };
}
