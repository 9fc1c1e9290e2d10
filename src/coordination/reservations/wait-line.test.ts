import { describe, expect, it } from "vitest";
import { operations, parseInput, type DomainError, type RawInputOf } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import {
  minuteMs,
  repository,
  scratchPorts,
  settled,
  worktree,
  type AgentCall,
  type ScratchPorts,
} from "../testkit.ts";
import { acquireReservation, checkPaths, releaseReservation, renewReservation, waitForEnd } from "./index.ts";

type Wanted = RawInputOf<"reservation.acquire">;

function ask(call: AgentCall, ports: ScratchPorts, wanted: Wanted, signal?: AbortSignal) {
  const input = parseInput(operations["reservation.acquire"], wanted);
  const answer = acquireReservation(input, { ...call, signal }, ports);
  const told = { outcome: "waits" as string };
  answer.then(
    ({ reservation }) => (told.outcome = reservation.holder.name),
    (error: unknown) => (told.outcome = (error as DomainError).code),
  );
  return { answer, told };
}
async function hold(call: AgentCall, ports: ScratchPorts, wanted: Wanted) {
  return (await ask(call, ports, wanted).answer).reservation;
}
async function pass(ports: ScratchPorts, ms: number): Promise<void> {
  await settled();
  ports.clock.advance(ms);
  await settled();
}
async function callers(ports: ScratchPorts, ...names: readonly string[]): Promise<readonly AgentCall[]> {
  return Promise.all(names.map((name) => ports.caller(name)));
}

