import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createKeyedQueue } from "./keyed-queue.ts";

const pieces = fc.array(fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 4 }), { maxLength: 12 });

/** Ends running pieces in an order that is chosen by chance, until all are done. */
async function playOut(wanted: readonly (readonly string[])[], choose: () => number) {
  const turns = createKeyedQueue();
  const running = new Map<number, () => void>();
  const started: number[] = [];
  let overlapped = false;
  const done = wanted.map((names, piece) =>
    turns(names, async () => {
      overlapped ||= [...running.keys()].some((other) => wanted[other]!.some((name) => names.includes(name)));
      started.push(piece);
      await new Promise<void>((resolve) => running.set(piece, resolve));
    }),
  );
  const all = Promise.all(done);
  let most = 0;
  for (let ended = 0; ended < wanted.length; ended++) {
    for (let ticks = 0; ticks < 20; ticks++) await Promise.resolve();
    most = Math.max(most, running.size);
    const [piece, end] = [...running][choose() % Math.max(1, running.size)] ?? [];
    if (piece === undefined) return { stuck: true, overlapped, started, most };
    running.delete(piece);
    end!();
  }
  await all;
  return { stuck: false, overlapped, started, most };
}

it("no job waits in a circle, nothing that overlaps runs at once, and of two the older goes first [GIT-5]", async () => {
  await fc.assert(
    fc.asyncProperty(pieces, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), async (wanted, choices) => {
      let at = 0;
      const { stuck, overlapped, started } = await playOut(wanted, () => choices[at++ % choices.length]!);
      expect([stuck, overlapped]).toEqual([false, false]);
      for (const [order, later] of started.entries())
        for (const earlier of started.slice(order + 1))
          if (wanted[earlier]!.some((name) => wanted[later]!.includes(name))) expect(later).toBeLessThan(earlier);
    }),
  );
});

it("disjoint work continues at once, and a failure lets the next one in [GIT-5]", async () => {
  expect(await playOut([["a"], ["b"], ["c", "d"]], () => 0)).toMatchObject({ most: 3 });
  const turns = createKeyedQueue();
  const failed = turns(["a"], () => Promise.reject(new Error("refused")));
  const next = turns(["a"], async () => "done");
  await expect(failed).rejects.toThrow("refused");
  expect(await next).toBe("done");
});
