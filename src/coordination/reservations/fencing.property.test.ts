/**
 * Random histories of three agents, two of them in one working tree: after every step each number that was ever issued, and
 * some that never were, is shown at the gates for each file. The model only keeps what answers said when a token was issued.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput, type DomainError, type Reservation } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { glob, matches } from "../globs/index.ts";
import { repository, scratchPorts, worktree, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { acquireReservation, checkPaths, listReservations, releaseReservation, renewReservation } from "./index.ts";

const names = ["heron", "otter", "lynx"] as const;
type Name = (typeof names)[number];

const files = ["a/1", "a/2", "b/1", "b/2"];
const requests = [
  { paths: ["a/1"], patterns: [] },
  { paths: ["a/1", "a/2"], patterns: [] },
  { paths: ["a/2", "b/1"], patterns: [] },
  { paths: ["b/2"], patterns: [] },
  { paths: ["a/1"], patterns: ["b/*"] },
  { paths: [], patterns: ["*/2"] },
] as const;

type Step =
  | { readonly kind: "acquire"; readonly by: Name; readonly request: number; readonly mode: "exclusive" | "shared" }
  | { readonly kind: "renew" | "free"; readonly by: Name; readonly which: number }
  | { readonly kind: "leave"; readonly by: Name }
  | { readonly kind: "elapse"; readonly ms: number }
  | { readonly kind: "restart" };

const by = fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("acquire" as const),
      by,
      request: fc.nat(requests.length - 1),
      mode: fc.constantFrom("exclusive" as const, "exclusive" as const, "shared" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom("renew" as const, "free" as const), by, which: fc.nat(5) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), by }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("elapse" as const), ms: fc.constantFrom(1_000, 3_000, 5_000) }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "restart" }) },
);

const rules = { ttlMs: 4_000, maxTtlMs: 4_000, graceMs: 2_000, contestedMaxMs: 4_000, signsOfLifeRenew: false };

it("accepts a token for the hold and the paths it was issued for, and no other number, over widen, free, renew, expiry and takeover [RSV-17]", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 25 }), async (steps) => {
      using world = await openWorld();
      for (const one of steps) {
        await world.perform(one);
        expect([one, await world.accepted()]).toEqual([one, await world.expected()]);
      }
    }),
    { numRuns: 60 },
  );
});

type Issued = { readonly by: Name; readonly id: Reservation["id"]; readonly files: readonly string[] };

async function openWorld() {
  let ports: ScratchPorts = scratchPorts(rules);
  const shop = repository(ports.folder, "shop");
  const trees = { heron: shop, otter: shop, lynx: worktree(ports.folder, shop, "feature") };
  const calls = new Map<Name, AgentCall>();
  for (const name of names) calls.set(name, await ports.caller(name, trees[name]));
  const callOf = (name: Name): AgentCall => ({ ...calls.get(name)!, transact: ports.store.transact });
  const issued = new Map<number, Issued>();
  const granted: Reservation["id"][] = [];

  function learn(by: Name, { id, fencingToken, paths, patterns }: Reservation): void {
    if (!granted.includes(id)) granted.push(id);
    const globs = patterns.map((text) => glob(text));
    const named = files.filter((file) => paths.includes(file) || globs.some((one) => matches(one, file)));
    if (!issued.has(fencingToken)) issued.set(fencingToken, { by, id, files: named });
  }

  async function act(one: Step): Promise<void> {
    switch (one.kind) {
      case "acquire": {
        const { paths, patterns } = requests[one.request]!;
        const wanted = { paths: [...paths], patterns: [...patterns], mode: one.mode };
        const input = parseInput(operations["reservation.acquire"], wanted);
        return learn(one.by, (await acquireReservation(input, callOf(one.by), ports)).reservation);
      }
      case "renew": {
        const id = granted[one.which];
        if (id === undefined) return;
        const before = new Set(issued.keys());
        learn(one.by, (await renewReservation({ id, changed: true }, callOf(one.by), ports)).reservation);
        const isTakenBack = issued.size > before.size;
        // It had run out: what was issued before ended with it.
        if (isTakenBack) for (const token of before) if (issued.get(token)?.id === id) issued.delete(token);
        return;
      }
      case "free": {
        const id = granted[one.which];
        if (id !== undefined) await releaseReservation(id, callOf(one.by), ports);
        return;
      }
      case "leave":
        await endAgent(callOf(one.by).caller.agent.id, callOf(one.by), ports);
        calls.set(one.by, await ports.caller(one.by, trees[one.by]));
        return;
      case "elapse":
        return ports.clock.advance(one.ms);
      case "restart":
        await ports.liveness.flush();
        ports = ports.restart({ downMs: 60_000 });
    }
  }

  const numbers = () => Array.from({ length: Math.max(0, ...issued.keys()) + 2 }, (_, index) => index + 1);

  return {
    perform: (one: Step) =>
      act(one).catch((error: unknown) => {
        if ((error as DomainError).family === undefined) throw error; // refused by a rule is part of the history
      }),
    /** "heron 3 a/1": the agent showed the number for the file, and was believed. */
    async accepted(): Promise<readonly string[]> {
      const seen: string[] = [];
      for (const by of names)
        for (const fencingToken of numbers())
          for (const file of files)
            await checkPaths({ paths: [file], fencingToken }, callOf(by).caller, ports).then(
              () => seen.push(`${by} ${fencingToken} ${file}`),
              (error: unknown) => expect((error as DomainError).code).toBe("lease.lost"),
            );
      return seen;
    },
    async expected(): Promise<readonly string[]> {
      const everyone = { kind: "user", project: undefined } as const;
      const { items } = await listReservations(parseInput(operations["reservation.list"], {}), everyone, ports);
      const live = new Set(items.map(({ id }) => id));
      return names.flatMap((by) =>
        numbers().flatMap((token) => {
          const one = issued.get(token);
          if (one === undefined || one.by !== by || !live.has(one.id)) return [];
          return files.filter((file) => one.files.includes(file)).map((file) => `${by} ${token} ${file}`);
        }),
      );
    },
    [Symbol.dispose]: () => ports[Symbol.dispose](),
  };
}
