import { describe, expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { createPool } from "./pool.ts";
import { takeSlot } from "./slot.ts";

const job = (group: string) => ({ group, kind: "engineer", lane: "normal" }) as const;

describe("a slot", () => {
  it("is held until it is freed, and the next in line gets it [POOL-10]", async () => {
    const pool = createPool({ clock: manualClock(), limits: { all: 1, perGroup: 1 } });
    const [first, second] = [takeSlot(pool, job("a")), takeSlot(pool, job("b"))];
    await first.granted;
    expect(pool.metrics()).toMatchObject({ running: 1, waiting: 1 });
    first.free();
    first.free();
    await second.granted;
    second.free();
    await expect.poll(() => pool.metrics().running).toBe(0);
    expect(pool.metrics().groups).toMatchObject({ a: { finished: 1, failed: 0 }, b: { finished: 1, failed: 0 } });
  });

  it("that is not wanted any more leaves the line; one of a closed group or pool is taken back", async () => {
    const clock = manualClock();
    const pool = createPool({ clock, limits: { all: 1, perGroup: 1 } });
    const [held, waiting] = [takeSlot(pool, job("a")), takeSlot(pool, job("b"))];
    await held.granted;
    waiting.free();
    await expect(waiting.granted).rejects.toThrow("no longer wanted");
    expect(pool.metrics().waiting).toBe(0);
    pool.closeGroup("a");
    await expect.poll(() => pool.metrics().running).toBe(0);
    pool.close();
    await expect(takeSlot(pool, job("c")).granted).rejects.toThrow("closed");
    expect(clock.pendingTimers()).toBe(0);
  });

  it("is given to as many of a kind in one group as may be, and the others go on [POOL-11, SM-30]", async () => {
    const limits = { all: 10, perGroup: 10, perKindInGroup: { engineer: 2 } };
    const pool = createPool({ clock: manualClock(), limits });
    const slots = ["a", "a", "a", "b"].map((group) => takeSlot(pool, job(group)));
    takeSlot(pool, { group: "a", kind: "tester", lane: "low" });
    await Promise.all([slots[0]!.granted, slots[1]!.granted, slots[3]!.granted]);
    expect(pool.metrics().groups).toMatchObject({ a: { running: 3, waiting: 1 }, b: { running: 1, waiting: 0 } });
    slots[0]!.free();
    await slots[2]!.granted;
  });
});
