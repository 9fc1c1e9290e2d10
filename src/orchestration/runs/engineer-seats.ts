/**
 * Engineers are registered agents: for each attempt of an engineer node the daemon registers one in the run's tree.
 *
 *   open -> registered, with the worker's process id -> acts through its worker -> end: its reservations are released
 */
import type { AgentCaller, MessageOf, NodeId, RunId } from "../../contract/index.ts";
import { endAgent } from "../../coordination/agent-end/index.ts";
import type { HandoffRepositories } from "../../coordination/handoff/index.ts";
import {
  attachSession,
  refOf,
  type RegistryPorts,
  type RegistryRepositories,
} from "../../coordination/registry/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { RunRecord } from "./store.ts";

export type SeatTx = RegistryRepositories & HandoffRepositories & { readonly audit: AuditRepository };
export type SeatPorts = Omit<RegistryPorts & Parameters<typeof endAgent>[2], "store"> & {
  readonly store: Store<SeatTx>;
  /** The process id of the run's worker. */
  readonly pidOf: (run: RunId) => Promise<number>;
};
export type EngineerSeats = {
  open(run: RunRecord, node: NodeId): Promise<{ readonly caller: AgentCaller; end(): Promise<void> }>;
  find(run: RunId, node: NodeId): AgentCaller | undefined;
  /**
   * The worker that the Engineer of this message was registered with. Its successor must not work as that Engineer: the
   * agent ends with the process it was registered with, and all its writes would be refused.
   */
  workerFor(run: RunId, message: MessageOf): number | undefined;
  /** Records a sign of life of the run's worker for all its Engineers. */
  touch(run: RunId): void;
};

export function createEngineerSeats(ports: SeatPorts): EngineerSeats {
  const { store, liveness } = ports;
  const seats = new Map<string, { readonly caller: AgentCaller; readonly pid: number }>();
  return {
    async open({ id, workspace }, node) {
      const pid = await ports.pidOf(id);
      const identity = { sessionKey: node, client: "sylk" as const, capabilities: ["engineer"], pid };
      const { agent } = await attachSession({ ...identity, project: { path: workspace!.tree } }, store, ports);
      const caller: AgentCaller = { kind: "agent", agent: refOf(agent), project: agent.project, tree: agent.tree };
      const key = `${id} ${node}`;
      seats.set(key, { caller, pid });
      return {
        caller,
        async end() {
          seats.delete(key);
          await endAgent(agent.id, { caller, transact: store.transact }, ports);
        },
      };
    },
    find: (run, node) => seats.get(`${run} ${node}`)?.caller,
    workerFor: (run, { type, payload }) =>
      type === "TASK_DISPATCH" ? seats.get(`${run} ${payload.node.id}`)?.pid : undefined,
    touch(run) {
      for (const [
        key,
        {
          caller: { agent },
        },
      ] of seats)
        if (key.startsWith(run)) liveness.touch(agent.id);
    },
  };
}
