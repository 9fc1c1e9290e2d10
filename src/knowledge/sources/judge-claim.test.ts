import { expect, it } from "vitest";
import { judgeClaim } from "./judge-claim.ts";

const source = [
  "# Store",
  "",
  "The daemon flushes the journal every 200 ms. Redis keeps at most 5 replicas in Frankfurt.",
  "Readers do not block writers. If the disk is full, the store refuses changes.",
  "It is a myth that indexes slow down every query. The cache may return stale values.",
  "Retries increase the load and decrease the throughput. The switch turns the sync off.",
  "On 3 March 2024 the team shipped version 2.1.",
].join("\n");
const kindOf = (claim: string) => judgeClaim(claim, source).kind;

it.each([
  ["“Readers do not block writers.”", "quoted"],
  ['The source states "Readers do not block writers".', "quoted"],
  ["“Readers do not\n  block writers.”", "quoted"],
  ["The daemon flushes the journal every 200 ms", "supported"],
  ["The daemon flushes the journal every 200 milliseconds.", "supported"],
  ["Readers do not block writers", "supported"],
  ["On 3 March 2024 the team shipped version 2.1", "supported"],
  // Quotations that are not there.
  ["“Readers never block writers.”", "unsupported"],
  ["“Readers do … block writers.”", "unsupported"],
  ["“The daemon … refuses changes.”", "unsupported"],
  ["“eaders do not block”", "unsupported"],
  ["“at most 5 replica”", "unsupported"],
  ["“version 2”", "unsupported"],
  ["“.”", "unsupported"],
  ["‘Readers never block writers’", "unsupported"],
  ["“Readers do not block writers” is false", "unsupported"],
  // What is read is not what was compared.
  ["Readers do not block \u202ewriters", "unsupported"],
  ["Readers do not\u200b block writers", "unsupported"],
  ["“Readers do not\u00ad block writers.”", "unsupported"],
  ["Readers do not block writ\u0435rs", "unsupported"],
  ['The daemon "writes" the journal every 200 ms', "unsupported"],
  // Numbers, units, names, dates.
  ["The daemon flushes the journal every 300 ms", "unsupported"],
  ["The daemon flushes the journal every 200 s", "unsupported"],
  ["Postgres keeps at most 5 replicas in Frankfurt", "unsupported"],
  ["Redis keeps at most 5 replicas in Dublin", "unsupported"],
  ["On 4 March 2024 the team shipped version 2.1", "unsupported"],
  ["On 3 April 2024 the team shipped version 2.1", "unsupported"],
  // Negations, frames, conditions, opposites, order.
  ["Readers block writers", "unsupported"],
  ["The daemon does not flush the journal every 200 ms", "unsupported"],
  ["Indexes slow down every query", "unsupported"],
  ["The store refuses changes", "unsupported"],
  ["The cache returns stale values", "unsupported"],
  ["Redis keeps 5 replicas in Frankfurt", "unsupported"],
  ["Retries decrease the load", "unsupported"],
  ["The switch turns the sync on", "unsupported"],
  ["Writers do not block readers", "unsupported"],
  ["Values are stale in the cache", "unsupported"],
  // A word of its own, or one left out that narrows it.
  ["The team shipped version 2.1 on 3 March 2024", "unsupported"],
  ["March 2024 the team shipped version 2.1", "unsupported"],
  ["The daemon safely flushes the journal every 200 ms", "unsupported"],
  ["", "unsupported"],
])("%j is %s", (claim, kind) => expect(kindOf(claim)).toBe(kind));

it("says why, and shows the sentence that supports it", () => {
  expect(judgeClaim("The daemon flushes the journal every 300 ms", source).reason).toBe(
    "the source does not have the number 300 ms",
  );
  expect(judgeClaim("Redis keeps at most 5 replicas in Dublin", source).reason).toContain("the name Dublin");
  expect(judgeClaim("Redis keeps at most 5 replicas", source).reason).toBe('the source adds "in Frankfurt"');
  expect(judgeClaim("Indexes slow down every query \u202e", source).reason).toBe("it has characters that are not seen");
  expect(judgeClaim("Readers block writers", source).reason).toBe("the source denies it");
  expect(judgeClaim("The daemon flushes the journal", source)).toEqual({
    kind: "supported",
    evidence: "The daemon flushes the journal every 200 ms.",
  });
});
