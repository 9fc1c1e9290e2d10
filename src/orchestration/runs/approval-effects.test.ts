import { describe, expect, it } from "vitest";
import type { RunId } from "../../contract/index.ts";
import type { WorkspacePort } from "../sessions/index.ts";
import { playedRuns, type PlayedRuns } from "./testkit.ts";

const reliedOn: Partial<WorkspacePort> = { changes: async () => [{ path: "package.json", kind: "modified" }] };

async function unverified(at: PlayedRuns): Promise<{ readonly id: RunId; accept(): Promise<unknown> }> {
  const { id } = await at.begin();
  await at.host.over(id);
  expect((await at.statusOf(id))[0]).toBe("unverified");
  const asked = (await at.approvalsOf(id)).find(({ kind }) => kind === "evidence")!;
  return { id, accept: () => at.call("approval.decide", { id: asked.id, decision: "approve" }) };
}

describe("evidence that a person accepts", () => {
  it("has the run concluded again, which is all that runs, and verified [RUN-6]", async () => {
    using at = playedRuns({ workspaces: reliedOn });
    const { id, accept } = await unverified(at);
    at.deeds.length = 0;
    await accept();
    await at.host.over(id);
    expect(at.deeds).toEqual(["conclude", "commit"]);
    expect(await at.statusOf(id)).toEqual(["verified", undefined]);
    const told = (await at.events("run.status-changed")).map(({ data }) => [data.to, data.reason]);
    expect(told.slice(-2)).toEqual([
      ["running", "judging again"],
      ["verified", undefined],
    ]);
  });

  it.each(["merged", "discarded"] as const)("of a change that was %s changes nothing [RUN-9]", async (outcome) => {
    using at = playedRuns({ workspaces: reliedOn });
    const { id, accept } = await unverified(at);
    await at.store.transact("outcome", async (tx) => tx.runs.update({ ...(await tx.runs.find(id))!, outcome }));
    at.deeds.length = 0;
    await accept();
    expect([await at.statusOf(id), at.deeds]).toEqual([
      ["unverified", "the change touches what its checks rely on"],
      [],
    ]);
  });
});

it("a plan that is rejected ends its run before the decision is answered, with the reason [RUN-2]", async () => {
  using at = playedRuns();
  const { id } = await at.begin({ options: { approve: false } as never });
  await at.reaches(id, "awaiting_approval");
  const [asked] = await at.approvalsOf(id);
  await at.call("approval.decide", { id: asked!.id, decision: "reject", reason: "too much" });
  expect(await at.statusOf(id)).toEqual(["cancelled", "the plan was rejected: too much"]);
  expect(at.deeds).not.toContain("engineer");
  expect((await at.acts()).map(({ action }) => action)).toEqual(["approval.rejected"]);
});
