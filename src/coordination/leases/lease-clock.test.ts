import { describe, expect, it } from "vitest";
import type { AgentId, ReservationId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createLeaseClock, type Lease, type LeaseRules } from "./lease-clock.ts";

const minuteMs = 60_000;
const lease: Lease = { id: "rsv" as ReservationId, ttlMs: 5 * minuteMs, holder: { id: "agt" as AgentId } };
const rules: LeaseRules = {
  maxTtlMs: 30 * minuteMs,
  graceMs: 2 * minuteMs,
  contestedMaxMs: 15 * minuteMs,
  signsOfLifeRenew: true,
};

function world(changed: Partial<LeaseRules> = {}) {
  const clock = manualClock();
  let heardAt = clock.monotonic();
  const leases = createLeaseClock({
    clock,
    liveness: { silenceMs: () => clock.monotonic() - heardAt },
    rules: { ...rules, ...changed },
  });
  return {
    clock,
    leases,
    /** Advances; the holder is heard of before and after. */
    alive(ms: number) {
      clock.advance(ms);
      heardAt = clock.monotonic();
    },
  };
}

describe("an uncontested hold", () => {
  it("runs out after its time limit, to the millisecond [RSV-7]", () => {
    const { clock, leases } = world();
    clock.advance(123);
    leases.grant(lease);
    clock.advance(lease.ttlMs - 1);
    expect([leases.leftMs(lease), leases.isLive(lease)]).toEqual([1, true]);
    clock.advance(1);
    expect([leases.leftMs(lease), leases.isLive(lease)]).toEqual([0, false]);
  });

  it("lasts as long again as its holder has been editing, thirty minutes at the most [RSV-7]", () => {
    const { clock, leases } = world();
    leases.grant(lease);
    for (let minute = 0; minute < 12; minute++) {
      clock.advance(minuteMs);
      leases.edit(lease);
    }
    expect(leases.leftMs(lease)).toBe(12 * minuteMs);
    for (let minute = 0; minute < 50; minute++) {
      clock.advance(minuteMs);
      leases.edit(lease);
    }
    expect(leases.leftMs(lease)).toBe(30 * minuteMs);
  });

  it("is kept by any sign of life of its holder [RSV-14]", () => {
    const { alive, leases, clock } = world();
    leases.grant(lease);
    for (let minute = 0; minute < 60; minute++) alive(minuteMs);
    expect(leases.isLive(lease)).toBe(true);
    clock.advance(lease.ttlMs);
    expect(leases.isLive(lease)).toBe(false);
  });

  it("of an earlier life has one full time limit from the start: downtime is no silence", () => {
    const { clock, leases } = world();
    expect(leases.leftMs(lease)).toBe(lease.ttlMs);
    clock.advance(lease.ttlMs);
    expect(leases.isLive(lease)).toBe(false);
  });

  it("is forgotten when it was given back", () => {
    const { clock, leases } = world();
    clock.advance(lease.ttlMs);
    leases.grant(lease);
    leases.end(lease.id);
    expect([leases.isLive(lease), leases.graceLeftMs({ ...lease, endedAt: 1 })]).toEqual([false, 0]);
  });

  it.each([3_600_000, -3_600_000])("neither ends nor stays when the wall clock jumps by %i ms [CORE-19]", (jump) => {
    const { clock, leases } = world();
    leases.grant(lease);
    clock.jumpWall(jump);
    expect(leases.leftMs(lease)).toBe(lease.ttlMs);
    expect(leases.expiresAt(lease)).toBe(clock.now() + lease.ttlMs);
  });
});

