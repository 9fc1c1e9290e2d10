/** A merge writes files of its tree; the tree watch must not take those writes for an agent's. */
import type { Merger } from "./ports.ts";

/** `merging` is told of each merge into a working tree, and by the function it returns of its end. */
export function reportMerges(merger: Merger, merging: (tree: string) => () => void): Merger {
  return {
    ...merger,
    async merge(place, terms) {
      const ended = place.tree === undefined ? undefined : merging(place.tree);
      try {
        return await merger.merge(place, terms);
      } finally {
        ended?.();
      }
    },
  };
}
