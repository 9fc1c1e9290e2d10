import { expect, it } from "vitest";
import { operations, parseInput, type DomainError, type RawInputOf } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, repository, scratchPorts, worktree, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { acquireReservation } from "./acquire-reservation.ts";
import { releaseReservation } from "./renew-reservation.ts";

type Wanted = RawInputOf<"reservation.acquire">;

async function acquire(call: AgentCall, ports: ScratchPorts, wanted: Wanted) {
  const input = parseInput(operations["reservation.acquire"], wanted);
  return (await acquireReservation(input, call, ports)).reservation;
}
const refusalOf = (granted: Promise<unknown>) =>
  granted.then(
    () => expect.fail("it was granted"),
    (error: unknown) => error as DomainError,
  );

it("grants free paths and patterns with mode, reason, end and fencing token, and records it [RSV-1]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const wanted: Wanted = {
    paths: ["src/[id]/page.ts"],
    patterns: ["src/api/**"],
    mode: "shared",
    reason: "rate limits",
  };
  const reservation = await acquire(heron, ports, wanted);
  expect(reservation).toEqual({
    ...wanted,
    id: expect.stringMatching(/^rsv_/),
    scope: "tree",
    holder: heron.caller.agent,
    tree: heron.caller.tree,
    fencingToken: 1,
    ttlMs: 5 * minuteMs,
    acquiredAt: ports.clock.now(),
    expiresAt: ports.clock.now() + 5 * minuteMs,
  });
  const [, acquired] = await ports.events();
  expect(acquired).toMatchObject({ type: "reservation.acquired", subject: reservation.id, data: { reservation } });
});

