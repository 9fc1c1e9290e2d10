import { expect, it } from "vitest";
import { manualClock } from "../../platform/clock/index.ts";
import { createVersionQueue } from "./version-queue.ts";

it("writes what hooks add without a pause after 50 ms at most, and what one adds alone after 15", async () => {
  const { clock, queue, batches } = opened();
  for (let index = 0; index < 5; index++) {
    queue.add(index);
    await advance(clock, 10);
    expect(batches).toEqual(index < 4 ? [] : [[0, 1, 2, 3, 4]]);
  }
  queue.add(5);
  await advance(clock, 14);
  expect(batches).toHaveLength(1);
  await advance(clock, 1);
  expect(batches[1]).toEqual([5]);
});

it("runs work alone although what waits cannot be written, and writes none of what was dropped", async () => {
  const { clock, queue, batches, failures, disk } = opened();
  disk.isFull = true;
  queue.add(1);
  queue.add(2);
  await queue.alone(async () => queue.drop((item) => item === 1));
  expect(failures).toHaveLength(1);
  disk.isFull = false;
  await advance(clock, 15);
  expect(batches).toEqual([[2]]);
});

function opened() {
  const clock = manualClock();
  const batches: (readonly number[])[] = [];
  const failures: unknown[] = [];
  const disk = { isFull: false };
  const queue = createVersionQueue<number>({
    clock,
    async write(batch) {
      if (disk.isFull) throw new Error("no space left on device");
      batches.push(batch);
    },
    sizeOf: () => 1,
    onFailed: (error) => void failures.push(error),
  });
  return { clock, queue, batches, failures, disk };
}

/** A batch that the clock begins is written when this resolves. */
async function advance(clock: ReturnType<typeof manualClock>, ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise((resolve) => setImmediate(resolve));
}
