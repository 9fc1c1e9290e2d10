/**
 * The paths that nodes of one run reserve: held from before an attempt to its end, waited for while a node is blocked.
 *
 *   attempt -> hold: free  -> granted -> renewed until the attempt ends -> given back
 *                    taken -> Blocked -> (recorded) -> in line -> granted -> unblock -> the next attempt takes it over
 *
 * A blocked node holds no slot and no worker; it waits in the reservations' own line, first come, first served. While the
 * run is paused nobody waits and nothing is held without an attempt.
 */
import { type DagId, DomainError } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { Blocked, type JournalEntry, NodeFailure, type NodeRecord } from "../dag/index.ts";
import type { Graph } from "./graph.ts";
import { type Hold, keepHold } from "./keep-hold.ts";
import { conflictText, type PathHolder, type PathReservations, type Reserves } from "./path-reservations.ts";

type Terms = { readonly dag: DagId; readonly tree: string; readonly paused: boolean };
type Ports = {
  readonly reservations: PathReservations;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly unblock: (node: string) => Promise<void>;
};

export type NodeHolds = {
  /** For an attempt, which ends it. Throws Blocked when somebody else has them. */
  hold(node: string, wanted: Reserves): Promise<Hold>;
  /** After each record: who is blocked gets in line, who is not on its way any more leaves it. */
  follow(entries: readonly JournalEntry[]): void;
  /** Of an earlier life. */
  takeUp(records: ReadonlyMap<string, NodeRecord>, graph: Graph): void;
  rest(): void;
  wake(): void;
  /** Who stands in whose way, as of now. */
  causes(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
};

type Wait = { readonly givenUp: AbortController; holder?: PathHolder; held?: Hold };

export function createNodeHolds({ dag, tree, paused }: Terms, ports: Ports): NodeHolds {
  const { reservations, clock, log } = ports;
  /** What blocked nodes want. */
  const wanted = new Map<string, Reserves>();
  const waits = new Map<string, Wait>();
  const chains = new Map<string, Promise<unknown>>();
  let isResting = paused;

  /** A node is one agent: whatever it does, it has done with it before the next begins. */
  function inTurn<T>(node: string, work: () => Promise<T>): Promise<T> {
    const mine = (chains.get(node) ?? Promise.resolve()).then(work);
    const settled: Promise<unknown> = mine
      .catch(() => {})
      .then(() => (chains.get(node) === settled ? chains.delete(node) : undefined));
    chains.set(node, settled);
    return mine;
  }

  const leave = (holder: PathHolder): Promise<void> =>
    holder.end().catch((error: unknown) => void log.error("dag.hold-left", { dag, error })); // its time limit ends it

  async function acquire(node: string, reserves: Reserves, own?: Wait): Promise<Hold> {
    const holder = await reservations.open({ dag, node, tree });
    if (own !== undefined) own.holder = holder;
    try {
      const grant = await holder.acquire(reserves, own?.givenUp.signal);
      return keepHold(holder, grant, { clock, end: () => inTurn(node, () => leave(holder)) });
    } catch (error) {
      await leave(holder);
      throw error;
    }
  }

  /** In line until it is granted; whatever else happens is said by the attempt that follows. */
  async function wait(node: string, reserves: Reserves): Promise<void> {
    const own: Wait = { givenUp: new AbortController() };
    waits.set(node, own);
    const held = await inTurn(node, () => acquire(node, reserves, own)).catch(() => undefined);
    if (own.givenUp.signal.aborted) return held?.end();
    if (held === undefined) waits.delete(node);
    else own.held = held;
    await ports.unblock(node).catch(() => drop(node)); // skipped, cancelled or removed meanwhile
  }

  function drop(node: string): void {
    const known = waits.get(node);
    if (known === undefined) return;
    waits.delete(node);
    known.givenUp.abort();
    void known.held?.end();
  }

  function block(node: string): void {
    drop(node);
    const reserves = wanted.get(node);
    if (!isResting && reserves !== undefined) void wait(node, reserves);
  }

  function forget(node: string): void {
    drop(node);
    wanted.delete(node);
  }

  return {
    async hold(node, reserves) {
      wanted.delete(node);
      const held = waits.get(node)?.held;
      if (held !== undefined && !held.lost.aborted) {
        waits.delete(node);
        return held;
      }
      drop(node);
      try {
        return await inTurn(node, () => acquire(node, reserves));
      } catch (error) {
        const outcome = asOutcome(error);
        if (outcome instanceof Blocked) wanted.set(node, reserves);
        throw outcome;
      }
    },
    follow(entries) {
      for (const entry of entries) {
        if (entry.kind === "adjusted") {
          const { replace = [], remove = [] } = entry.adjustment;
          for (const node of [...remove, ...replace.map(({ id }) => id)]) forget(node);
        } else {
          const { node, to, block: request } = entry.transition;
          if (to === "blocked" && request?.on === "reservation") block(node);
          else if (to !== "queued" && to !== "running") forget(node);
        }
      }
    },
    takeUp(records, graph) {
      for (const [node, { state, block: request }] of records) {
        const { reserves } = graph.get(node) ?? {};
        if (state !== "blocked" || request?.on !== "reservation" || reserves === undefined) continue;
        wanted.set(node, reserves);
        block(node);
      }
    },
    rest() {
      isResting = true;
      for (const [node, { held }] of waits) {
        drop(node);
        if (held !== undefined) wanted.delete(node); // blocked no more: its attempt asks again
      }
    },
    wake() {
      if (!isResting) return;
      isResting = false;
      for (const node of wanted.keys()) block(node);
    },
    async causes() {
      const known = [...waits].map(async ([node, { holder }]) => {
        const cause = await holder?.inTheWay(wanted.get(node)!);
        return cause === undefined ? [] : [[node, cause] as const];
      });
      return new Map((await Promise.all(known)).flat());
    },
    async close() {
      isResting = true;
      for (const node of waits.keys()) drop(node);
      while (chains.size > 0) await Promise.all(chains.values());
    },
  };
}

function asOutcome(error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  if (error.code === "reservation.conflict")
    return new Blocked({ on: "reservation", question: conflictText(error) }, { beforeStart: true });
  const isPassing = error.family === "unavailable";
  const message = `it cannot reserve what it names: ${error.message}`;
  return new NodeFailure({ class: isPassing ? "transient" : "user-fixable", message }, { cause: error });
}
