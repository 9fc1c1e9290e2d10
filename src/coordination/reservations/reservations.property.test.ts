/**
 * Random histories of three agents over a few paths, two of them in one working tree and one in another.
 *
 * The first property predicts every answer by a model that knows nothing of patterns: each request names its files. The
 * second lets the agents act at the same time and checks what must hold whatever the order was.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput, type DomainError, type Reservation } from "../../contract/index.ts";
import { endAgent } from "../departure/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { repository, scratchPorts, worktree, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { acquireReservation, listReservations, releaseReservation, renewReservation } from "./index.ts";

const names = ["heron", "otter", "lynx"] as const;
type Name = (typeof names)[number];

/** What can be asked for, with the files of this small world that it covers. */
const requests = [
  { paths: ["a/1"], patterns: [], files: ["a/1"] },
  { paths: ["a/2", "b/1"], patterns: [], files: ["a/2", "b/1"] },
  { paths: [], patterns: ["a/*"], files: ["a/1", "a/2"] },
  { paths: [], patterns: ["*/1"], files: ["a/1", "b/1"] },
  { paths: ["b/1"], patterns: ["a/2"], files: ["a/2", "b/1"] },
  { paths: [], patterns: ["**"], files: ["a/1", "a/2", "b/1"] },
] as const;

type Step =
  | {
      readonly kind: "acquire";
      readonly by: Name;
      readonly request: number;
      readonly mode: "exclusive" | "shared";
      readonly scope: "tree" | "repository";
      readonly ttlMs: number;
    }
  | { readonly kind: "renew" | "release"; readonly by: Name; readonly which: number }
  | { readonly kind: "end" | "return"; readonly by: Name }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "sweep" | "restart" };

const by = fc.constantFrom(...names);
const acquiring = fc.record({
  kind: fc.constant("acquire" as const),
  by,
  request: fc.nat(requests.length - 1),
  mode: fc.constantFrom("exclusive" as const, "shared" as const),
  scope: fc.constantFrom("tree" as const, "tree" as const, "repository" as const),
  ttlMs: fc.constantFrom(1_000, 4_000, 9_000),
});
const touching = fc.record({ kind: fc.constantFrom("renew" as const, "release" as const), by, which: fc.nat(9) });
const advancing = fc.record({ kind: fc.constant("advance" as const), ms: fc.constantFrom(500, 1_000, 3_000) });
const departing = fc.record({ kind: fc.constantFrom("end" as const, "return" as const), by });
const stepsWith = (acquires: readonly Step[]): fc.Arbitrary<Step> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...acquires) },
    { weight: 4, arbitrary: touching },
    { weight: 4, arbitrary: advancing },
    { weight: 1, arbitrary: departing },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: "sweep" }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: "restart" }) },
  );
/** Few different requests in one history, so that they meet, and meet again. */
const historyOf = <Part>(part: (step: fc.Arbitrary<Step>) => fc.Arbitrary<Part>, maxLength: number) =>
  fc
    .array(acquiring, { minLength: 1, maxLength: 5 })
    .chain((acquires) => fc.array(part(stepsWith(acquires)), { maxLength }));

const maxPerAgent = 5;

it("answers every request as the rules say, over expiry, sweeps, departures and restarts", async () => {
  await fc.assert(
    fc.asyncProperty(
      historyOf((step) => step, 40),
      async (steps) => {
        using world = await openWorld();
        const model = createModel();
        for (const step of steps) {
          const answer = await world.perform(step);
          expect([step, answer]).toEqual([step, model.perform(step)]);
          expect(await world.live()).toEqual(model.live());
        }
      },
    ),
    { numRuns: 50 },
  );
});

