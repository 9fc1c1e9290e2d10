/**
 * Random histories of three agents over three work items, the last of which waits for the first. A model over plain lists
 * predicts every answer; a race is several claims in one turn.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput, type DomainError, type WorkItemId } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { scratchPorts, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { claimWorkItem, closeWorkItem, createWorkItem, getWorkItem, giveUpWorkItem } from "./index.ts";

const names = ["heron", "otter", "lynx"] as const;
type Name = (typeof names)[number];
const items = [0, 1, 2] as const;
type Item = (typeof items)[number];

const claimTtlMs = 10_000;
const maxClaimsPerAgent = 2;

type Step =
  | { readonly kind: "claim" | "unclaim" | "release" | "close"; readonly by: Name; readonly item: Item }
  | { readonly kind: "race"; readonly order: readonly Name[]; readonly item: Item }
  | { readonly kind: "call" | "end" | "return"; readonly by: Name }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "sweep" | "restart" };

const by = fc.constantFrom(...names);
const item = fc.constantFrom(...items);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("claim" as const), by, item }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("race" as const), order: fc.shuffledSubarray([...names]), item }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("unclaim" as const, "release" as const, "release" as const),
      by,
      item,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), by, item }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("advance" as const), ms: fc.constantFrom(1_000, 5_000, 9_000) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("call" as const), by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("end" as const, "return" as const), by }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: "sweep" }, { kind: "restart" }) },
);

it("answers every claim as the rules say: one live owner, and a token that grows with each new one [WRK-2]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      using world = await openWorld();
      const model = createModel();
      for (const step of steps) {
        expect([step, await world.perform(step)]).toEqual([step, model.perform(step)]);
        expect(await world.state()).toEqual(model.state());
      }
    }),
    { numRuns: 50 },
  );
});

type ItemState = {
  readonly status: string;
  readonly owner: Name | undefined;
  readonly token: number;
  /** Of the claim, while it lives. */
  readonly leftMs: number | undefined;
};

async function openWorld() {
  let ports: ScratchPorts = scratchPorts({ claimTtlMs, maxClaimsPerAgent });
  const calls = new Map<Name, AgentCall>();
  for (const name of names) calls.set(name, await ports.caller(name));
  const callOf = (name: Name): AgentCall => ({ ...calls.get(name)!, transact: ports.store.transact });
  const ids: WorkItemId[] = [];
  for (const dependsOn of [[], [], [0]]) {
    const wanted = { title: "Rate-limit POST /orders", dependsOn: dependsOn.map((index) => ids[index]!) };
    const input = parseInput(operations["work-item.create"], wanted);
    ids.push((await createWorkItem(input, callOf("heron"), ports)).workItem.id);
  }
  const claim = (name: Name, item: Item) =>
    answer(claimWorkItem(ids[item]!, callOf(name), ports).then(({ lease }) => `token ${lease.fencingToken}`));

  async function act(step: Step): Promise<string> {
    switch (step.kind) {
      case "claim":
        return claim(step.by, step.item);
      case "race":
        return (await Promise.all(step.order.map((name) => claim(name, step.item)))).join(", ");
      case "unclaim":
      case "release":
        await giveUpWorkItem(ids[step.item]!, step.kind === "unclaim" ? "kept" : "reopened", callOf(step.by), ports);
        return "done";
      case "close":
        await closeWorkItem({ id: ids[step.item]!, reason: "done" }, callOf(step.by), ports);
        return "done";
      case "call":
        ports.hear(callOf(step.by));
        return "done";
      case "end":
        await endAgent(callOf(step.by).caller.agent.id, callOf(step.by), ports);
        return "done";
      case "return":
        await ports.caller(step.by);
        return "done";
      case "advance":
        ports.clock.advance(step.ms);
        return "done";
      case "sweep": {
        const sweeper = startSweeper({ ...ports, onFailed: (error) => expect.fail(String(error)) });
        await sweeper.sweep();
        sweeper.stop();
        return "done";
      }
      case "restart":
        await ports.liveness.flush();
        ports = ports.restart({ downMs: 100_000 });
        return "done";
    }
  }

  return {
    perform: (step: Step) => answer(act(step)),
    state: async (): Promise<readonly ItemState[]> =>
      Promise.all(
        ids.map(async (id) => {
          const { workItem, lease } = await getWorkItem(id, callOf("heron").caller, ports);
          return {
            status: workItem.status,
            owner: workItem.owner?.name as Name | undefined,
            token: workItem.attempts,
            leftMs: lease && lease.expiresAt - ports.clock.now(),
          };
        }),
      ),
    [Symbol.dispose]: () => ports[Symbol.dispose](),
  };
}

