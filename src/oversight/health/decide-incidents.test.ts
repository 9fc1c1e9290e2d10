import { expect, it } from "vitest";
import { type Change, decideIncidents, type HealthState, noTrouble } from "./decide-incidents.ts";
import type { Report } from "./report.ts";
import { failure } from "./testkit.ts";

const minuteMs = 60_000;
const start = 1_000 * minuteMs;

/** Reports at times after the start, and what came of them. */
function decideAll(...reports: readonly Report[]): { state: HealthState; changes: readonly Change[] } {
  let state = noTrouble;
  const changes: Change[] = [];
  for (const report of reports) {
    const at = start + report.at;
    const decision = decideIncidents(state, { ...report, at }, at);
    state = decision.state;
    changes.push(...decision.changes);
  }
  return { state, changes };
}

it("makes one incident of components that fail within a minute with one cause, and names the cause [HLTH-3]", () => {
  const { state, changes } = decideAll(
    failure("pre-edit", { at: 0, error: "database or disk is full" }),
    failure("session-start", { at: 30_000, error: "ENOSPC: no space left on device" }),
    failure("changes", { at: 40_000, kind: "daemon", error: "its disk is full (database or disk is full)" }),
  );
  expect(changes.map(({ what }) => what)).toEqual(["opened", "joined"]);
  expect(state.incidents).toMatchObject([
    { cause: "disk-full", rule: "correlated", failures: 3, openedAt: start, lastFailureAt: start + 40_000 },
  ]);
  expect(state.incidents[0]!.components).toHaveLength(3);
});

it("counts no report with the label of a rehearsal: its failure is not trouble, its success does not end any", () => {
  const failures = (more: Partial<Report>) =>
    [0, 1, 2, 3].map((at) => failure("main", { kind: "provider", error: "socket hang up", at, ...more }));
  expect(decideAll(...failures({ label: "rehearsal" }))).toEqual({ state: noTrouble, changes: [] });
  const { state } = decideAll(...failures({ label: "staging" }), {
    ...failure("main", { kind: "provider", at: 4, label: "rehearsal" }),
    outcome: "ok",
  });
  expect(state.incidents).toMatchObject([{ failures: 4, recoveredAt: undefined }]);
});

it.each([
  ["connect ENOENT /home/u/.sylk/sylk.sock", "daemon-down"],
  ["the daemon does not answer in time", "daemon-down"],
  ["SQLITE_BUSY: database is locked", "store-locked"],
  ["store.unavailable: The store cannot be used: it is read-only", "store-unusable"],
  ["segmentation fault at 0x7f3a", "unknown"],
] as const)("reads the cause of %j: %s [HLTH-3]", (error, cause) => {
  const { state } = decideAll(failure("pre-edit", { error }), failure("pre-commit", { error, at: 1_000 }));
  expect(state.incidents).toMatchObject([{ cause }]);
});

it("takes any failure of a provider for the provider's, unless it says otherwise [HLTH-3]", () => {
  const down = { kind: "provider", error: "socket hang up" } as const;
  expect(decideAll(failure("main", down), failure("spare", { ...down, at: 9 })).state.incidents).toMatchObject([
    { cause: "provider-down" },
  ]);
});

it("keeps apart what fails for different reasons, or more than a minute apart [HLTH-3]", () => {
  expect(
    decideAll(failure("a"), failure("b", { error: "database is locked" }), failure("c", { at: minuteMs + 1 })).changes,
  ).toEqual([]);
});

it("escalates the fourth failure within five minutes, not the third, and not one in each of many [HLTH-4]", () => {
  const nth = (count: number, everyMs: number) =>
    Array.from({ length: count }, (_, index) => failure("pre-edit", { error: "oops", at: index * everyMs }));
  expect(decideAll(...nth(3, 1_000)).changes).toEqual([]);
  expect(decideAll(...nth(4, 1_000)).changes).toMatchObject([
    { what: "opened", incident: { rule: "repeated", escalatedAt: start + 3_000, failures: 4 } },
  ]);
  expect(decideAll(...nth(30, 2 * minuteMs)).changes).toEqual([]);
});

it("escalates an incident of several components once it lasts [HLTH-4]", () => {
  const { changes } = decideAll(...[0, 1, 2, 3, 4].map((index) => failure(`hook-${index % 2}`, { at: index * 1_000 })));
  expect(changes.map(({ what }) => what)).toEqual(["opened", "joined", "escalated", "joined"]);
});

it("alerts when an agent has failed three times in an hour, whatever the reason [HLTH-4]", () => {
  const times = (...minutes: readonly number[]) =>
    decideAll(
      ...minutes.map((minute) =>
        failure("fd-safety", { kind: "agent", outcome: "timed-out", error: `e${minute}`, at: minute * minuteMs }),
      ),
    );
  expect(times(0, 29, 58).changes).toMatchObject([
    { what: "opened", incident: { rule: "agent-failing", key: "agent fd-safety", failures: 3 } },
  ]);
  expect(times(0, 35, 70, 105).changes).toEqual([]);
});

it("resolves after five quiet minutes with a success, and not without one [HLTH-4]", () => {
  const four = [0, 1, 2, 3].map((at) => failure("pre-edit", { error: "oops", at }));
  const { state } = decideAll(...four);
  const later = start + 100 + 5 * minuteMs;
  expect(decideIncidents(state, undefined, later).changes).toEqual([]);
  const worked = decideIncidents(state, { ...failure("pre-edit"), outcome: "ok", at: start + 100 }, start + 100);
  expect(decideIncidents(worked.state, undefined, later - 1).changes).toEqual([]);
  expect(decideIncidents(worked.state, undefined, later).changes).toMatchObject([{ what: "resolved", how: "quiet" }]);
});

it("starts the quiet time anew with each failure [HLTH-4]", () => {
  const four = [0, 1, 2, 3].map((at) => failure("pre-edit", { error: "oops", at }));
  const { state } = decideAll(
    ...four,
    { ...failure("pre-edit"), outcome: "ok", at: 100 },
    failure("pre-edit", { error: "oops", at: 4 * minuteMs }),
  );
  expect(decideIncidents(state, undefined, start + 60 * minuteMs).changes).toEqual([]);
});

it("lets any work of the daemon show that the daemon is back [HLTH-3]", () => {
  const down = ["pre-edit", "pre-commit"].map((component) => failure(component, { error: "daemon down" }));
  const { state } = decideAll(...down, { kind: "daemon", component: "reads", outcome: "ok", at: 10 });
  expect(decideIncidents(state, undefined, start + 10 + 5 * minuteMs).changes).toMatchObject([{ what: "resolved" }]);
});

it("counts a decision without protection as trouble, an edit without a read as none [HLTH-2, HLTH-8]", () => {
  const each = (outcome: Report["outcome"]) => decideAll(...["a", "b"].map((name) => failure(name, { outcome })));
  expect(each("degraded").changes).toMatchObject([{ what: "opened" }]);
  expect(each("edit-without-read").changes).toEqual([]);
  expect(each("unguarded").changes).toEqual([]);
});