it("never lets two agents hold overlapping paths unless both share them, and fencing tokens only grow [RSV-1]", async () => {
  await fc.assert(
    fc.asyncProperty(
      historyOf((step) => fc.array(step, { minLength: 1, maxLength: 5 }), 12),
      async (turns) => {
        using world = await openWorld();
        for (const steps of turns) {
          const alone = steps.some(({ kind }) => kind === "restart");
          if (alone) for (const step of steps) await world.perform(step);
          else await Promise.all(steps.map((step) => world.perform(step)));
          expect(clashesIn(await world.liveReservations())).toEqual([]);
        }
        const tokens = (await world.events())
          .filter(({ type }) => type === "reservation.acquired")
          .map(({ data }) => (data.reservation as Reservation).fencingToken);
        expect(tokens).toEqual(tokens.map((_, index) => index + 1));
      },
    ),
    { numRuns: 50 },
  );
});

type Terms = Pick<Reservation, "holder" | "mode" | "scope" | "tree" | "paths" | "patterns">;

function filesOf({ paths, patterns }: Pick<Terms, "paths" | "patterns">): readonly string[] {
  const named = (request: (typeof requests)[number]) => JSON.stringify([request.paths, request.patterns]);
  return requests.find((request) => named(request) === JSON.stringify([paths, patterns]))!.files;
}

function clashesIn(live: readonly Terms[]): readonly (readonly [Terms, Terms])[] {
  return live.flatMap((one, index) =>
    live
      .slice(index + 1)
      .filter((other) => clash(one, other))
      .map((other) => [one, other] as const),
  );
}

function clash(one: Terms, other: Terms): boolean {
  return (
    one.holder.id !== other.holder.id &&
    (one.mode === "exclusive" || other.mode === "exclusive") &&
    (one.tree === other.tree || one.scope === "repository" || other.scope === "repository") &&
    filesOf(one).some((file) => filesOf(other).includes(file))
  );
}

/** Reservations are known by the order of their grant, in the world and in the model alike. */
type Live = { readonly number: number; readonly by: Name; readonly leftMs: number; readonly ttlMs: number };