/** What was answered, or the code it was refused with. */
function answer(outcome: Promise<string>): Promise<string> {
  return outcome.catch((error: unknown) => (error as DomainError).code);
}

type Row = { status: string; owner: Name | undefined; token: number };

function createModel() {
  const rows: Row[] = items.map(() => ({ status: "open", owner: undefined, token: 0 }));
  const gone = new Set<Name>();
  const heardAt: Record<Name, number> = { heron: 0, otter: 0, lynx: 0 };
  let now = 0;
  const leftOf = ({ owner }: Row) => (owner === undefined ? 0 : Math.max(0, claimTtlMs - (now - heardAt[owner])));

  function claim(by: Name, item: Item): string {
    const row = rows[item]!;
    if (gone.has(by)) return "agent.ended";
    if (row.owner === by) return `token ${row.token}`;
    if (leftOf(row) > 0) return "claim.taken";
    if (row.status === "closed") return "work-item.closed";
    if (item === 2 && rows[0]!.status !== "closed") return "work-item.blocked";
    if (rows.filter(({ owner }) => owner === by).length >= maxClaimsPerAgent) return "claim.limit";
    Object.assign(row, { status: "in_progress", owner: by, token: row.token + 1 });
    return `token ${row.token}`;
  }
  function close(by: Name, item: Item): string {
    const row = rows[item]!;
    if (gone.has(by)) return "agent.ended";
    if (row.status === "closed") return "work-item.closed";
    if (row.owner !== by && leftOf(row) > 0) return "claim.taken";
    Object.assign(row, { status: "closed", owner: undefined });
    return "done";
  }
  function giveUp(kind: "unclaim" | "release", by: Name, item: Item): string {
    const row = rows[item]!;
    if (row.owner !== by) return "lease.lost";
    Object.assign(row, { owner: undefined, ...(kind === "release" ? { status: "open" } : {}) });
    return "done";
  }
  const reopen = (row: Row) => void Object.assign(row, { status: "open", owner: undefined });

  return {
    perform(step: Step): string {
      if (step.kind === "claim") return claim(step.by, step.item);
      if (step.kind === "race") return step.order.map((name) => claim(name, step.item)).join(", ");
      if (step.kind === "close") return close(step.by, step.item);
      if (step.kind === "unclaim" || step.kind === "release") return giveUp(step.kind, step.by, step.item);
      if (step.kind === "advance") now += step.ms;
      if (step.kind === "call" || step.kind === "return") heardAt[step.by] = now;
      if (step.kind === "return") gone.delete(step.by);
      if (step.kind === "end") {
        gone.add(step.by);
        rows.filter(({ owner }) => owner === step.by).forEach(reopen);
      }
      if (step.kind === "sweep") rows.filter((row) => row.owner !== undefined && leftOf(row) === 0).forEach(reopen);
      if (step.kind === "restart") for (const name of names) heardAt[name] = now;
      return "done";
    },
    state: (): readonly ItemState[] =>
      rows.map((row) => ({ ...row, leftMs: leftOf(row) > 0 ? leftOf(row) : undefined })),
  };
}