describe("waiting", () => {
  it("is first come, first served, and the next is woken by the release itself [RSV-5]", async () => {
    using ports = scratchPorts();
    const [heron, otter, lynx] = await callers(ports, "heron", "otter", "lynx");
    const held = await hold(heron!, ports, { paths: ["a.ts"] });
    const first = ask(otter!, ports, { paths: ["a.ts"], waitMs: minuteMs });
    const second = ask(lynx!, ports, { patterns: ["*.ts"], waitMs: minuteMs });
    await settled();
    expect([first.told.outcome, second.told.outcome]).toEqual(["waits", "waits"]);
    await releaseReservation(held.id, heron!, ports);
    await settled();
    expect([first.told.outcome, second.told.outcome]).toEqual(["otter", "waits"]);
    const { reservation } = await first.answer;
    await releaseReservation(reservation.id, otter!, ports);
    await settled();
    expect(second.told.outcome).toBe("lynx");
    const acquired = (await ports.events()).filter(({ type }) => type === "reservation.acquired");
    expect(acquired.map(({ data }) => "waitedMs" in data)).toEqual([false, true, true]);
  });

  it("is a sign of life: who waits quietly for ten minutes is not taken for gone [RSV-5]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = await callers(ports, "heron", "otter");
    const held = await hold(heron!, ports, { paths: ["a.ts"] });
    const waiting = ask(otter!, ports, { paths: ["a.ts"], waitMs: 10 * minuteMs });
    for (let halfMinutes = 0; halfMinutes < 18; halfMinutes++) {
      await pass(ports, minuteMs / 2);
      ports.hear(heron!);
      await renewReservation({ id: held.id, changed: true }, heron!, ports);
      expect(ports.liveness.silenceMs(otter!.caller.agent.id)).toBeLessThan(minuteMs);
    }
    await releaseReservation(held.id, heron!, ports);
    await waiting.answer;
    expect(waiting.told.outcome).toBe("otter");
  });

  it("is not overtaken by an agent that comes when the path is free for a moment [RSV-5]", async () => {
    using ports = scratchPorts();
    const [heron, otter, lynx] = await callers(ports, "heron", "otter", "lynx");
    const [a, b] = [await hold(heron!, ports, { paths: ["a.ts"] }), await hold(lynx!, ports, { paths: ["b.ts"] })];
    const both = ask(otter!, ports, { paths: ["a.ts", "b.ts"], waitMs: minuteMs });
    await settled();
    await releaseReservation(a.id, heron!, ports);
    await settled();
    const newcomer = ask(heron!, ports, { paths: ["a.ts"] });
    await expect(newcomer.answer).rejects.toMatchObject({
      code: "reservation.conflict",
      message: expect.stringContaining("otter already waits for it"),
    });
    expect(await hold(heron!, ports, { paths: ["c.ts"] })).toMatchObject({ holder: { name: "heron" } });
    await releaseReservation(b.id, lynx!, ports);
    await settled();
    expect(both.told.outcome).toBe("otter");
  });

  it("ends with its deadline and the conflict, and leaves the line to the next [RSV-5]", async () => {
    using ports = scratchPorts();
    const [heron, otter, lynx] = await callers(ports, "heron", "otter", "lynx");
    const held = await hold(heron!, ports, { paths: ["a.ts"], ttlMs: 10 * minuteMs });
    const short = ask(otter!, ports, { paths: ["a.ts"], waitMs: 5_000 });
    const long = ask(lynx!, ports, { paths: ["a.ts"], waitMs: minuteMs });
    await pass(ports, 4_999);
    expect(short.told.outcome).toBe("waits");
    await pass(ports, 1);
    expect([short.told.outcome, long.told.outcome]).toEqual(["reservation.conflict", "waits"]);
    expect(ports.line.length).toBe(1);
    await releaseReservation(held.id, heron!, ports);
    await settled();
    expect([long.told.outcome, ports.line.length]).toEqual(["lynx", 0]);
  });

  it.each(["its request is given up", "it ends", "nobody hears of it"])(
    "is over for a waiter when %s; the one behind it moves up [RSV-5]",
    async (how) => {
      using ports = scratchPorts();
      const [heron, otter, lynx] = await callers(ports, "heron", "otter", "lynx");
      const held = await hold(heron!, ports, { paths: ["a.ts"], ttlMs: 20 * minuteMs });
      const given = new AbortController();
      const dying = ask(otter!, ports, { paths: ["a.ts"], waitMs: 10 * minuteMs }, given.signal);
      const behind = ask(lynx!, ports, { paths: ["a.ts"], waitMs: 10 * minuteMs });
      await settled();
      if (how === "its request is given up") given.abort();
      if (how === "it ends") await endAgent(otter!.caller.agent.id, otter!, ports);
      if (how === "nobody hears of it") {
        const record = (await ports.store.reader.agents.find(otter!.caller.agent.id))!;
        await ports.store.transact("offline", (tx) => tx.agents.update({ ...record, offlineAt: 1 }));
        given.abort();
      }
      await settled();
      await releaseReservation(held.id, heron!, ports);
      await settled();
      expect(behind.told.outcome).toBe("lynx");
      expect(["daemon.stopping", "agent.ended"]).toContain(dying.told.outcome);
      expect((await ports.store.reader.reservations.live(undefined)).map(({ holder }) => holder.name)).toEqual([
        "lynx",
      ]);
    },
  );

  it("gets the path when the holder's lease runs out, without anybody sweeping [RSV-5]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = await callers(ports, "heron", "otter");
    await hold(heron!, ports, { paths: ["a.ts"], ttlMs: 10_000 });
    const waiting = ask(otter!, ports, { paths: ["a.ts"], waitMs: minuteMs });
    await pass(ports, 9_999);
    expect(waiting.told.outcome).toBe("waits");
    await pass(ports, 1);
    expect(waiting.told.outcome).toBe("otter");
  });

  it("takes at once what only signs of life kept, and bounds what edits keep [RSV-14, RSV-15]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = await callers(ports, "heron", "otter");
    await hold(heron!, ports, { paths: ["a.ts"] });
    for (let minute = 0; minute < 8; minute++) {
      ports.clock.advance(minuteMs);
      ports.hear(heron!);
    }
    expect(await hold(otter!, ports, { paths: ["a.ts"] })).toMatchObject({ holder: { name: "otter" } });

    const busy = ask(heron!, ports, { paths: ["a.ts"], waitMs: 10 * minuteMs });
    for (let minute = 0; minute < 10 && busy.told.outcome === "waits"; minute++) {
      await hold(otter!, ports, { paths: ["a.ts"] });
      await pass(ports, minuteMs);
      ports.hear(heron!, otter!);
    }
    expect(busy.told.outcome, "its ten minutes are over before the holder's fifteen").toBe("reservation.conflict");
    const patient = ask(heron!, ports, { paths: ["a.ts"], waitMs: 10 * minuteMs });
    for (let minute = 0; minute < 10 && patient.told.outcome === "waits"; minute++) {
      await hold(otter!, ports, { paths: ["a.ts"] }).catch(() => undefined);
      await pass(ports, minuteMs);
      ports.hear(heron!, otter!);
    }
    expect(patient.told.outcome).toBe("heron");
  });
});

