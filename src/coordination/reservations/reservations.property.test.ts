/**
 * Random histories of three agents over a few paths, two of them in one working tree and one in another.
 *
 * The first property predicts every answer by a model over plain lists of files. Where several holds block a request, the
 * world says which one it met first; the model checks that it may. The second lets the agents act at the same time and
 * checks what must hold whatever the order was.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { operations, parseInput, type DomainError, type Reservation } from "../../contract/index.ts";
import { endAgent } from "../agent-end/index.ts";
import { startSweeper } from "../sweeper/index.ts";
import { repository, scratchPorts, worktree, type AgentCall, type ScratchPorts } from "../testkit.ts";
import { glob, matches } from "../globs/index.ts";
import { acquireReservation, listReservations, releaseReservation, renewReservation } from "./index.ts";

const names = ["heron", "otter", "lynx"] as const;
type Name = (typeof names)[number];

/** What can be asked for. */
const requests = [
  { paths: ["a/1"], patterns: [] },
  { paths: ["a/2", "b/1"], patterns: [] },
  { paths: [], patterns: ["a/*"] },
  { paths: [], patterns: ["*/1"] },
  { paths: ["b/1"], patterns: ["a/2"] },
  { paths: [], patterns: ["**"] },
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

/** Short enough that histories meet each of them; signs of life have tests of their own. */
const rules = { maxPerAgent: 5, maxTtlMs: 8_000, graceMs: 2_000, contestedMaxMs: 5_000, signsOfLifeRenew: false };

it("answers every request as the rules say, over expiry, grace, sweeps, departures and restarts [RSV-3, RSV-8, RSV-15]", async () => {
  await fc.assert(
    fc.asyncProperty(
      historyOf((step) => step, 40),
      async (steps) => {
        using world = await openWorld();
        const model = createModel();
        for (const step of steps) {
          const { answer, blockedBy } = await world.perform(step);
          expect([step, answer]).toEqual([step, model.perform(step, blockedBy)]);
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
          .filter(({ type }) => type === "reservation.acquired" || type === "reservation.widened")
          .map(({ data }) => (data.reservation as Reservation).fencingToken);
        expect(tokens).toEqual(tokens.map((_, index) => index + 1));
      },
    ),
    { numRuns: 50 },
  );
});

type Terms = Pick<Reservation, "holder" | "mode" | "scope" | "tree" | "paths" | "patterns">;

const files = ["a/1", "a/2", "b/1"];

function filesOf({ paths, patterns }: Pick<Terms, "paths" | "patterns">): readonly string[] {
  const globs = patterns.map((text) => glob(text));
  return files.filter((file) => paths.includes(file) || globs.some((pattern) => matches(pattern, file)));
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

type Performed = { readonly answer: string; readonly blockedBy: number | undefined };

/** Reservations are known by the order of their grant, in the world and in the model alike. */
type Live = { readonly number: number; readonly by: Name; readonly leftMs: number; readonly ttlMs: number };

async function openWorld() {
  let ports: ScratchPorts = scratchPorts(rules);
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
    const wanted = { paths: [...paths], patterns: [...patterns], mode, scope, ttlMs, waitMs: 0 };
    const { reservation } = await acquireReservation(wanted, callOf(by), ports);
    const known = granted.indexOf(reservation.id);
    if (known !== -1) return `${known + 1} with token ${reservation.fencingToken}`;
    granted.push(reservation.id);
    return `${granted.length} with token ${reservation.fencingToken}`;
  }

  async function act(step: Step): Promise<string> {
    switch (step.kind) {
      case "acquire":
        return acquire(step);
      case "renew":
      case "release": {
        const id = granted[step.which];
        if (id === undefined) return "no such reservation";
        if (step.kind === "release") await releaseReservation(id, callOf(step.by), ports);
        else await renewReservation({ id, changed: true }, callOf(step.by), ports);
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
    /** What was answered, or the code it was refused with and the reservation that was in the way. */
    perform: (step: Step): Promise<Performed> =>
      act(step).then(
        (answer) => ({ answer, blockedBy: undefined }),
        (error: unknown) => {
          const { code, details } = error as DomainError;
          return { answer: code, blockedBy: granted.indexOf(details.waitFor as Reservation["id"]) + 1 };
        },
      ),
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

type Row = Pick<Terms, "mode" | "scope"> & {
  readonly number: number;
  readonly by: Name;
  readonly paths: readonly string[];
  readonly patterns: readonly string[];
  readonly ttlMs: number;
  readonly grantedAt: number;
  readonly editedAt: number;
  readonly contested: { readonly since: number; readonly until: number } | undefined;
  readonly ended: { readonly by: "release" | "expiry"; readonly lapsedAt: number } | undefined;
};

const interestMs = 120_000;

/** The rules over plain lists; time is a number that only `advance` moves. */
function createModel() {
  const rows: Row[] = [];
  const gone = new Set<Name>();
  let now = 0;
  let tokens = 0;
  const change = (row: Row, changes: Partial<Row>): Row => (rows[row.number - 1] = { ...row, ...changes });
  const standing = () => rows.filter(({ ended }) => ended === undefined);
  function endOf({ editedAt, grantedAt, ttlMs, contested }: Row): number {
    const byEdits = editedAt + Math.max(ttlMs, Math.min(rules.maxTtlMs, editedAt - grantedAt));
    const isContested = contested !== undefined && contested.until > now;
    return isContested ? Math.min(byEdits, contested.since + rules.contestedMaxMs) : byEdits;
  }
  const isLive = (row: Row) => row.ended === undefined && endOf(row) > now;
  const expire = (row: Row) =>
    change(row, { ended: { by: "expiry", lapsedAt: Math.min(now, endOf(row)) }, contested: undefined });
  const edit = (row: Row) => {
    for (const other of rows.filter((one) => one.by === row.by && (one.number === row.number || isLive(one))))
      if (other.number === row.number || foldersOf(other).some((folder) => foldersOf(row).includes(folder)))
        change(other, { editedAt: now });
  };

  function acquire(terms: Extract<Step, { kind: "acquire" }>, blockedBy: number | undefined): string {
    if (gone.has(terms.by)) return "agent.ended";
    const wanted = { ...requests[terms.request]!, mode: terms.mode, scope: terms.scope };
    const own = standing().filter((row) => row.by === terms.by);
    const held = own.find((row) => isLive(row) && shareFiles(row, wanted));
    const union = held === undefined ? wanted : widened(held, wanted);
    const ttlMs = Math.max(held?.ttlMs ?? 0, terms.ttlMs);
    if (held !== undefined && isSame(held, union)) {
      edit(change(held, { ttlMs }));
      return `${held.number} with token ${tokenOf.get(held.number)}`;
    }
    const others = standing().filter((row) => row.by !== terms.by && isRivalry(row, union) && shareFiles(row, union));
    const blockers = others.filter((row) => isLive(row) && blocks(row, { ...union, by: terms.by }));
    if (blockers.length > 0) {
      const met = blockers.find(({ number }) => number === blockedBy);
      if (met === undefined) return `blocked by one of ${blockers.map(({ number }) => number).join()}`;
      const since = met.contested !== undefined && met.contested.until >= now ? met.contested.since : now;
      change(met, { contested: { since, until: Math.max(met.contested?.until ?? 0, now + interestMs) } });
      return "reservation.conflict";
    }
    const used = own.filter(isLive).reduce((sum, row) => sum + sizeOf(row), 0);
    const then = used - (held === undefined ? 0 : sizeOf(held)) + sizeOf(union);
    if (then > rules.maxPerAgent && then !== used) return "reservation.limit";
    for (const row of [...others, ...own]) if (!isLive(row)) expire(row);
    if (held !== undefined) {
      edit(change(held, { ...union, ttlMs }));
      tokenOf.set(held.number, ++tokens);
      return `${held.number} with token ${tokens}`;
    }
    const number = rows.length + 1;
    const fresh = { grantedAt: now, editedAt: now, contested: undefined, ended: undefined };
    rows.push({ ...union, number, by: terms.by, ttlMs, ...fresh });
    tokenOf.set(number, ++tokens);
    return `${number} with token ${tokens}`;
  }
  const tokenOf = new Map<number, number>();

  function touch({ kind, by, which }: Extract<Step, { kind: "renew" | "release" }>): string {
    const row = rows[which];
    if (row === undefined) return "no such reservation";
    if (row.by !== by) return "caller.denied";
    if (isLive(row)) {
      if (kind === "release") change(row, { ended: { by: "release", lapsedAt: now } });
      else edit(row);
      return "done";
    }
    if (kind === "release" || row.ended?.by === "release") return "lease.lost";
    const endedAt = row.ended?.lapsedAt ?? endOf(row);
    if (endedAt + rules.graceMs <= now) return "lease.lost";
    if (gone.has(by)) return "agent.ended";
    const taken = standing().some(
      (other) => other.by !== by && isLive(other) && blocks(other, row) && shareFiles(other, row),
    );
    if (taken) return "lease.lost";
    change(row, { ended: undefined, grantedAt: now, editedAt: now, contested: undefined });
    tokenOf.set(row.number, ++tokens);
    return "done";
  }

  return {
    perform(step: Step, blockedBy: number | undefined): string {
      if (step.kind === "acquire") return acquire(step, blockedBy);
      if (step.kind === "renew" || step.kind === "release") return touch(step);
      if (step.kind === "end") {
        gone.add(step.by);
        for (const row of standing()) if (row.by === step.by) change(row, { ended: { by: "release", lapsedAt: now } });
      }
      if (step.kind === "return") gone.delete(step.by);
      if (step.kind === "advance") now += step.ms;
      if (step.kind === "sweep") for (const row of standing()) if (!isLive(row)) expire(row);
      if (step.kind === "restart")
        for (const row of rows)
          // What was known of ended ones is gone with the daemon: no grace after a restart.
          if (row.ended === undefined) change(row, { grantedAt: now, editedAt: now, contested: undefined });
          else change(row, { ended: { ...row.ended, by: "release" } });
      return "done";
    },
    live: (): readonly Live[] =>
      rows
        .filter(isLive)
        .map((row) => ({ number: row.number, by: row.by, ttlMs: row.ttlMs, leftMs: endOf(row) - now })),
  };
}

type Wanted = Pick<Terms, "mode" | "scope"> & Pick<Row, "paths" | "patterns">;

function widened(held: Row, wanted: Wanted): Wanted {
  const covered = filesOf({ paths: [], patterns: [...held.patterns] });
  const missing = wanted.paths.filter((path) => !covered.includes(path));
  return {
    paths: [...new Set([...held.paths, ...missing])],
    patterns: [...new Set([...held.patterns, ...wanted.patterns])],
    mode: held.mode === "exclusive" ? "exclusive" : wanted.mode,
    scope: held.scope === "repository" ? "repository" : wanted.scope,
  };
}

function isSame(held: Row, union: Wanted): boolean {
  return sizeOf(held) === sizeOf(union) && held.mode === union.mode && held.scope === union.scope;
}

function isRivalry(one: Pick<Wanted, "mode">, other: Pick<Wanted, "mode">): boolean {
  return one.mode === "exclusive" || other.mode === "exclusive";
}

function blocks(row: Row, wanted: Wanted & { readonly by: Name }): boolean {
  const oneTree = (row.by === "lynx") === (wanted.by === "lynx");
  return isRivalry(row, wanted) && (oneTree || row.scope === "repository" || wanted.scope === "repository");
}

function shareFiles(one: Pick<Row, "paths" | "patterns">, other: Pick<Row, "paths" | "patterns">): boolean {
  const [mine, theirs] = [one, other].map(({ paths, patterns }) =>
    filesOf({ paths: [...paths], patterns: [...patterns] }),
  );
  return mine!.some((file) => theirs!.includes(file));
}

/** Folders of the named files, and those before the first wildcard of the patterns. */
function foldersOf({ paths, patterns }: Pick<Row, "paths" | "patterns">): readonly string[] {
  const globFolders: Readonly<Record<string, string>> = { "a/*": "a", "*/1": "", "a/2": "a", "**": "" };
  return [...paths.map((path) => path.split("/")[0]!), ...patterns.map((text) => globFolders[text]!)];
}

function sizeOf({ paths, patterns }: Pick<Row, "paths" | "patterns">): number {
  return paths.length + patterns.length;
}
