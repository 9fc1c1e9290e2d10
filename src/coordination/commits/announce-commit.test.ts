import { expect, it } from "vitest";
import { readInbox } from "../mail/index.ts";
import { acquireReservation, releaseReservation } from "../reservations/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { minuteMs, scratchPorts, settled, type ScratchPorts } from "../testkit.ts";
import { createWorkItem, claimWorkItem, closeWorkItem } from "../work-items/index.ts";
import { announceCommit } from "./announce-commit.ts";
import { createAnnouncements } from "./announce-later.ts";
import { createCatchUpClock } from "./catch-up-clock.ts";
import { createRecentReads } from "./recent-reads.ts";

const rules = { refreshEveryMs: 30_000, syncEveryMs: 60_000, batchEveryMs: 0, busyCommitsPerHour: 60 };
const wanted = { patterns: [] as string[], mode: "exclusive" as const, scope: "tree" as const, waitMs: 0 };
const commit = { commit: "4c2a1f0", subject: "Rate-limit orders" };

function portsOf(ports: ScratchPorts, catching = rules) {
  return { ...ports, catchUp: createCatchUpClock(ports.clock, catching), reads: createRecentReads(ports.clock) };
}

it("tells an agent that has just read one of its paths, once that is not long ago [GIT-13]", async () => {
  using scratch = scratchPorts();
  const ports = portsOf(scratch);
  const [heron, otter, crow] = await Promise.all(["heron", "otter", "crow"].map((name) => ports.caller(name)));
  ports.reads.remember(crow!.caller.agent.id, ["src/a.ts"]);
  ports.clock.advance(10 * minuteMs);
  for (const { caller } of [otter!, crow!]) ports.liveness.touch(caller.agent.id);
  ports.reads.remember(otter!.caller.agent.id, ["src/a.ts"]);
  ports.reads.remember(heron!.caller.agent.id, ["src/a.ts"]);
  const { told } = await announceCommit({ ...commit, paths: ["src/a.ts"] }, heron!, ports);
  expect(told.map(({ name }) => name)).toEqual(["otter"]);
});

it("tells the agents that hold or have just held one of its paths, and no others [LOAD-5]", async () => {
  using scratch = scratchPorts();
  const ports = portsOf(scratch);
  const [heron, otter, crow, wren] = await Promise.all(
    ["heron", "otter", "crow", "wren"].map((name) => ports.caller(name)),
  );
  const { reservation } = await acquireReservation({ ...wanted, paths: ["src/a.ts"] }, otter!, ports);
  await releaseReservation(reservation.id, otter!, ports);
  await acquireReservation({ ...wanted, paths: [], patterns: ["src/b*.ts"] }, crow!, ports);
  await acquireReservation({ ...wanted, paths: ["docs/a.md"] }, wren!, ports);
  await acquireReservation({ ...wanted, paths: ["src/a.ts"] }, heron!, ports);
  const { told } = await announceCommit({ ...commit, paths: ["src/a.ts", "src/b1.ts"] }, heron!, ports);
  expect(told.map(({ name }) => name).sort()).toEqual(["crow", "otter"]);
  const inbox = { channel: "notices", limit: 50, maxBytes: 8_192 } as const;
  const notices = await readInbox(inbox, otter!, ports);
  expect(notices.items.map(({ content }) => content)).toEqual([
    { kind: "commit-notice", commit: "4c2a1f0", paths: ["src/a.ts", "src/b1.ts"] },
  ]);
  expect((await readInbox(inbox, wren!, ports)).items).toEqual([]);
  expect(ports.catchUp.take(otter!.caller.project.id, otter!.caller.agent.id).refresh).toEqual([
    "src/a.ts",
    "src/b1.ts",
  ]);
});

it("concerns no agent ten minutes after it gave the path back", async () => {
  using scratch = scratchPorts({ staleAfterMs: 60 * minuteMs });
  const ports = portsOf(scratch);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { reservation } = await acquireReservation({ ...wanted, paths: ["src/a.ts"] }, otter, ports);
  await releaseReservation(reservation.id, otter, ports);
  ports.clock.advance(10 * minuteMs + 1);
  ports.hear(heron, otter);
  expect((await announceCommit({ ...commit, paths: ["src/a.ts"] }, heron, ports)).told).toEqual([]);
});

it("refuses a path outside the repository, and tells no agent", async () => {
  using scratch = scratchPorts();
  const ports = portsOf(scratch);
  const heron = await ports.caller("heron");
  expect(() => announceCommit({ ...commit, paths: ["../out.ts"] }, heron, ports)).toThrow(
    expect.objectContaining({ code: "input.invalid" }),
  );
  expect(await ports.eventTypes()).not.toContain("commit.announced");
});

it("is left to the next edit while the project commits a lot, and written again when it is calm [GIT-6]", async () => {
  using scratch = scratchPorts({ staleAfterMs: 60 * minuteMs });
  const busy = { ...rules, batchEveryMs: 300_000, busyCommitsPerHour: 12 };
  const ports = portsOf(scratch, busy);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await acquireReservation({ ...wanted, paths: ["src/a.ts"], mode: "shared" }, otter, ports);
  const tell = () => announceCommit({ ...commit, paths: ["src/a.ts"] }, heron, ports);
  const notices = async () =>
    (await readInbox({ channel: "notices", limit: 50, maxBytes: 8_192 }, otter, ports)).items.length;
  for (let count = 0; count < 6; count++) await tell();
  expect(await notices()).toBe(3);
  expect(ports.catchUp.refresh(otter.caller.agent.id)).toEqual(["src/a.ts"]);
  scratch.clock.advance(10 * minuteMs + 1);
  ports.hear(heron, otter);
  await acquireReservation({ ...wanted, paths: ["src/a.ts"], mode: "shared" }, otter, ports);
  await tell();
  expect(await notices()).toBe(4);
});

it("announces the commit of an agent that resolves a conflict 30 s later, of others at once, and before the daemon stops [GIT-7]", async () => {
  using scratch = scratchPorts();
  const ports = portsOf(scratch);
  const later = createAnnouncements({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  await acquireReservation({ ...wanted, paths: ["src/a.ts"] }, otter, ports);
  const labels = ["merge:aaaaaaaaaaaa"];
  const links = { dependsOn: [], relatesTo: [], discoveredFrom: [] };
  const conflict = { title: "Resolve", type: "merge", priority: 1, labels, ...links };
  const { workItem } = await createWorkItem(conflict, heron, ports);
  await claimWorkItem(workItem.id, heron, ports);
  const announced = async () => (await ports.eventTypes()).filter((type) => type === "commit.announced").length;
  const asked = { ...commit, paths: ["src/a.ts"] };
  expect(await later.announce(asked, heron)).toEqual({ told: [], inMs: 30_000 });
  await closeWorkItem({ id: workItem.id, reason: "resolved" }, heron, ports);
  await endAgent(heron.caller.agent.id, heron, ports);
  ports.clock.advance(29_999);
  await settled();
  expect(await announced()).toBe(0);
  ports.clock.advance(1);
  await settled();
  expect(await announced()).toBe(1);
  expect((await later.announce(asked, otter)).inMs).toBeUndefined();
  const wren = await ports.caller("wren");
  const { workItem: second } = await createWorkItem(conflict, wren, ports);
  await claimWorkItem(second.id, wren, ports);
  expect((await later.announce(asked, wren)).inMs).toBe(30_000);
  await expect(later.announce({ ...asked, paths: ["../out"] }, wren)).rejects.toMatchObject({ code: "input.invalid" });
  await later.stop();
  expect(await announced()).toBe(3);
});
