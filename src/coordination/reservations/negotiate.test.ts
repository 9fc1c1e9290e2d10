import { describe, expect, it } from "vitest";
import { operations, parseInput, type ReservationId } from "../../contract/index.ts";
import { readInbox } from "../mail/index.ts";
import { minuteMs, scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import {
  acquireReservation,
  answerRequests,
  askForRelease,
  forceRelease,
  releaseReservation,
  renewReservation,
} from "./index.ts";

async function hold(call: AgentCall, ports: ScratchPorts, path = "a.ts") {
  const wanted = parseInput(operations["reservation.acquire"], { paths: [path], ttlMs: 30 * minuteMs });
  return (await acquireReservation(wanted, call, ports)).reservation;
}
const ask = (id: ReservationId, call: AgentCall, ports: ScratchPorts, urgency: "normal" | "urgent" = "normal") =>
  askForRelease({ id, urgency, reason: "the build is red" }, call, ports);

const auditOf = ({ store }: ScratchPorts) =>
  store.reader.audit.page({ action: undefined, since: undefined, before: undefined, limit: 9 });

describe("a request", () => {
  it.each([
    ["normal", 10],
    ["urgent", 5],
  ] as const)(
    "that is %s may be forced after %i minutes, not before, and that is on record [RSV-10]",
    async (urgency, minutes) => {
      using ports = scratchPorts();
      const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
      const { id } = await hold(heron, ports);
      await expect(forceRelease({ id }, otter, ports), "unasked").rejects.toMatchObject({ code: "caller.denied" });
      const { request } = await ask(id, otter, ports, urgency);
      expect(request).toMatchObject({ state: "open", mayForceAt: ports.clock.now() + minutes * minuteMs });
      ports.clock.advance(minutes * minuteMs - 1);
      await expect(forceRelease({ id }, otter, ports)).rejects.toMatchObject({
        code: "reservation.conflict",
        retryAfterMs: 1,
      });
      ports.clock.advance(1);
      await forceRelease({ id }, otter, ports);
      expect((await ports.events()).at(-1)).toMatchObject({
        type: "reservation.forced",
        subject: id,
        data: { by: { name: "otter" }, request: { urgency, reason: "the build is red" } },
      });
      expect(await auditOf(ports)).toMatchObject([{ action: "reservation.forced", subject: id, details: { urgency } }]);
      await expect(renewReservation({ id, changed: true }, heron, ports)).rejects.toMatchObject({ code: "lease.lost" });
      expect(await hold(otter, ports)).toMatchObject({ holder: { name: "otter" } });
    },
  );

  it("reaches the holder's inbox once, and its answer the requester's [RSV-10]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const { id } = await hold(heron, ports);
    const inbox = async (call: AgentCall) =>
      (await readInbox(parseInput(operations["mail.inbox"], {}), call, ports)).items.map(({ content, subject }) => [
        content.kind,
        subject,
      ]);
    await ask(id, otter, ports);
    await ask(id, otter, ports);
    expect(await inbox(heron)).toEqual([["release-request", "otter needs a.ts"]]);
    await answerRequests({ id, decision: "defer", etaMs: minuteMs }, heron, ports);
    await answerRequests({ id, decision: "acknowledge" }, heron, ports);
    expect(await inbox(otter)).toEqual([
      ["release-defer", "heron needs a while longer with a.ts"],
      ["release-ack", "heron will release a.ts"],
    ]);
  });

  it("is made once: asking again neither shortens nor prolongs it [RSV-10]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const { id } = await hold(heron, ports);
    const first = await ask(id, otter, ports);
    ports.clock.advance(3 * minuteMs);
    expect((await ask(id, otter, ports)).request.mayForceAt).toBe(first.request.mayForceAt);
  });

  it("moves to the time the holder names, once, and by one more limit at the most [RSV-10]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const { id } = await hold(heron, ports);
    const { request } = await ask(id, otter, ports);
    ports.clock.advance(4 * minuteMs);
    const defer = (etaMs: number) => answerRequests({ id, decision: "defer", etaMs }, heron, ports);
    const [deferred] = (await defer(12 * minuteMs)).requests;
    expect(deferred).toMatchObject({ state: "deferred", mayForceAt: request.askedAt + 16 * minuteMs });
    expect((await defer(60 * minuteMs)).requests[0]!.mayForceAt).toBe(deferred!.mayForceAt);

    const { id: other } = await hold(heron, ports, "b.ts");
    const asked = await ask(other, otter, ports, "urgent");
    const [long] = (await answerRequests({ id: other, decision: "defer", etaMs: 60 * minuteMs }, heron, ports))
      .requests;
    expect(long!.mayForceAt).toBe(asked.request.askedAt + 10 * minuteMs);
  });

  it("is pinned to the reservation that was asked for [RSV-10]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const { id } = await hold(heron, ports);
    await ask(id, otter, ports);
    await releaseReservation(id, heron, ports);
    const { id: later } = await hold(heron, ports);
    ports.clock.advance(11 * minuteMs);
    await expect(forceRelease({ id }, otter, ports)).rejects.toMatchObject({ code: "lease.lost" });
    await expect(forceRelease({ id: later }, otter, ports)).rejects.toMatchObject({ code: "caller.denied" });
  });

  it("is not needed for a holder that is gone: its reservation has ended [RSV-10]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const { id } = await hold(heron, ports);
    ports.clock.advance(30 * minuteMs);
    await expect(ask(id, otter, ports)).rejects.toMatchObject({ code: "lease.lost" });
  });

  it("counts anew after a restart, never less than its limit [RSV-10]", async () => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    const { id } = await hold(heron, ports);
    await ask(id, otter, ports);
    ports.clock.advance(9 * minuteMs);
    using next = ports.restart();
    const again = await next.caller("otter");
    next.clock.advance(9 * minuteMs);
    await expect(forceRelease({ id }, again, next)).rejects.toMatchObject({ code: "reservation.conflict" });
    next.clock.advance(minuteMs);
    expect((await forceRelease({ id }, again, next)).reservation.id).toBe(id);
  });

  it("by the holder itself, to a stranger's project or about nothing is refused [RSV-10]", async () => {
    using ports = scratchPorts();
    const heron = await ports.caller("heron");
    const { id } = await hold(heron, ports);
    await expect(ask(id, heron, ports)).rejects.toMatchObject({ code: "caller.denied" });
    await expect(ask(ports.ids.next("rsv"), heron, ports)).rejects.toMatchObject({ code: "reservation.not-found" });
  });
});
