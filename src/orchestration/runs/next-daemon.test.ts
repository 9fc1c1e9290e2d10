import { describe, expect, it } from "vitest";
import type { Executors } from "../graphs/index.ts";
import type { RunRecord } from "./store.ts";
import { playedRuns, until } from "./testkit.ts";

const asking = { options: { approve: false } as RunRecord["options"] };

/** The first one does its work; the others never end, as if their daemon was killed meanwhile. */
function stuckAfterOne() {
  const begun: string[] = [];
  const engineer: Executors["engineer"] = async ({ spec }) => {
    begun.push(spec.title);
    return spec.title === "One" ? { summary: "done" } : new Promise(() => {});
  };
  return { begun, engineer };
}

describe("a daemon that starts", () => {
  it("continues what was under way and nothing else; what was done is not repeated", async () => {
    const { engineer } = stuckAfterOne();
    using at = playedRuns({ engineer });
    const [works, asks, paused] = [await at.begin(), await at.begin(asking), await at.begin(asking)];
    for (const { id } of [asks, paused]) await at.reaches(id, "awaiting_approval");
    await at.call("run.interrupt", { id: paused.id });
    await until(async () =>
      (await at.nodesOf(works.id)).some(({ spec, record }) => spec.title === "One" && record.state === "succeeded"),
    );
    const ended = await at.add({ status: "verified" });
    await at.addGraph(ended, undefined, { status: "succeeded" });
    const next = playedRuns({}, at);
    await next.host.resumeAll({ autoResume: true });
    await next.host.over(works.id);
    expect(next.deeds).toEqual(["engineer", "check", "check", "judge", "conclude", "commit"]);
    const statuses = await Promise.all([works, asks, paused, ended].map(async ({ id }) => (await at.statusOf(id))[0]));
    expect(statuses).toEqual(["verified", "awaiting_approval", "paused", "verified"]);
    expect(
      (await at.approvalsOf(asks.id)).map(({ status }) => status),
      "asked once",
    ).toEqual(["waiting"]);
  });

  it("leaves it paused when it is told not to continue, with no node shown as running", async () => {
    const { engineer } = stuckAfterOne();
    using at = playedRuns({ engineer });
    const { id } = await at.begin();
    await until(async () => {
      const states = (await at.nodesOf(id)).map(({ spec, record }) => `${spec.title} ${record.state}`);
      return states.includes("One succeeded") && states.includes("Two running");
    });
    const next = playedRuns({}, at);
    await next.host.resumeAll({ autoResume: false });
    expect(await at.statusOf(id)).toEqual(["paused", `the daemon stopped; continue with "sylk resume ${id}"`]);
    const work = (await next.call("run.get", { id })).run.nodes.filter(({ kind }) => kind === "engineer");
    expect(work.map(({ state, cause }) => [state, cause])).toEqual([
      ["succeeded", undefined],
      ["queued", "interrupted"],
    ]);
    expect(next.deeds).toEqual([]);
    await next.call("run.resume", { id });
    await next.host.over(id);
    expect((await at.statusOf(id))[0]).toBe("verified");
  });
});

describe("a daemon that stops", () => {
  it("stops the work and what goes with it, and starts nothing, while the runs stay under way", async () => {
    const rested: string[] = [];
    const begun: string[] = [];
    using at = playedRuns({
      engineer: ({ spec, context }) => {
        begun.push(spec.title);
        const { promise, reject } = Promise.withResolvers<never>();
        context.signal.addEventListener("abort", () => reject(new Error("stopped")));
        return promise;
      },
      companionOf: ({ id }) => ({
        rest: async () => void rested.push(`rest ${id}`),
        close: async () => void rested.push(`close ${id}`),
      }),
    });
    const { id } = await at.begin();
    await until(() => begun.length === 2);
    await at.host.close();
    expect([(await at.statusOf(id))[0], rested]).toEqual(["running", [`rest ${id}`]]);
    const states = (await at.nodesOf(id))
      .filter(({ spec }) => spec.kind === "engineer")
      .map(({ record }) => record.state);
    expect(states).toEqual(["queued", "queued"]);
    await expect(at.begin()).rejects.toThrow("the daemon is stopping");
  });
});

describe("a run with a companion", () => {
  it("has it while it is under way: it rests when the run is interrupted, and closes when the run is over", async () => {
    const told: string[] = [];
    using at = playedRuns({
      companionOf: () => {
        told.push("open");
        return { rest: async () => void told.push("rest"), close: async () => void told.push("close") };
      },
    });
    const { id } = await at.begin(asking);
    await at.reaches(id, "awaiting_approval");
    expect(told).toEqual(["open"]);
    await at.call("run.interrupt", { id });
    expect(new Set(told)).toEqual(new Set(["open", "rest"]));
    await at.call("run.cancel", { id });
    expect(told.at(-1)).toBe("close");
  });
});

it("a run that was cancelled stays so, whatever its work still has to say [RUN-2]", async () => {
  const begun: string[] = [];
  using at = playedRuns({
    engineer({ spec, context }) {
      begun.push(spec.title);
      const { promise, resolve } = Promise.withResolvers<object>();
      context.signal.addEventListener("abort", () => resolve({ summary: "done" }));
      return promise;
    },
  });
  const { id } = await at.begin();
  await until(() => begun.length === 2);
  expect((await at.call("run.cancel", { id })).run.status).toBe("cancelled");
  const work = (await at.nodesOf(id)).filter(({ spec }) => spec.kind === "engineer");
  expect(work.map(({ record }) => record.state)).toEqual(["cancelled", "cancelled"]);
  expect(at.deeds).not.toContain("check");
});
