/** Each damping rule switched off for itself, beside all of them on: the same seed, so that only the rule differs. */
import { dampingRules, type Comparison, type SimulationTerms } from "../../contract/index.ts";
import { simulate, type Watching } from "./simulate.ts";
import type { OpenWorld } from "./world.ts";

export async function compareRules(
  terms: SimulationTerms,
  openWorld: OpenWorld,
  watching: Watching = {},
): Promise<Comparison> {
  const variants = [undefined, ...dampingRules.filter((rule) => !terms.off.includes(rule))];
  const rows: Comparison["rows"][number][] = [];
  for (const [index, off] of variants.entries()) {
    const onProgress = (share: number): void => watching.onProgress?.((index + share) / variants.length);
    const changed = { ...terms, off: [...terms.off, ...(off === undefined ? [] : [off])] };
    const { measurements } = await simulate(changed, openWorld, { ...watching, onProgress });
    rows.push({ off, measurements });
  }
  return { terms, rows };
}