describe("grace", () => {
  it("gives a hold that ran out back to its holder, before those who wait, with a newer token [RSV-8]", async () => {
    using ports = scratchPorts();
    const [heron, otter, lynx] = await callers(ports, "heron", "otter", "lynx");
    const held = await hold(heron!, ports, { paths: ["a.ts"] });
    await hold(lynx!, ports, { paths: ["b.ts"], ttlMs: 20 * minuteMs });
    const both = ask(otter!, ports, { paths: ["a.ts", "b.ts"], waitMs: 10 * minuteMs });
    await pass(ports, 6 * minuteMs);
    const { reservation } = await renewReservation({ id: held.id, changed: true }, heron!, ports);
    expect(reservation).toMatchObject({ id: held.id, fencingToken: held.fencingToken + 2 });
    expect((await ports.events()).at(-1)).toMatchObject({ type: "reservation.acquired", data: { takenBack: true } });
    expect(both.told.outcome).toBe("waits");
  });

  it("is over after two minutes, after a release, and once another agent was granted the path [RSV-8]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = await callers(ports, "heron", "otter");
    const lost = (id: Parameters<typeof renewReservation>[0]["id"]) =>
      expect(renewReservation({ id, changed: true }, heron!, ports)).rejects.toMatchObject({ code: "lease.lost" });
    const late = await hold(heron!, ports, { paths: ["a.ts"] });
    ports.clock.advance(7 * minuteMs);
    await lost(late.id);
    const released = await hold(heron!, ports, { paths: ["b.ts"] });
    await releaseReservation(released.id, heron!, ports);
    await lost(released.id);
    const taken = await hold(heron!, ports, { paths: ["c.ts"] });
    ports.clock.advance(5 * minuteMs);
    await hold(otter!, ports, { patterns: ["c.*"] });
    await expect(renewReservation({ id: taken.id, changed: true }, heron!, ports)).rejects.toMatchObject({
      code: "lease.lost",
      message: expect.stringContaining("otter has it now"),
    });
  });
});

describe("an edit", () => {
  it("keeps what its holder has in the same folder, and no other folder; a write that changed nothing keeps none [RSV-14, RSV-15]", async () => {
    using ports = scratchPorts();
    const [heron] = await callers(ports, "heron");
    const [one, beside, elsewhere] = [
      await hold(heron!, ports, { paths: ["src/a.ts"] }),
      await hold(heron!, ports, { paths: ["src/b.ts"] }),
      await hold(heron!, ports, { paths: ["docs/a.md"] }),
    ];
    ports.clock.advance(4 * minuteMs);
    await renewReservation({ id: elsewhere.id, changed: false }, heron!, ports);
    await hold(heron!, ports, { paths: ["src/a.ts"] });
    const left = await Promise.all(
      [one, beside, elsewhere].map(async ({ id }) =>
        ports.leases.leftMs((await ports.store.reader.reservations.find(id))!),
      ),
    );
    expect(left).toEqual([5 * minuteMs, 5 * minuteMs, minuteMs]);
  });
});

