import { expect, it } from "vitest";
import type { EventId, LogEvent, ProjectId } from "../../contract/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createRecentChanges } from "./recent-changes.ts";

const shop = "prj_shop" as ProjectId;
const bank = "prj_bank" as ProjectId;
const event = (type: string, data: Record<string, unknown>, project = shop): LogEvent => ({
  sequence: 1,
  id: "evt_1" as EventId,
  type,
  version: 1,
  project,
  subject: "x",
  at: 0,
  data,
});
const reserved = (name: string, ...paths: string[]) =>
  event("reservation.acquired", { reservation: { holder: { name }, paths, patterns: [] } });

it("says the last changes of others, lets them fade, and drops them [STAT-5]", () => {
  const clock = manualClock();
  const changes = createRecentChanges(clock);
  changes.note(reserved("otter", "a", "b", "c"));
  clock.advance(6_000);
  changes.note(event("work-item.claimed", { owner: { name: "heron" }, workItem: { title: "rate limits" } }));
  expect(changes.shown(shop, undefined)).toEqual(["heron claimed rate limits", "otter reserved 3 files"]);
  expect(changes.shown(shop, "heron")).toEqual(["otter reserved 3 files"]);
  clock.advance(6_000);
  expect(changes.shown(shop, undefined)).toEqual(["heron claimed rate limits", "otter reserved"]);
  clock.advance(19_000);
  expect(changes.shown(shop, undefined)).toEqual(["heron claimed"]);
  clock.advance(10_000);
  expect(changes.shown(shop, undefined)).toEqual([]);
});

it("shows three at the most, and nothing of another project or of what it cannot read [STAT-5]", () => {
  const changes = createRecentChanges(manualClock());
  for (const name of ["a", "b", "c", "d"]) changes.note(reserved(name, "x"));
  changes.note(event("agent.registered", { agent: { name: "spy" } }, bank));
  changes.note(event("agent.registered", { agent: null }));
  changes.note(event("from.the.future", {}));
  expect(changes.shown(shop, undefined)).toEqual(["d reserved 1 file", "c reserved 1 file", "b reserved 1 file"]);
});

it("counts the events of the last minute, project by project [STAT-2]", () => {
  const clock = manualClock();
  const changes = createRecentChanges(clock);
  for (let index = 0; index < 700; index++) changes.note(reserved("otter", "a"));
  expect([changes.perMinute(shop), changes.perMinute(bank)]).toEqual([500, 0]);
  clock.advance(30_000);
  changes.note(reserved("otter", "a"));
  clock.advance(31_000);
  expect(changes.perMinute(shop)).toBe(1);
});
