import { expect, it } from "vitest";
import { readInbox } from "../mail/index.ts";
import { acquireReservation, releaseReservation } from "../reservations/index.ts";
import { minuteMs, scratchPorts, type ScratchPorts } from "../testkit.ts";
import { announceCommit } from "./announce-commit.ts";
import { createCatchUpClock } from "./catch-up-clock.ts";

const rules = { refreshEveryMs: 30_000, syncEveryMs: 60_000, batchEveryMs: 0, busyCommitsPerHour: 60 };
const wanted = { patterns: [] as string[], mode: "exclusive" as const, scope: "tree" as const, waitMs: 0 };
const commit = { commit: "4c2a1f0", subject: "Rate-limit orders" };

function portsOf(ports: ScratchPorts) {
  return { ...ports, catchUp: createCatchUpClock(ports.clock, rules) };
}

it("tells whoever holds or has just held one of its paths, and nobody else [LOAD-5]", async () => {
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

it("concerns nobody ten minutes after they gave the path back", async () => {
  using scratch = scratchPorts({ staleAfterMs: 60 * minuteMs });
  const ports = portsOf(scratch);
  const [heron, otter] = [await ports.caller("heron"), await ports.caller("otter")];
  const { reservation } = await acquireReservation({ ...wanted, paths: ["src/a.ts"] }, otter, ports);
  await releaseReservation(reservation.id, otter, ports);
  ports.clock.advance(10 * minuteMs + 1);
  ports.hear(heron, otter);
  expect((await announceCommit({ ...commit, paths: ["src/a.ts"] }, heron, ports)).told).toEqual([]);
});

it("refuses a path outside the repository, and tells nobody", async () => {
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
  const ports = { ...scratch, catchUp: createCatchUpClock(scratch.clock, busy) };
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
