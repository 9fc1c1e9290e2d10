import fc from "fast-check";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { fileSink } from "./file-sink.ts";
import { follow, readTail } from "./read-log.ts";
import { scratchFolder } from "./testkit.ts";

it("gives back every line once and in order, however writing, rotating and polling interleave", () => {
  const burst = fc.record({ lines: fc.array(fc.nat(40), { maxLength: 6 }), poll: fc.boolean(), tail: fc.nat(12) });
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 120 }), fc.array(burst, { maxLength: 6 }), (maxBytes, bursts) => {
      using folder = scratchFolder();
      const clock = manualClock();
      const stop = new AbortController();
      const sink = fileSink({ dir: folder.path, maxBytes, keep: 20, clock });
      const written: string[] = [];
      const seen: string[] = [];
      void follow(folder.path, (line) => seen.push(line), stop.signal, { clock });
      for (const { lines, poll, tail } of bursts) {
        for (const length of lines) {
          written.push(`${written.length}:${"x".repeat(length)}`);
          sink.write(written.at(-1) ?? "");
        }
        if (poll) clock.advance(200);
        // the rotation keeps 20 files of at least one line each
        expect(readTail(folder.path, tail)).toEqual(tail === 0 ? [] : written.slice(-tail));
      }
      if (written.length <= 20) {
        clock.advance(200);
        expect(seen).toEqual(written);
      }
      stop.abort();
      sink.close();
    }),
    { numRuns: 60 },
  );
});
