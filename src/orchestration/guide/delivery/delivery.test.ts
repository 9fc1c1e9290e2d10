import { expect, it } from "vitest";
import type { Message, MessageId, RoleName } from "../../../contract/index.ts";
import { manualClock } from "../../../platform/clock/index.ts";
import { sessionA } from "../testkit.ts";
import { createAgentHealth } from "./agent-health.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { createPendingRequests } from "./pending-requests.ts";
import { createUndelivered } from "./undelivered.ts";

const request = (number: number, to: RoleName = "librarian", at = 0, deadlineAt?: number): Message => {
  const id = `msg_${String(number).padStart(22, "0")}` as MessageId;
  return {
    id,
    correlationId: id,
    session: sessionA,
    from: "architect",
    to,
    type: "CONTEXT_REQUEST",
    payload: {},
    priority: 50,
    at,
    ...(deadlineAt === undefined ? {} : { deadlineAt }),
    attempt: 1,
    maxAttempts: 1,
    status: "processing",
    metadata: {},
  };
};

it("a circuit opens after 5 failures in a row, tries 3 at a time after 30 s, and closes after 2 successes", () => {
  const clock = manualClock();
  const circuit = createCircuitBreaker(clock);
  const fail = () => {
    expect(circuit.enter()).toBe(true);
    circuit.failed();
  };
  for (let times = 0; times < 4; times++) fail();
  circuit.enter();
  circuit.succeeded();
  for (let times = 0; times < 4; times++) fail();
  expect(circuit.state, "a success between them").toBe("closed");
  fail();
  expect([circuit.state, circuit.enter(), circuit.retryAfterMs]).toEqual(["open", false, 30_000]);
  clock.advance(30_000);
  expect([circuit.state, circuit.enter(), circuit.enter(), circuit.enter(), circuit.enter()]).toEqual([
    "half-open",
    true,
    true,
    true,
    false,
  ]);
  circuit.abandoned();
  expect(circuit.enter(), "whoever gave up made room").toBe(true);
  circuit.abandoned();
  circuit.succeeded();
  expect(circuit.state).toBe("half-open");
  circuit.succeeded();
  expect(circuit.state).toBe("closed");
  fail();
  expect(circuit.state, "failures of before count no more").toBe("closed");
  for (let times = 0; times < 4; times++) fail();
  clock.advance(30_000);
  circuit.enter();
  circuit.succeeded();
  fail();
  expect(circuit.state, "a failed trial").toBe("open");
  clock.advance(30_000);
  circuit.enter();
  circuit.succeeded();
  expect(circuit.state, "nor do successes").toBe("half-open");
});

it("a half-open circuit has its three trials however many calls were under way when it opened", () => {
  const clock = manualClock();
  const circuit = createCircuitBreaker(clock);
  for (let call = 0; call < 9; call++) circuit.enter();
  for (let call = 0; call < 5; call++) circuit.failed();
  clock.advance(30_000);
  expect([1, 2, 3, 4].map(() => circuit.enter())).toEqual([true, true, true, false]);
});

it("an agent at work whose worker beats is unhealthy after 3 missed beats and dead after 6, until its last work ends", () => {
  const clock = manualClock();
  const [beats, silent] = [createAgentHealth(clock, 10_000), createAgentHealth(clock, 10_000)];
  for (const health of [beats, beats, silent]) health.began();
  beats.beat();
  const after = (ms: number) => {
    clock.advance(ms);
    return beats.state;
  };
  expect([after(29_999), after(1), after(29_999), after(1)]).toEqual(["healthy", "unhealthy", "unhealthy", "dead"]);
  beats.failed();
  expect([beats.state, silent.state]).toEqual(["dead", "healthy"]);
  beats.answered(5);
  expect(beats.state).toBe("healthy");
  beats.beat();
  expect(after(60_000), "a late beat of work that is over").toBe("healthy");
  for (let ms = 1; ms <= 200; ms++) {
    silent.began();
    silent.answered(ms);
  }
  expect([
    silent.latency(50),
    silent.latency(99),
    beats.latency(50),
    createAgentHealth(clock, 10_000).latency(50),
  ]).toEqual([150, 199, 5, undefined]);
});

it("pending requests are found by correlation until their time passes, 5 minutes unless they say otherwise [GUIDE-7]", () => {
  const clock = manualClock();
  const pending = createPendingRequests<string>({ clock });
  const heard: string[] = [];
  const now = clock.now();
  pending.add(request(1, "librarian", now), (answer) => heard.push(answer));
  pending.add(request(2, "librarian", now, now + 1_000));
  expect(pending.list().map(({ id }) => id)).toEqual([request(1).id, request(2).id]);
  clock.advance(1_000);
  expect(pending.settle(request(2).id, "late")).toBe(false);
  clock.advance(300_000 - 1_001);
  expect([pending.settle(request(1).id, "in time"), pending.settle(request(1).id, "twice")]).toEqual([true, false]);
  pending.add(request(3, "librarian", clock.now()));
  clock.advance(300_000);
  expect([heard, pending.list(), pending.find(request(3).id)]).toEqual([["in time"], [], undefined]);
});

it("lets so many requests wait for one agent, and makes room when their time has passed [GUIDE-7]", () => {
  const clock = manualClock();
  const pending = createPendingRequests<string>({ clock });
  const now = clock.now();
  for (let number = 0; number < 1_000; number++) pending.add(request(number, "librarian", now, now + 1_000));
  expect(() => pending.add(request(1_000, "librarian", now))).toThrow(
    expect.objectContaining({ code: "role.busy", details: { role: "librarian", limit: 1_000, used: 1_000 } }),
  );
  pending.add(request(1_001, "tester", now));
  clock.advance(1_000);
  pending.add(request(1_000, "librarian", clock.now()));
  expect([pending.waitingFor("librarian"), pending.size]).toEqual([1, 2]);
});

it("keeps what was not delivered, the newest so many, and counts what made room", () => {
  const undelivered = createUndelivered({ clock: manualClock(), capacity: 2 });
  for (const number of [1, 2, 3])
    undelivered.add({ message: request(number), topic: "t", reason: "timeout", attempts: 1, error: "late" });
  expect([undelivered.list().map(({ message }) => message.id), undelivered.evicted]).toEqual([
    [request(2).id, request(3).id],
    1,
  ]);
  const many = createUndelivered({ clock: manualClock() });
  for (let number = 0; number <= 10_000; number++)
    many.add({ message: request(number), topic: "t", reason: "timeout", attempts: 1, error: "late" });
  expect([many.list().length, many.evicted]).toEqual([10_000, 1]);
});