it("refuses a path inside another agent's reservation, says who, what, how long and what to do, and records nothing [RSV-4]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const held = await acquire(heron, ports, { patterns: ["src/**"], reason: "rate limits" });
  ports.clock.advance(2 * minuteMs);
  const before = await ports.eventTypes();
  const refusal = await refusalOf(acquire(otter, ports, { paths: ["docs/a.md", "src/a.ts"] }));
  expect(refusal).toMatchObject({
    code: "reservation.conflict",
    message: expect.stringMatching(
      /^"src\/a.ts" is held by heron \(other, idle 2 min ago\) for 3 min more; "sylk reserve --wait" .* "sylk negotiate rsv_\w+"/,
    ),
    retryAfterMs: 3 * minuteMs,
    details: {
      reservation: { id: held.id, reason: "rate limits", expiresAt: ports.clock.now() + 3 * minuteMs },
      holder: { ...heron.caller.agent, status: "idle", lastSeenAt: expect.any(Number) },
      overlap: "src/a.ts",
      secondsLeft: 180,
      suggestedAction: "wait",
      waitFor: held.id,
    },
  });
  expect(await ports.eventTypes()).toEqual(before);
});

it("grants all that is asked for or none of it [RSV-1]", async () => {
  using ports = scratchPorts();
  const [heron, otter, lynx] = [await ports.caller("heron"), await ports.caller("otter"), await ports.caller("lynx")];
  await acquire(heron, ports, { paths: ["c.ts"] });
  const refusal = await refusalOf(acquire(otter, ports, { paths: ["a.ts", "b.ts", "c.ts"] }));
  expect(refusal.code).toBe("reservation.conflict");
  expect(await acquire(lynx, ports, { paths: ["a.ts", "b.ts"] })).toMatchObject({ holder: { name: "lynx" } });
});

it.each([
  ["shared", "shared", true],
  ["shared", "exclusive", false],
  ["exclusive", "shared", false],
  ["exclusive", "exclusive", false],
] as const)("held %s and wanted %s by another agent: granted is %s [RSV-1]", async (held, wanted, granted) => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await acquire(heron, ports, { paths: ["a.ts"], mode: held });
  const outcome = await acquire(otter, ports, { patterns: ["*.ts"], mode: wanted }).then(
    () => true,
    () => false,
  );
  expect(outcome).toBe(granted);
});

it("lets exactly one of many agents win that ask in the same turn", async () => {
  using ports = scratchPorts();
  const agents = await Promise.all(Array.from({ length: 8 }, (_, index) => ports.caller(`agent-${index}`)));
  const outcomes = await Promise.allSettled(agents.map((agent) => acquire(agent, ports, { paths: ["a.ts"] })));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", ...Array.from({ length: 7 }, () => "rejected")]);
  for (const outcome of outcomes.slice(1))
    expect(outcome).toMatchObject({
      reason: { code: "reservation.conflict", details: { holder: { name: "agent-0" } } },
    });
  expect((await ports.eventTypes()).filter((type) => type === "reservation.acquired")).toHaveLength(1);
});

it("widens the holder's own reservation by what it does not cover yet, and stacks no second row [RSV-3]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const first = await acquire(heron, ports, { patterns: ["src/**"], mode: "shared", reason: "look" });
  const covered = await acquire(heron, ports, { paths: ["src/a.ts"], mode: "shared" });
  expect(covered).toEqual(first);
  const wider = await acquire(heron, ports, { paths: ["src/a.ts", "b.ts"], patterns: ["src/**", "docs/*"] });
  expect(wider).toEqual({
    ...first,
    paths: ["b.ts"],
    patterns: ["src/**", "docs/*"],
    mode: "exclusive",
    fencingToken: first.fencingToken + 1,
  });
  expect((await ports.store.reader.reservations.live(undefined)).map(({ id }) => id)).toEqual([first.id]);
  expect((await ports.eventTypes()).slice(2)).toEqual(["reservation.acquired", "reservation.widened"]);
  for (const path of ["b.ts", "docs/a.md", "src/x/y.ts"])
    expect((await refusalOf(acquire(otter, ports, { paths: [path], mode: "shared" }))).code).toBe(
      "reservation.conflict",
    );
});

it("widens all of it or none: a part that another agent holds leaves the reservation as it was [RSV-1, RSV-3]", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await acquire(otter, ports, { paths: ["b.ts"] });
  const held = await acquire(heron, ports, { paths: ["a.ts"] });
  expect((await refusalOf(acquire(heron, ports, { paths: ["a.ts", "b.ts", "c.ts"] }))).code).toBe(
    "reservation.conflict",
  );
  expect(await acquire(heron, ports, { paths: ["a.ts"] })).toEqual(held);
  expect(await acquire(otter, ports, { paths: ["c.ts"] })).toMatchObject({ holder: { name: "otter" } });
});

it("renews when the same holder asks for the same set again, in whatever order, and stacks no second row [RSV-3]", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const first = await acquire(heron, ports, { paths: ["a.ts", "b.ts"], patterns: ["x/**"] });
  ports.clock.advance(minuteMs);
  const again = await acquire(heron, ports, { paths: ["b.ts", "a.ts"], patterns: ["x/**"] });
  expect(again).toEqual({ ...first, expiresAt: first.expiresAt + minuteMs });
  const weaker = await acquire(heron, ports, { paths: ["a.ts", "b.ts"], patterns: ["x/**"], mode: "shared" });
  expect(weaker, "who has it alone can also share it").toEqual(again);
  expect((await ports.eventTypes()).filter((type) => type.startsWith("reservation."))).toEqual([
    "reservation.acquired",
  ]);
});

it("extends by a longer time limit for good, and never shortens what was granted", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const wanted = { paths: ["a.ts"] };
  await acquire(heron, ports, { ...wanted, ttlMs: 2 * minuteMs });
  const longer = await acquire(heron, ports, { ...wanted, ttlMs: 10 * minuteMs });
  expect(longer).toMatchObject({ ttlMs: 10 * minuteMs, expiresAt: ports.clock.now() + 10 * minuteMs });
  const shorter = await acquire(heron, ports, { ...wanted, ttlMs: minuteMs });
  expect(shorter).toEqual(longer);
  using next = ports.restart();
  expect(next.leases.leftMs((await next.store.reader.reservations.find(longer.id))!)).toBe(10 * minuteMs);
});

it("grants the path once the holder's lease has run out, and records the expiry first", async () => {
  using ports = scratchPorts();
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const held = await acquire(heron, ports, { paths: ["a.ts"], ttlMs: 10_000 });
  ports.clock.advance(9_999);
  expect((await refusalOf(acquire(otter, ports, { paths: ["a.ts"] }))).retryAfterMs).toBe(1);
  ports.clock.advance(1);
  const taken = await acquire(otter, ports, { paths: ["a.ts"] });
  expect(taken.fencingToken).toBeGreaterThan(held.fencingToken);
  const [expired, acquired] = (await ports.events()).slice(-2);
  expect([expired, acquired]).toMatchObject([
    { type: "reservation.expired", subject: held.id },
    { type: "reservation.acquired", subject: taken.id },
  ]);
});

it("gives a holder whose own lease ran out a new reservation with a new fencing token, and renews that one", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const first = await acquire(heron, ports, { paths: ["a.ts"], ttlMs: 10_000 });
  ports.clock.advance(10_000);
  const second = await acquire(heron, ports, { paths: ["a.ts"], ttlMs: 10_000 });
  expect(second.id).not.toBe(first.id);
  expect(second.fencingToken).toBeGreaterThan(first.fencingToken);
  expect(await acquire(heron, ports, { paths: ["a.ts"], ttlMs: 10_000 })).toEqual(second);
  expect((await ports.store.reader.reservations.live(undefined)).map(({ id }) => id)).toEqual([second.id]);
  expect((await ports.eventTypes()).slice(1)).toEqual([
    "reservation.acquired",
    "reservation.expired",
    "reservation.acquired",
  ]);
});

it("keeps a reservation over a restart for one full time limit, however long the daemon was down", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const { id } = await acquire(heron, ports, { paths: ["a.ts"], ttlMs: 10_000 });
  ports.clock.advance(9_000);
  using next = ports.restart({ downMs: 60 * minuteMs });
  const otter = await next.caller("otter");
  const refusal = await refusalOf(acquire(otter, next, { paths: ["a.ts"] }));
  expect(refusal).toMatchObject({ details: { reservation: { id } }, retryAfterMs: 10_000 });
  next.clock.advance(10_000);
  expect(await acquire(otter, next, { paths: ["a.ts"] })).toMatchObject({ holder: { name: "otter" } });
});

it.each([3_600_000, -3_600_000])(
  "ends no reservation and keeps none when the wall clock jumps by %i ms [CORE-19]",
  async (jump) => {
    using ports = scratchPorts();
    const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
    await acquire(heron, ports, { paths: ["a.ts"], ttlMs: 10_000 });
    ports.clock.jumpWall(jump);
    expect((await refusalOf(acquire(otter, ports, { paths: ["a.ts"] }))).retryAfterMs).toBe(10_000);
    ports.clock.advance(10_000);
    expect(await acquire(otter, ports, { paths: ["a.ts"] })).toMatchObject({ holder: { name: "otter" } });
  },
);

it("refuses more paths than an agent may hold, names what it holds, and counts live ones only [RSV-11]", async () => {
  using ports = scratchPorts({ maxPerAgent: 3 });
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const held = await acquire(heron, ports, { paths: ["a.ts"], patterns: ["x/**"], ttlMs: 10_000 });
  const refusal = await refusalOf(acquire(heron, ports, { paths: ["b.ts", "c.ts"] }));
  expect(refusal).toMatchObject({
    code: "reservation.limit",
    message: expect.stringContaining(`heron already holds 2 of 3 paths; release some first, for example ${held.id}`),
    details: { limit: 3, used: 2, held: [held.id] },
  });
  await acquire(heron, ports, { paths: ["b.ts"], ttlMs: 10_000 });
  expect((await acquire(otter, ports, { paths: ["c.ts", "d.ts", "e.ts"] })).paths).toHaveLength(3);
  // Run out, although nobody has swept it up yet.
  ports.clock.advance(10_000);
  expect((await acquire(heron, ports, { paths: ["f.ts", "g.ts", "h.ts"] })).paths).toHaveLength(3);
});

it("blocks inside one working tree, and everywhere with the scope repository [RSV-16]", async () => {
  using ports = scratchPorts();
  const shop = repository(ports.folder, "shop");
  const [heron, otter] = [
    await ports.caller("heron", shop),
    await ports.caller("otter", worktree(ports.folder, shop, "shop-feature")),
  ];
  const inTree = await acquire(heron, ports, { paths: ["a.ts"] });
  const elsewhere = await acquire(otter, ports, { paths: ["a.ts"] });
  expect([inTree.tree, elsewhere.tree]).toEqual([heron.caller.tree, otter.caller.tree]);
  // Wanted for the whole repository, held in another tree: blocked.
  expect((await refusalOf(acquire(otter, ports, { paths: ["a.ts"], scope: "repository" }))).code).toBe(
    "reservation.conflict",
  );
  await releaseReservation(inTree.id, heron, ports);
  await releaseReservation(elsewhere.id, otter, ports);
  // Held for the whole repository, wanted in another tree: blocked.
  await acquire(heron, ports, { paths: ["a.ts"], scope: "repository" });
  expect((await refusalOf(acquire(otter, ports, { paths: ["a.ts"] }))).code).toBe("reservation.conflict");
});

it("does not block another project, even with the scope repository, and counts its tokens apart", async () => {
  using ports = scratchPorts();
  const [heron, lynx] = [await ports.caller("heron"), await ports.caller("lynx", repository(ports.folder, "bank"))];
  const wanted: Wanted = { patterns: ["**"], scope: "repository" };
  const tokens = [await acquire(heron, ports, wanted), await acquire(lynx, ports, wanted)].map(
    ({ fencingToken }) => fencingToken,
  );
  expect(tokens).toEqual([1, 1]);
});

it("is refused to an agent that has ended after it was authenticated", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  await endAgent(heron.caller.agent.id, heron, ports);
  const refusal = await refusalOf(acquire(heron, ports, { paths: ["a.ts"] }));
  expect(refusal).toMatchObject({ code: "agent.ended", message: expect.stringContaining("register") });
});

it.each([
  [{ paths: ["../outside.ts"] }, "paths.0"],
  [{ paths: ["a.ts"], patterns: ["ok/**", "!negated"] }, "patterns.1"],
])("refuses what names no path of the repository, by its field: %o", async (wanted, path) => {
  using ports = scratchPorts();
  const refusal = await refusalOf(acquire(await ports.caller("heron"), ports, wanted));
  expect(refusal).toMatchObject({ code: "input.invalid", details: { problems: [{ path }] }, cause: expect.any(Error) });
});

it("gives out fencing tokens that grow over all reservations of a project, also after a restart", async () => {
  using ports = scratchPorts();
  const heron = await ports.caller("heron");
  const first = await acquire(heron, ports, { paths: ["a.ts"] });
  await releaseReservation(first.id, heron, ports);
  const second = await acquire(heron, ports, { paths: ["a.ts"] });
  using next = ports.restart();
  const third = await acquire(await next.caller("otter"), next, { paths: ["b.ts"] });
  expect([first, second, third].map(({ fencingToken }) => fencingToken)).toEqual([1, 2, 3]);
});