describe("a contested hold", () => {
  it("is kept by edits alone, and fifteen minutes at the most [RSV-14, RSV-15]", () => {
    const { alive, leases } = world();
    leases.grant(lease);
    leases.contest(lease, 60 * minuteMs);
    alive(4 * minuteMs);
    expect(leases.leftMs(lease)).toBe(minuteMs);
    for (let minute = 4; minute < 14; minute++) {
      leases.edit(lease);
      alive(minuteMs);
    }
    expect(leases.leftMs(lease)).toBe(minuteMs);
    leases.edit(lease);
    alive(minuteMs);
    expect(leases.isLive(lease)).toBe(false);
  });

  it("that only signs of life kept is over as soon as another agent waits [RSV-14]", () => {
    const { alive, leases } = world();
    leases.grant(lease);
    alive(6 * minuteMs);
    expect(leases.isLive(lease)).toBe(true);
    leases.contest(lease, minuteMs);
    expect(leases.isLive(lease)).toBe(false);
  });

  it("is no longer contested when no agent waits any more, and the next wait counts anew [RSV-15]", () => {
    const { alive, leases } = world();
    leases.grant(lease);
    leases.contest(lease, minuteMs);
    for (let minute = 0; minute < 20; minute++) {
      alive(minuteMs);
      leases.edit(lease);
    }
    expect(leases.leftMs(lease)).toBe(20 * minuteMs);
    leases.contest(lease, minuteMs);
    expect(leases.leftMs(lease)).toBe(15 * minuteMs);
  });

  it("in the scenario of ten minutes' editing and seven minutes' thinking is lost at most once [RSV-14]", () => {
    for (let waits = 0; waits <= 17; waits++) {
      const { alive, leases } = world();
      leases.grant(lease);
      let lost = 0;
      for (let minute = 0; minute < 30; minute++) {
        if (minute === waits) leases.contest(lease, 60 * minuteMs);
        if (!leases.isLive(lease)) {
          lost++;
          break; // from here on it belongs to the one who waited
        }
        if (minute < 10 || minute >= 17) leases.edit(lease);
        alive(minuteMs);
      }
      expect(lost, `somebody waits from minute ${waits}`).toBeLessThanOrEqual(1);
    }
    const { alive, leases } = world();
    leases.grant(lease);
    for (let minute = 0; minute < 30; minute++) {
      expect(leases.isLive(lease)).toBe(true);
      if (minute < 10 || minute >= 17) leases.edit(lease);
      alive(minuteMs);
    }
  });
});

describe("grace", () => {
  it("is two minutes after a hold ran out, whether or not it was swept [RSV-8]", () => {
    for (const swept of [true, false]) {
      const { clock, leases } = world();
      leases.grant(lease);
      clock.advance(lease.ttlMs + minuteMs);
      if (swept) leases.lapse(lease);
      const over = swept ? { ...lease, endedAt: clock.now() } : lease;
      expect(leases.graceLeftMs(over)).toBe(minuteMs);
      clock.advance(minuteMs);
      expect(leases.graceLeftMs(over)).toBe(0);
    }
  });

  it("is not kept for ever [RSV-8]", () => {
    const { clock, leases } = world();
    for (let round = 0; round < 3; round++) {
      const other = { ...lease, id: `rsv_${round}` as ReservationId };
      leases.grant(other);
      clock.advance(lease.ttlMs);
      leases.lapse(other);
    }
    clock.advance(3 * minuteMs);
    leases.lapse(lease);
    expect(leases.graceLeftMs({ ...lease, id: "rsv_2" as ReservationId, endedAt: 1 })).toBe(0);
  });
});

it("each rule can be switched off", () => {
  const plain = world({ maxTtlMs: 0, graceMs: 0, signsOfLifeRenew: false });
  plain.leases.grant(lease);
  for (let minute = 0; minute < 12; minute++) {
    plain.alive(minuteMs);
    plain.leases.edit(lease);
  }
  expect(plain.leases.leftMs(lease)).toBe(lease.ttlMs);
  plain.alive(lease.ttlMs);
  expect([plain.leases.isLive(lease), plain.leases.graceLeftMs(lease)]).toEqual([false, 0]);
});