async function openWorld() {
  let ports: ScratchPorts = scratchPorts({ maxPerAgent });
  const shop = repository(ports.folder, "shop");
  const trees = { heron: shop, otter: shop, lynx: worktree(ports.folder, shop, "feature") };
  const calls = new Map<Name, AgentCall>();
  const granted: Reservation["id"][] = [];
  for (const name of names) calls.set(name, await ports.caller(name, trees[name]));

  const callOf = (name: Name): AgentCall => ({ ...calls.get(name)!, transact: ports.store.transact });
  const everyone = { kind: "user", project: undefined } as const;
  const liveReservations = async () =>
    (await listReservations(parseInput(operations["reservation.list"], {}), everyone, ports)).items;

  async function acquire({ by, request, mode, scope, ttlMs }: Extract<Step, { kind: "acquire" }>): Promise<string> {
    const { paths, patterns } = requests[request]!;
    const wanted = { paths: [...paths], patterns: [...patterns], mode, scope, ttlMs };
    const { reservation } = await acquireReservation(wanted, callOf(by), ports);
    if (granted.includes(reservation.id)) return `renewed ${granted.indexOf(reservation.id) + 1}`;
    granted.push(reservation.id);
    return `granted ${reservation.fencingToken}`;
  }

  async function act(step: Step): Promise<string> {
    switch (step.kind) {
      case "acquire":
        return acquire(step);
      case "renew":
      case "release": {
        const id = granted[step.which];
        if (id === undefined) return "no such reservation";
        await (step.kind === "renew" ? renewReservation : releaseReservation)(id, callOf(step.by), ports);
        return "done";
      }
      case "end":
        await endAgent(callOf(step.by).caller.agent.id, callOf(step.by), ports);
        return "done";
      case "return":
        await ports.caller(step.by, trees[step.by]);
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
    /** What was answered, or the code it was refused with. */
    perform: (step: Step): Promise<string> => act(step).catch((error: unknown) => (error as DomainError).code),
    liveReservations,
    live: async (): Promise<readonly Live[]> =>
      (await liveReservations())
        .map(({ id, holder, ttlMs, expiresAt }) => ({
          number: granted.indexOf(id) + 1,
          by: holder.name as Name,
          ttlMs,
          leftMs: expiresAt - ports.clock.now(),
        }))
        .sort((a, b) => a.number - b.number),
    events: () => ports.events(),
    [Symbol.dispose]: () => ports[Symbol.dispose](),
  };
}

type Row = {
  readonly number: number;
  readonly terms: Extract<Step, { kind: "acquire" }>;
  ttlMs: number;
  deadline: number;
  ended: boolean;
};

/** The rules over plain lists; time is a number that only `advance` moves. */
function createModel() {
  const rows: Row[] = [];
  const gone = new Set<Name>();
  let now = 0;
  const standing = () => rows.filter(({ ended }) => !ended);
  const isLive = ({ ended, deadline }: Row) => !ended && deadline > now;

  function acquire(terms: Extract<Step, { kind: "acquire" }>): string {
    if (gone.has(terms.by)) return "agent.ended";
    const same = standing().find((row) => sameTerms(row.terms, terms));
    if (same !== undefined && isLive(same)) {
      same.ttlMs = Math.max(same.ttlMs, terms.ttlMs);
      same.deadline = Math.max(same.deadline, now + same.ttlMs);
      return `renewed ${same.number}`;
    }
    const rivals = standing().filter((row) => clash(asTerms(row.terms), asTerms(terms)));
    if (rivals.some(isLive)) return "reservation.conflict";
    const used = rows.filter((row) => isLive(row) && row.terms.by === terms.by).map(({ terms }) => sizeOf(terms));
    if (used.reduce((sum, size) => sum + size, sizeOf(terms)) > maxPerAgent) return "reservation.limit";
    for (const row of rivals) row.ended = true;
    if (same !== undefined) same.ended = true;
    const number = rows.length + 1;
    rows.push({ number, terms, ttlMs: terms.ttlMs, deadline: now + terms.ttlMs, ended: false });
    return `granted ${number}`;
  }

  function touch({ kind, by, which }: Extract<Step, { kind: "renew" | "release" }>): string {
    const row = rows[which];
    if (row === undefined) return "no such reservation";
    if (row.terms.by !== by) return "caller.denied";
    if (!isLive(row)) return "lease.lost";
    if (kind === "release") row.ended = true;
    else row.deadline = Math.max(row.deadline, now + row.ttlMs);
    return "done";
  }

  return {
    perform(step: Step): string {
      if (step.kind === "acquire") return acquire(step);
      if (step.kind === "renew" || step.kind === "release") return touch(step);
      if (step.kind === "end") {
        gone.add(step.by);
        for (const row of rows) if (row.terms.by === step.by) row.ended = true;
      }
      if (step.kind === "return") gone.delete(step.by);
      if (step.kind === "advance") now += step.ms;
      if (step.kind === "sweep") for (const row of standing()) row.ended = !isLive(row);
      if (step.kind === "restart") for (const row of standing()) row.deadline = now + row.ttlMs;
      return "done";
    },
    live: (): readonly Live[] =>
      rows
        .filter(isLive)
        .map(({ number, terms: { by }, ttlMs, deadline }) => ({ number, by, ttlMs, leftMs: deadline - now })),
  };
}

function sizeOf({ request }: Extract<Step, { kind: "acquire" }>): number {
  const { paths, patterns } = requests[request]!;
  return paths.length + patterns.length;
}

function sameTerms(a: Extract<Step, { kind: "acquire" }>, b: Extract<Step, { kind: "acquire" }>): boolean {
  return a.by === b.by && a.request === b.request && a.mode === b.mode && a.scope === b.scope;
}

function asTerms({ by, request, mode, scope }: Extract<Step, { kind: "acquire" }>): Terms {
  const { paths, patterns } = requests[request]!;
  const holder = { id: by as never, name: by, client: "other" } as const;
  return { holder, mode, scope, tree: by === "lynx" ? "feature" : "shop", paths: [...paths], patterns: [...patterns] };
}
