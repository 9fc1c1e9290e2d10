/** The machine's clock jumps, or the daemon stands still for a while: no lease changes hands for it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/platform/clock/index.ts";
import { jsonOf } from "../flows/run-sylk.ts";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until } from "../flows/until.ts";
import type { Findings } from "./every-way.ts";

const hourMs = 3_600_000;
const clock = systemClock();

describe.concurrent("a wall clock that jumps", () => {
  it.each([hourMs, -hourMs])(
    "by %i ms changes no lease, no order, no kept answer; what it shows follows [CORE-19]",
    async (jump) => {
      await using daemon = await openJumping();
      const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
      const item = (await heron.client.call("work-item.create", { title: "Held" })).workItem.id;
      const claim = await heron.client.call("work-item.claim", { id: item });
      const hold = await heron.client.call("reservation.acquire", { paths: ["src/checkout.ts"] });
      const kept = { idempotencyKey: "before-the-jump" };
      const first = await heron.client.call("work-item.create", { title: "Once" }, kept);

      await daemon.jump(jump);
      await expect(otter.client.call("work-item.claim", { id: item })).rejects.toMatchObject({ code: "claim.taken" });
      await expect(otter.client.call("reservation.acquire", { paths: ["src/checkout.ts"] })).rejects.toMatchObject({
        code: "reservation.conflict",
      });
      const { items: held } = await heron.client.call("reservation.list", {});
      expect(held.map(({ id }) => id)).toEqual([hold.reservation.id]);
      expect(Math.abs(held[0]!.expiresAt - hold.reservation.expiresAt - jump)).toBeLessThan(60_000);
      const claimed = await heron.client.call("work-item.get", { id: item });
      expect(claimed.workItem).toMatchObject({ owner: { id: heron.agent.id } });
      const renewed = await heron.client.call("reservation.renew", { id: hold.reservation.id });
      expect(renewed.reservation.fencingToken).toBe(hold.reservation.fencingToken);
      expect(claim.lease.fencingToken).toBeGreaterThan(0);
      const agents = await heron.client.call("agent.list", {});
      expect(agents.items.filter(({ status }) => status !== "active")).toEqual([]);

      const again = await heron.client.call("work-item.create", { title: "Once" }, kept);
      expect(again.workItem.id).toBe(first.workItem.id);
      const later = (await heron.client.call("work-item.create", { title: "Later" })).workItem.id;
      expect(later > first.workItem.id, "ids grow").toBe(true);
      const { items: events } = await heron.client.call("event.list", { limit: 1000 });
      const sequences = events.map(({ sequence }) => sequence);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
      expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).sort());
      expect(events.at(-1)).toMatchObject({ type: "work-item.created", subject: later });

      // A start looks what has outlived its time: nothing has, though the clock says another hour.
      await daemon.kill();
      await daemon.restartJumped();
      const afterStart = await heron.client.call("event.list", { limit: 1000 });
      expect(afterStart.items.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      const third = await heron.client.call("work-item.create", { title: "Once" }, kept);
      expect(third.workItem.id).toBe(first.workItem.id);

      await daemon.jump(0);
      const back = await heron.client.call("reservation.list", {});
      expect(Math.abs(back.items[0]!.expiresAt - hold.reservation.expiresAt)).toBeLessThan(60_000);
      await heron.client.call("reservation.release", { id: hold.reservation.id });
      await otter.client.call("reservation.acquire", { paths: ["src/checkout.ts"] });
    },
  );

  type JumpingDaemon = ScratchDaemon & { jump(offsetMs: number): Promise<void>; restartJumped(): Promise<void> };

  async function openJumping(): Promise<JumpingDaemon> {
    const nodeOptions = ["--import", join(import.meta.dirname, "jumping-clock.ts")];
    const daemon = await openScratchDaemon({ nodeOptions });
    const file = join(daemon.paths.home, "wall-offset");
    return {
      ...daemon,
      restartJumped: () => daemon.restart({ nodeOptions }),
      async jump(offsetMs) {
        writeFileSync(file, String(offsetMs));
        process.kill(daemon.pid, "SIGUSR2");
        await until("the daemon's wall clock has jumped", async () => {
          const { workItem } = await daemon.user.call("work-item.create", { title: "What time is it?" });
          return Math.abs(workItem.createdAt - clock.now() - offsetMs) < 60_000;
        });
      },
    };
  }
});

describe.concurrent("a daemon that stands still", () => {
  it("is said not to answer, grants nothing, and takes no lease from anybody for its own silence [CORE-17, CORE-19]", async () => {
    const ttlMs = 4_000;
    await using daemon = await openScratchDaemon({
      env: { SYLK_RESERVATIONS_TTL_MS: String(ttlMs), SYLK_AGENTS_STALE_AFTER_MS: String(ttlMs) },
    });
    const [heron, otter] = [await daemon.register("heron"), await daemon.register("otter")];
    const { reservation } = await heron.client.call("reservation.acquire", { paths: ["src/checkout.ts"] });
    const stoppedAt = clock.monotonic();
    process.kill(daemon.pid, "SIGSTOP");
    try {
      const [reserve, status, doctor, down, up] = await Promise.all([
        daemon.sylk(["reserve", "src/checkout.ts", "--json"]),
        daemon.sylk(["status"]),
        daemon.sylk(["doctor", "--json"]),
        daemon.sylk(["down"]),
        daemon.sylk(["up"]),
      ]);
      expect([reserve.code, jsonOf(reserve)]).toMatchObject([
        7,
        {
          error: {
            code: "daemon.unreachable",
            message: `The Sylk daemon at ${daemon.paths.socket} does not answer (no answer within 5000 ms): it is suspended or overloaded, and it is unknown whether it carried out this call; "sylk doctor" says what to do`,
          },
        },
      ]);
      expect([status.code, status.stdout]).toEqual([7, expect.stringContaining("does not answer")]);
      for (const { code, stderr } of [down, up])
        expect([code, stderr]).toEqual([7, expect.stringContaining("does not answer")]);
      expect(doctor.code).toBe(7);
      expect(jsonOf<Findings>(doctor).findings).toContainEqual({
        check: "daemon",
        state: "problem",
        what: `the daemon (pid ${daemon.pid}) holds this home and does not answer (no answer within 5000 ms)`,
        fix: expect.stringContaining(`"kill -CONT ${daemon.pid}" if it was suspended`),
      });
    } finally {
      process.kill(daemon.pid, "SIGCONT");
    }
    expect(clock.monotonic() - stoppedAt, "longer than any lease").toBeGreaterThan(ttlMs + 1_000);

    const { items } = await otter.client.call("reservation.list", {});
    expect(items.map(({ id, holder }) => [id, holder.id])).toEqual([[reservation.id, heron.agent.id]]);
    await heron.client.call("reservation.renew", { id: reservation.id });
    const agents = await heron.client.call("agent.list", {});
    expect(agents.items.filter(({ name }) => name === "heron").map(({ status }) => status)).toEqual(["active"]);
    expect((await daemon.sylk(["status"])).code).toBe(0);
    // Awake, silence counts again.
    await until("the lease runs out", async () => {
      const { items: left } = await otter.client.call("reservation.list", {});
      return left.length === 0;
    });
  });
});
