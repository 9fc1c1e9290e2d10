/** Nodes of graphs as holders of paths: agents of the daemon, each with the same reservations as every other agent. */
import { type AgentCaller, type GraphId, DomainError } from "../../contract/index.ts";
import { endAgent } from "../../coordination/agent-end/index.ts";
import type { HandoffRepositories } from "../../coordination/handoff/index.ts";
import { attachSession, refOf, type RegistryRepositories } from "../../coordination/registry/index.ts";
import {
  acquireReservation,
  blockerOf,
  checkPaths,
  renewReservation,
  type ReservationPorts,
  type ReservationRepositories,
} from "../../coordination/reservations/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { conflictText, type PathHolder, type PathReservations } from "../graphs/index.ts";

/** The longest that any agent may wait in line; then the node joins again. */
const patienceMs = 600_000;
const renewalsPerLimit = 3;

type NodeAgentTx = ReservationRepositories &
  RegistryRepositories &
  HandoffRepositories & { readonly audit: AuditRepository };
export type NodeAgentPorts = Omit<ReservationPorts & Parameters<typeof endAgent>[2], "store"> & {
  readonly store: Store<NodeAgentTx>;
  /** A silent agent counts as gone after this time, and its reservations with it. */
  readonly staleAfterMs: number;
};

export function nodeReservations(ports: NodeAgentPorts): PathReservations {
  const { store, liveness } = ports;
  return {
    // Without a process of its own: else all other processes of the daemon would act as this node.
    async open({ dag, node, tree }) {
      const name = nameOf(dag, node);
      const identity = { sessionKey: `${dag}/${node}`, name, client: "sylk" as const, capabilities: ["graph"] };
      const { agent } = await attachSession({ ...identity, project: { path: tree } }, store, ports);
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
              const limitMs = Math.min(reservation.ttlMs, ports.staleAfterMs);
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
        end: async () => void (await endAgent(agent.id, call, ports)),
      };
    },
  };
}

/** The end of the graph's id keeps names apart: finding a free one among those ever taken costs one step each. */
function nameOf(dag: GraphId, node: string): string {
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
