import { expect, it } from "vitest";
import { createKeyedQueue } from "../../platform/keyed-queue/index.ts";
import { scratchPorts, type ScratchPorts } from "../testkit.ts";
import { createCatchUpClock } from "./catch-up-clock.ts";
import { createAnnouncements } from "./announce-later.ts";
import { commitHandlers } from "./handlers.ts";
import type { Committer } from "./ports.ts";
import { createRecentReads } from "./recent-reads.ts";

const rules = { refreshEveryMs: 30_000, syncEveryMs: 60_000, batchEveryMs: 0, busyCommitsPerHour: 60 };

function handlersOf(scratch: ScratchPorts) {
  const progressed: string[] = [];
  const catchUp = createCatchUpClock(scratch.clock, rules);
  const ports = { ...scratch, catchUp, reads: createRecentReads(scratch.clock) };
  const announcements = createAnnouncements({ ...ports, onFailed: (error) => expect.fail(String(error)) });
  const handlers = commitHandlers({
    ...ports,
    announcements,
    noteProgress: (agent) => void progressed.push(agent),
    turns: createKeyedQueue(),
    committer: { changedFiles: async () => [] } as Partial<Committer> as Committer,
    modeFor: async () => "paths",
    changedBy: async () => ({ paths: new Set<string>(), shared: [] }),
    gate: async () => [],
  });
  return { handlers, progressed, catchUp };
}

it("counts an announced commit as progress of its agent, and a refused one not", async () => {
  using scratch = scratchPorts();
  const { handlers, progressed } = handlersOf(scratch);
  const heron = await scratch.caller("heron");
  await handlers["commit.announce"]({ commit: "4c2a1f0", paths: ["src/a.ts"], subject: "Rate-limit orders" }, heron);
  expect(progressed).toEqual([heron.caller.agent.id]);
  await expect(
    handlers["commit.create"]({ message: "nothing", dryRun: false, waitMs: 0 }, heron),
  ).rejects.toMatchObject({
    code: "commit.nothing",
  });
  expect(progressed).toHaveLength(1);
});

it("tells an agent what to catch up with, in whole milliseconds", async () => {
  using scratch = scratchPorts();
  const { handlers, catchUp } = handlersOf(scratch);
  const heron = await scratch.caller("heron");
  const due = catchUp.take(heron.caller.project.id, heron.caller.agent.id);
  const { nextInMs, refresh, ...answer } = await handlers["commit.catch-up"]({}, heron);
  expect(refresh).toEqual([...due.refresh]);
  expect(nextInMs === undefined || Number.isInteger(nextInMs)).toBe(true);
  expect(Object.keys(due)).toEqual(expect.arrayContaining(Object.keys(answer)));
});
