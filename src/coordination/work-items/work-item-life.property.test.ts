/**
 * Any interleaving of everything that can happen to work items. After each step: nothing is lost, tokens only grow, a new
 * owner has a new token, and `ready` is exactly what a newcomer could claim.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type DomainError, type RawInputOf, type WorkItem, type WorkItemId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import {
  claimWorkItem,
  closeWorkItem,
  giveUpWorkItem,
  handOffWorkItem,
  listWorkItems,
  markStuck,
  readyWorkItems,
  reportProgress,
  updateWorkItem,
} from "./index.ts";
import { createItem, input } from "./testkit.ts";

const names = ["heron", "otter", "lynx"] as const;
type Name = (typeof names)[number];
const settings = {
  claimTtlMs: 10_000,
  stallAfterMs: 6_000,
  answerWithinMs: 3_000,
  staleAfterMs: 8_000,
  maxClaimsPerAgent: 2,
};
const deeds = [
  "create",
  "claim",
  "claim",
  "claim",
  "unclaim",
  "release",
  "close",
  "stuck",
  "progress",
  "ask",
  "accept",
  "decline",
  "give",
  "block",
  "open",
  "depend",
  "call",
  "end",
  "return",
  "advance",
  "advance",
  "sweep",
  "restart",
] as const;
const step = fc.record({
  deed: fc.constantFrom(...deeds),
  by: fc.constantFrom(...names),
  to: fc.constantFrom(...names),
  item: fc.nat({ max: 20 }),
  other: fc.nat({ max: 20 }),
  ms: fc.constantFrom(500, 2_000, 5_000, 9_000),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

it("keeps one owner, growing tokens and every item, and never lets a blocked item be claimed [WRK-2, WRK-8]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      using world = await openWorld();
      for (const step of steps) await world.take(step);
    }),
    { numRuns: 25 },
  );
});

async function openWorld() {
  let ports: ScratchPorts = scratchPorts(settings);
  const calls = new Map<Name, AgentCall>();
  for (const name of names) calls.set(name, await ports.caller(name));
  const callOf = (name: Name): AgentCall => ({ ...calls.get(name)!, transact: ports.store.transact });
  const ids: WorkItemId[] = [];
  for (let count = 0; count < 3; count++) ids.push((await createItem(callOf("heron"), ports)).id);
  const idAt = (index: number): WorkItemId => ids[index % ids.length]!;

  async function act({ deed, by, to, item, other, ms }: Step): Promise<unknown> {
    const [id, call] = [idAt(item), callOf(by)];
    const handoff = (terms: Omit<RawInputOf<"work-item.handoff">, "id">) =>
      handOffWorkItem(input("work-item.handoff", { id, ...terms }), call, ports);
    const update = (terms: Omit<RawInputOf<"work-item.update">, "id">) =>
      updateWorkItem(input("work-item.update", { id, ...terms }), call, ports);
    switch (deed) {
      case "create":
        return ids.push((await createItem(call, ports, { dependsOn: [id] })).id);
      case "claim":
        return claimWorkItem(id, call, ports);
      case "unclaim":
        return giveUpWorkItem(id, "kept", call, ports);
      case "release":
        return giveUpWorkItem(id, "reopened", call, ports);
      case "close":
        return closeWorkItem({ id, reason: "done" }, call, ports);
      case "stuck":
        return markStuck({ id, reason: "no answer" }, call, ports);
      case "progress":
        return reportProgress(input("work-item.progress", { id, note: "on it" }), call, ports);
      case "ask":
        return handoff({});
      case "accept":
      case "decline":
        return handoff({ answer: deed });
      case "give":
        return handoff({ to });
      case "block":
        return update({ status: "blocked", reason: "waits" });
      case "open":
        return update({ status: "open" });
      case "depend":
        return update({ dependsOn: [idAt(other)] });
      case "call":
        return ports.hear(call);
      case "end":
        return endAgent(call.caller.agent.id, call, ports);
      case "return":
        return ports.caller(by);
      case "advance":
        return ports.clock.advance(ms);
      case "sweep": {
        const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
        await sweeper.sweep();
        return sweeper.stop();
      }
      case "restart":
        await ports.liveness.flush();
        ports = ports.restart();
        return undefined;
    }
  }

  async function look(): Promise<ReadonlyMap<string, WorkItem>> {
    const { items } = await listWorkItems(input("work-item.list", {}), callOf("heron").caller, ports);
    return new Map(items.map((each) => [each.id, each]));
  }

  return {
    async take(step: Step): Promise<void> {
      const before = await look();
      const ready = new Set(await readyIds(callOf("heron"), ports));
      const id = idAt(step.item);
      const refusal = await act(step).then(
        () => undefined,
        (error: unknown) => (error as DomainError).code ?? expect.fail(String(error)),
      );
      const after = await look();
      expect([...after.keys()].toSorted()).toEqual(ids.toSorted());
      for (const [key, was] of before) expectSound(was, after.get(key)!);
      if (step.deed !== "claim" || before.get(id)?.owner?.name === step.by) return;
      if (refusal === undefined) expect([step, ready.has(id)]).toEqual([step, true]);
      else if (refusal !== "claim.limit" && refusal !== "agent.ended")
        expect([step, ready.has(id)]).toEqual([step, false]);
    },
    [Symbol.dispose]: () => ports[Symbol.dispose](),
  };
}

async function readyIds({ caller }: AgentCall, ports: ScratchPorts): Promise<readonly string[]> {
  return (await readyWorkItems(input("work-item.ready", { limit: 500 }), caller, ports)).items.map(({ id }) => id);
}

function expectSound(was: WorkItem, is: WorkItem): void {
  expect(is.attempts).toBeGreaterThanOrEqual(was.attempts);
  expect(is.version).toBeGreaterThanOrEqual(was.version);
  if (is.owner !== undefined && is.owner.id !== was.owner?.id) expect(is.attempts).toBe(was.attempts + 1);
  if (is.owner !== undefined) expect(is.status).toBe("in_progress");
  if (is.owner === undefined)
    expect([is.claimedAt, is.askedAt, is.handoffRequest]).toEqual([undefined, undefined, undefined]);
}
