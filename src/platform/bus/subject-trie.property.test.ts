import fc from "fast-check";
import { expect, it } from "vitest";
import { createSubjectTrie } from "./subject-trie.ts";

/** Two words and five segments: most pairs of pattern and subject nearly fit, and many do. */
const subject = fc
  .array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join("."));
const pattern = fc
  .array(fc.constantFrom("a", "b", "*", "**"), { minLength: 1, maxLength: 5 })
  .map((segments) => segments.join("."));
const subscriber = fc.nat(3);
const step = fc.record({ leaves: fc.boolean(), pattern, subscriber, pick: fc.nat() });

type Entry = { readonly pattern: string; readonly subscriber: number };

/** The reference: try every length for `**`. Slow, and too simple to be wrong in the same way. */
function fits(wanted: readonly string[], given: readonly string[]): boolean {
  const [head, ...rest] = wanted;
  if (head === undefined) return given.length === 0;
  if (given.length === 0) return false;
  if (head === "**") return given.some((_, taken) => fits(rest, given.slice(taken + 1)));
  return (head === "*" || head === given[0]) && fits(rest, given.slice(1));
}

function expected(entries: readonly Entry[], asked: string): Set<number> {
  const found = entries.filter((entry) => fits(entry.pattern.split("."), asked.split(".")));
  return new Set(found.map((entry) => entry.subscriber));
}

it("finds whom a naive matcher finds, each once, after any history of arrivals and departures [BUS-16]", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30, size: "max" }),
      fc.array(subject, { minLength: 1, maxLength: 8 }),
      (steps, subjects) => {
        const trie = createSubjectTrie<number>();
        let entries: Entry[] = [];
        for (const { leaves, pick, ...arrival } of steps) {
          const leaver = entries[pick % (entries.length || 1)];
          if (leaves && leaver) {
            expect(trie.remove(leaver.pattern, leaver.subscriber)).toBe(true);
            entries = entries.filter((entry) => entry !== leaver);
          } else {
            const known = entries.some(
              (entry) => entry.pattern === arrival.pattern && entry.subscriber === arrival.subscriber,
            );
            expect(trie.add(arrival.pattern, arrival.subscriber)).toBe(!known);
            if (!known) entries.push(arrival);
          }
        }
        for (const asked of subjects) expect(trie.match(asked).subscribers).toEqual(expected(entries, asked));
      },
    ),
    { numRuns: 400 },
  );
});

it("holds exactly the nodes its patterns need, and none once all have left, in whatever order", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(pattern, { maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 12 }),
      (patterns, picks) => {
        const trie = createSubjectTrie<string>();
        for (const each of patterns) trie.add(each, "otter");
        const left = [...patterns];
        for (let turn = 0; left.length > 0; turn++) {
          expect(trie.nodeCount).toBe(distinctPrefixes(left));
          const [gone] = left.splice((picks[turn] ?? 0) % left.length, 1);
          trie.remove(gone as string, "otter");
        }
        expect(trie.nodeCount).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});

function distinctPrefixes(patterns: readonly string[]): number {
  const prefixes = patterns.flatMap((each) =>
    each.split(".").map((_, at, segments) => segments.slice(0, at + 1).join(".")),
  );
  return new Set(prefixes).size;
}
