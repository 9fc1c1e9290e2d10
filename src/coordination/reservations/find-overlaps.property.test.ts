/** The index finds exactly what comparing every pair finds. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput } from "../../contract/index.ts";
import { overlap } from "../globs/index.ts";
import { scratchPorts } from "../testkit.ts";
import { acquireReservation } from "./acquire-reservation.ts";
import { compileInput, compileStored } from "./covered-paths.ts";
import { findOverlaps } from "./find-overlaps.ts";

const segment = fc.constantFrom("src", "a", "b", "é", "0", "a.ts", "srcs", "[id]");
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const wild = fc.constantFrom("*", "**", "a*", "?", "{a,src}", "[ab]", "\\[id\\]", "*.ts");
const pattern = fc
  .array(fc.oneof({ weight: 2, arbitrary: segment.filter((text) => text !== "[id]") }, wild), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join("/"));
const covered = fc
  .record({ paths: fc.array(path, { maxLength: 2 }), patterns: fc.array(pattern, { maxLength: 2 }) })
  .filter(({ paths, patterns }) => paths.length + patterns.length > 0);

it("finds every live reservation that overlaps, and none besides [RSV-2]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(covered, { minLength: 1, maxLength: 12 }), covered, async (held, wanted) => {
      using ports = scratchPorts({ maxPerAgent: 1_000 });
      const heron = await ports.caller("heron");
      const records = [];
      for (const terms of held) {
        const input = parseInput(operations["reservation.acquire"], { ...terms, mode: "shared" });
        const { reservation } = await acquireReservation(input, heron, ports);
        records.push((await ports.store.reader.reservations.find(reservation.id))!);
      }
      const asked = compileInput(wanted, heron.caller.tree);
      const found = new Set<string>();
      for await (const { record } of findOverlaps(heron.caller.project.id, asked, ports.store.reader.reservations))
        found.add(record.id);
      const expected = (await ports.store.reader.reservations.live(heron.caller.project.id)).filter((record) =>
        compileStored(record).some((one) => asked.some((other) => overlap(one, other) !== undefined)),
      );
      expect(records.length).toBe(held.length);
      expect([...found].sort()).toEqual(expected.map(({ id }) => id).sort());
    }),
    { numRuns: 150 },
  );
});
