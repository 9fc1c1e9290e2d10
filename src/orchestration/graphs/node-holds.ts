/**
 * Path reservations of one graph's nodes. A node holds its paths during an attempt, and waits for them while blocked.
 *
 *   attempt -> hold: free  -> granted -> renewed until the attempt ends -> released
 *                    taken -> Blocked -> (recorded) -> in line -> granted -> unblock -> the next attempt uses the grant
 *
 * A blocked node holds no pool slot and no worker. It waits in the queue of the reservations, first come, first served.
 * While the graph is paused, no node waits in that queue, and only running attempts hold paths.
 */
import { type GraphId, DomainError } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { Blocked, type JournalEntry, NodeFailure, type NodeRecord } from "../dag/index.ts";
import type { Graph } from "./graph.ts";
import { type Hold, keepHold } from "./keep-hold.ts";
import { conflictText, type PathHolder, type PathReservations, type Reserves } from "./path-reservations.ts";

type Terms = { readonly dag: GraphId; readonly tree: string; readonly paused: boolean };
type Ports = {
  readonly reservations: PathReservations;
  readonly clock: Clock;
  readonly log: Pick<Log, "error">;
  readonly unblock: (node: string) => Promise<void>;
};

export type NodeHolds = {
  /** Called by an attempt, which must end the hold. Throws Blocked when another agent holds one of the paths. */
  hold(node: string, wanted: Reserves): Promise<Hold>;
  /** After each record: blocked nodes join the queue; nodes that ended, or left the graph, leave it. */
  follow(entries: readonly JournalEntry[]): void;
  /** Puts nodes that an earlier daemon recorded as blocked back into the queue. */
  restore(records: ReadonlyMap<string, NodeRecord>, graph: Graph): void;
  rest(): void;
  wake(): void;
  /** By waiting node, which agent holds its paths now. */
  causes(): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
};

type Wait = { readonly givenUp: AbortController; holder?: PathHolder; held?: Hold };

export function createNodeHolds({ dag, tree, paused }: Terms, ports: Ports): NodeHolds {
  const { reservations, clock, log } = ports;
  /** Paths that blocked nodes wait for. */
  const wanted = new Map<string, Reserves>();
  const waits = new Map<string, Wait>();
  const chains = new Map<string, Promise<unknown>>();
  let isResting = paused;

  /** Each node is one agent, so its calls run one after the other. */
  function inTurn<T>(node: string, work: () => Promise<T>): Promise<T> {
    const mine = (chains.get(node) ?? Promise.resolve()).then(work);
    const settled: Promise<unknown> = mine
      .catch(() => {})
      .then(() => (chains.get(node) === settled ? chains.delete(node) : undefined));
    chains.set(node, settled);
    return mine;
  }

  const leave = (holder: PathHolder): Promise<void> =>
    holder.end().catch((error: unknown) => void log.error("dag.hold-left", { dag, error })); // the reservation then expires by its time limit

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

  /** Waits until the paths are granted. On any error the next attempt asks again and reports the problem. */
  async function wait(node: string, reserves: Reserves): Promise<void> {
    const own: Wait = { givenUp: new AbortController() };
    waits.set(node, own);
    const held = await inTurn(node, () => acquire(node, reserves, own)).catch(() => undefined);
    if (own.givenUp.signal.aborted) return held?.end();
    if (held === undefined) waits.delete(node);
    else own.held = held;
    await ports.unblock(node).catch(() => drop(node)); // the node was skipped, cancelled or removed
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
    restore(records, graph) {
      for (const [node, { state, block: request }] of records) {
        const spec = graph.get(node);
        const reserves = spec?.kind === undefined ? spec?.reserves : undefined;
        if (state !== "blocked" || request?.on !== "reservation" || reserves === undefined) continue;
        wanted.set(node, reserves);
        block(node);
      }
    },
    rest() {
      isResting = true;
      for (const [node, { held }] of waits) {
        drop(node);
        if (held !== undefined) wanted.delete(node); // no longer blocked: its next attempt asks again
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
  const message = `it cannot reserve its paths: ${error.message}`;
  return new NodeFailure({ class: isPassing ? "transient" : "user-fixable", message }, { cause: error });
}
