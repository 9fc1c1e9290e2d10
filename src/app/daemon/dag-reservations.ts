/** Nodes of graphs as holders of paths: agents of the daemon, each with the same reservations as everybody. */
import type { Parts, Terms } from "./parts.ts";
import { type AgentCaller, type DagId, DomainError } from "../../contract/index.ts";
import { endAgent } from "../../coordination/agent-end/index.ts";
import { glob, InvalidPattern, literal } from "../../coordination/globs/index.ts";
import { attachSession, refOf } from "../../coordination/registry/index.ts";
import {
  acquireReservation,
  blockerOf,
  checkPaths,
  renewReservation,
  type ReservationPorts,
} from "../../coordination/reservations/index.ts";
import { conflictText, type PathHolder, type PathReservations } from "../../orchestration/dag-runs/index.ts";

/** As long as anybody may wait in line; then it joins again. */
const patienceMs = 600_000;
const renewalsPerLimit = 3;

export function pathProblem(kind: "paths" | "patterns", text: string): string | undefined {
  try {
    void (kind === "paths" ? literal(text) : glob(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    return error.message;
  }
}

export function nodeReservations(parts: Parts, { settings, settingsOfTree }: Terms): PathReservations {
  const { store, liveness } = parts;
  const ports: ReservationPorts = {
    ...parts,
    async settingsFor(tree) {
      const { "reservations.ttlMs": ttlMs, "reservations.maxPerAgent": maxPerAgent } = await settingsOfTree(tree);
      return { ttlMs, maxPerAgent };
    },
  };
  return {
    // Without a process of its own: whatever else the daemon starts would act as this node.
    async open({ dag, node, tree }) {
      const name = nameOf(dag, node);
      const identity = { sessionKey: `${dag}/${node}`, name, client: "sylk" as const, capabilities: ["graph"] };
      const { agent } = await attachSession({ ...identity, project: { path: tree } }, store, parts);
      const caller: AgentCaller = { kind: "agent", agent: refOf(agent), project: agent.project, tree: agent.tree };
      const call = { caller, transact: store.transact };
      return {
        agent: caller.agent,
        async acquire(reserves, signal) {
          const reason = `${node} of ${dag}`;
          const input = { ...reserves, scope: "tree", reason, waitMs: signal === undefined ? 0 : patienceMs } as const;
          for (;;) {
            try {
              const { reservation } = await acquireReservation(input, { ...call, signal }, ports);
              const limitMs = Math.min(reservation.ttlMs, settings["agents.staleAfterMs"]);
              return { ...reservation, renewEveryMs: limitMs / renewalsPerLimit };
            } catch (error) {
              const mayWait = signal?.aborted === false && isConflict(error);
              if (!mayWait) throw error;
            }
          }
        },
        async renew({ id }) {
          liveness.touch(agent.id);
          await renewReservation({ id, changed: true }, call, ports);
        },
        inTheWay: (reserves) => inTheWay(reserves, caller, ports),
        end: async () => void (await endAgent(agent.id, call, parts)),
      };
    },
  };
}

/** With an end of its own: graphs run again and again, and a name that was ever taken is passed over one by one. */
function nameOf(dag: DagId, node: string): string {
  return `node-${node
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 24)}-${dag.slice(-6)}`;
}

function isConflict(error: unknown): boolean {
  return error instanceof DomainError && error.code === "reservation.conflict";
}

async function inTheWay(
  { paths, patterns, mode }: Parameters<PathHolder["inTheWay"]>[0],
  caller: AgentCaller,
  ports: ReservationPorts,
): Promise<string | undefined> {
  const { items } = paths.length === 0 ? { items: [] } : await checkPaths({ paths }, caller, ports);
  const taken = items.find(({ state }) => state === "taken" || (state === "shared" && mode === "exclusive"));
  const held =
    taken?.reservation !== undefined
      ? { witness: taken.path, record: await ports.store.reader.reservations.find(taken.reservation) }
      : await blockerOf(patterns, caller, [], ports);
  if (held?.record === undefined || (mode === "shared" && held.record.mode === "shared")) return undefined;
  const { witness: overlap, record } = held;
  const { holder, reason } = record;
  return conflictText({ message: "", details: { overlap, holder, reservation: { reason } } });
}