describe("a fencing token", () => {
  it("of a grant that another agent took over is refused as lost at every gate; a widened grant's older one is good [RSV-9]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = await callers(ports, "heron", "otter");
    const held = await hold(heron!, ports, { paths: ["a.ts"] });
    await hold(heron!, ports, { paths: ["a.ts", "b.ts"] });
    const gate = (fencingToken: number) => checkPaths({ paths: ["a.ts"], fencingToken }, heron!.caller, ports);
    expect((await gate(held.fencingToken)).items).toEqual([{ path: "a.ts", state: "yours", reservation: held.id }]);
    ports.clock.advance(6 * minuteMs);
    const taken = await hold(otter!, ports, { paths: ["a.ts"] });
    await expect(gate(held.fencingToken)).rejects.toMatchObject({ code: "lease.lost" });
    await expect(ask(heron!, ports, { paths: ["b.ts"], fencingToken: held.fencingToken }).answer).rejects.toMatchObject(
      { code: "lease.lost" },
    );
    await expect(gate(taken.fencingToken), "somebody else's").rejects.toMatchObject({ code: "lease.lost" });
    expect((await checkPaths({ paths: ["a.ts", "free.ts"] }, heron!.caller, ports)).items).toEqual([
      { path: "a.ts", state: "taken", reservation: taken.id, holder: expect.objectContaining({ name: "otter" }) },
      { path: "free.ts", state: "free" },
    ]);
  });
});

describe("two worktrees", () => {
  it("hold the same path at once, and both are told of the merge to come [RSV-16]", async () => {
    using ports = scratchPorts();
    const shop = repository(ports.folder, "shop");
    const heron = await ports.caller("heron", shop);
    const otter = await ports.caller("otter", worktree(ports.folder, shop, "feature"));
    const { reservation: one, forecasts: none } = await ask(heron, ports, { paths: ["src/a.ts"] }).answer;
    const { reservation: other, forecasts } = await ask(otter, ports, { patterns: ["src/*"] }).answer;
    expect(none).toEqual([]);
    expect(forecasts).toEqual([
      {
        reservation: one.id,
        holder: expect.objectContaining({ name: "heron" }),
        tree: one.tree,
        overlap: "src/a.ts",
      },
    ]);
    expect((await ports.events()).at(-1)).toMatchObject({
      type: "reservation.forecast",
      subject: other.id,
      data: { reservation: { id: other.id }, other: { id: one.id }, overlap: "src/a.ts" },
    });
  });
});

describe("waiting for an end", () => {
  it("answers when the reservation was released, ran out or was never live, and not later than asked [RSV-4]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = await callers(ports, "heron", "otter");
    const wait = (id: Parameters<typeof renewReservation>[0]["id"], waitMs: number) => {
      const told = { ended: undefined as boolean | undefined };
      void waitForEnd({ id, waitMs }, otter!, ports).then(({ ended }) => (told.ended = ended));
      return told;
    };
    const held = await hold(heron!, ports, { paths: ["a.ts"] });
    const [short, long] = [wait(held.id, 1_000), wait(held.id, minuteMs)];
    await pass(ports, 1_000);
    expect([short.ended, long.ended]).toEqual([false, undefined]);
    await releaseReservation(held.id, heron!, ports);
    await settled();
    expect(long.ended).toBe(true);
    const running = await hold(heron!, ports, { paths: ["b.ts"], ttlMs: 5_000 });
    const out = wait(running.id, minuteMs);
    await pass(ports, 5_000);
    expect(out.ended).toBe(true);
    await expect(waitForEnd({ id: ports.ids.next("rsv"), waitMs: 1 }, otter!, ports)).rejects.toMatchObject({
      code: "reservation.not-found",
    });
  });
});
