import { expect, it } from "vitest";
import type { AgentId, ProjectId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { minuteMs, scratchPorts } from "../testkit.ts";
import { createLiveness } from "./liveness.ts";
import type { AgentRecord } from "./store.ts";

const id = "agt_0000000000000000heron0" as AgentId;
const record: AgentRecord = {
  id,
  project: { id: "prj_00000000000000000shop0" as ProjectId, name: "shop", path: "/srv/shop/.git" },
  name: "heron",
  client: "other",
  sessionKey: "heron",
  parent: undefined,
  tree: "/srv/shop",
  branch: "main",
  capabilities: [],
  pid: undefined,
  processStart: undefined,
  host: "scratch",
  registeredAt: 0,
  lastSeenAt: 0,
  offlineAt: undefined,
  endedAt: undefined,
};

function scratchLiveness(write: (seen: ReadonlyMap<AgentId, number>) => Promise<void> = async () => {}) {
  const clock = manualClock();
  const failures: unknown[] = [];
  const liveness = createLiveness({
    clock,
    idleAfterMs: minuteMs,
    staleAfterMs: 5 * minuteMs,
    write,
    onWriteFailed: (error) => failures.push(error),
  });
  return { clock, liveness, failures };
}

it("calls an agent active, idle and offline by how long it was silent", () => {
  const { clock, liveness } = scratchLiveness();
  liveness.touch(id);
  const statusAfter = (ms: number) => {
    clock.advance(ms);
    return liveness.statusOf(record);
  };
  expect([statusAfter(minuteMs - 1), statusAfter(1), statusAfter(4 * minuteMs - 1), statusAfter(1)]).toEqual([
    "active",
    "idle",
    "idle",
    "offline",
  ]);
  liveness.touch(id);
  expect(liveness.statusOf(record)).toBe("active");
});

it("calls an agent that has ended or was found offline so, whatever was heard of it", () => {
  const { liveness } = scratchLiveness();
  liveness.touch(id);
  expect(liveness.statusOf({ ...record, offlineAt: 1 })).toBe("offline");
  expect(liveness.statusOf({ ...record, offlineAt: 1, endedAt: 2 })).toBe("ended");
});

it("counts silence from the daemon's own start for agents it has not heard yet", () => {
  const { clock, liveness } = scratchLiveness();
  expect(liveness.statusOf(record)).toBe("active");
  clock.advance(5 * minuteMs);
  expect(liveness.statusOf(record)).toBe("offline");
});

it.each([3_600_000, -3_600_000])("changes no status when the wall clock jumps by %i ms [CORE-19]", (jump) => {
  const { clock, liveness } = scratchLiveness();
  liveness.touch(id);
  clock.jumpWall(jump);
  expect([liveness.silenceMs(id), liveness.statusOf(record)]).toEqual([0, "active"]);
  clock.advance(minuteMs);
  expect([liveness.silenceMs(id), liveness.statusOf(record)]).toEqual([minuteMs, "idle"]);
});

it("writes what it heard at most every 10 seconds, the latest of each agent, and nothing when nothing was heard", async () => {
  const written: [AgentId, number][][] = [];
  const { clock, liveness } = scratchLiveness(async (seen) => void written.push([...seen]));
  expect(clock.pendingTimers()).toBe(0);
  for (let call = 0; call < 30; call++) {
    liveness.touch(id);
    clock.advance(100);
  }
  expect([written, clock.pendingTimers()]).toEqual([[], 1]);
  const last = clock.now() - 100;
  clock.advance(7_000);
  expect(written).toEqual([[[id, last]]]);
  clock.advance(60_000);
  expect([written.length, clock.pendingTimers()]).toEqual([1, 0]);
});

it("reports a write that failed", async () => {
  const planted = new Error("planted");
  const { clock, liveness, failures } = scratchLiveness(() => Promise.reject(planted));
  liveness.touch(id);
  clock.advance(10_000);
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(failures).toEqual([planted]);
});

it("leaves no timer behind when it is stopped, and writes no agent it was told to forget", async () => {
  const written: unknown[] = [];
  const { clock, liveness } = scratchLiveness(async (seen) => void written.push(seen));
  liveness.touch(id);
  liveness.forget(id);
  await liveness.flush();
  expect(written).toEqual([]);
  liveness.touch(id);
  liveness.stop();
  expect(clock.pendingTimers()).toBe(0);
});

it("keeps the time of the last call over a restart, and gives every agent a full time limit then", async () => {
  using ports = scratchPorts();
  const { id: heron } = (await ports.caller("heron")).caller.agent;
  ports.clock.advance(3 * minuteMs);
  ports.liveness.touch(heron);
  const lastSeenAt = ports.clock.now();
  await ports.liveness.flush();
  using next = ports.restart({ downMs: 60 * minuteMs });
  const found = (await next.store.reader.agents.find(heron))!;
  expect([next.liveness.lastSeenAt(found), next.liveness.statusOf(found)]).toEqual([lastSeenAt, "active"]);
  next.clock.advance(5 * minuteMs - 1);
  expect(next.liveness.statusOf(found)).toBe("idle");
  next.clock.advance(1);
  expect(next.liveness.statusOf(found)).toBe("offline");
});
