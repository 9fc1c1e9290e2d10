import { expect, it } from "vitest";
import type { Caller, Dispatch } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { bounds } from "./connection-bounds.ts";
import { paceReads } from "./pace-reads.ts";

const user = { kind: "user", project: undefined } as Caller;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function paced(tookMs: number) {
  const clock = manualClock();
  const started: string[] = [];
  const dispatch = (async (name: string, { limit }: { limit?: number }) => {
    started.push(`${name} ${limit ?? ""}`.trim());
    clock.advance(tookMs);
  }) as unknown as Dispatch;
  return { clock, started, dispatch: paceReads(dispatch, clock) };
}

it("starts the first list at once, then one in each turn, the shortest first; what is not a list never waits", async () => {
  const { started, dispatch } = paced(0);
  for (const limit of [500, 400, 20]) void dispatch("work-item.list", { limit }, user);
  void dispatch("work-item.list", {}, user);
  void dispatch("daemon.status", {}, user);
  expect(started).toEqual(["work-item.list 500", "daemon.status"]);
  await turn();
  expect(started.slice(2)).toEqual(["work-item.list 20"]);
  await turn();
  await turn();
  await turn();
  expect(started.slice(3)).toEqual(["work-item.list", "work-item.list 400"]);
  void dispatch("work-item.list", { limit: 7 }, user);
  expect(started.at(-1), "at once again").toBe("work-item.list 7");
});

it("leaves the loop to others for as long as a list took", async () => {
  const { clock, started, dispatch } = paced(50);
  for (const limit of [1, 2]) void dispatch("work-item.list", { limit }, user);
  await turn();
  expect(started).toHaveLength(1);
  clock.advance(49);
  expect(started).toHaveLength(1);
  clock.advance(1);
  expect(started).toHaveLength(2);
});

it("refuses a list when too many wait already", async () => {
  const { dispatch } = paced(0);
  const all = Array.from({ length: bounds.waitingReads + 2 }, () => dispatch("work-item.list", {}, user));
  await expect(all.at(-1)).rejects.toMatchObject({ code: "daemon.busy", details: { limit: bounds.waitingReads } });
});
