/** Graphs follow their session, including the graphs of runs: they pause and resume with it. Its end cancels them. */
import type { GraphId, SessionId } from "../../contract/index.ts";
import type { CurrentWork, SessionWork } from "../sessions/index.ts";
import type { GraphHost } from "./graph-host-port.ts";
import { shownStatus } from "./dag-view.ts";
import type { GraphTx } from "./record-batch.ts";
import type { GraphRecord, StoredStatus } from "./store.ts";

type Ports<Tx extends GraphTx> = {
  readonly host: GraphHost<Tx>;
  /** Describes a run for its session. */
  readonly describeRun?: ((graph: GraphRecord, tx: Tx) => Promise<DescribedWork>) | undefined;
};
export type DescribedWork = Omit<CurrentWork, "dag" | "unfinished" | "startedAt">;

export function graphsOfSessions<Tx extends GraphTx>({ host, describeRun }: Ports<Tx>): SessionWork<Tx> {
  const ofSession = async (session: SessionId, statuses: readonly StoredStatus[], tx: Tx): Promise<GraphRecord[]> => {
    const found = await Promise.all(statuses.map((status) => tx.dags.withStatus(status)));
    return found.flat().filter((dag) => dag.session === session);
  };
  return {
    kind: "dags",
    busy: async (tx) =>
      [...(await tx.dags.withStatus("running")), ...(await tx.dags.withStatus("paused"))].map(({ session }) => session),
    async hold(session, tx) {
      const held = await ofSession(session, ["running"], tx);
      const why = `its session is not active; continue with "sylk session resume ${session}"`;
      for (const dag of held) await host.changeStatus(dag, "paused", why, tx);
      tx.afterCommit(() => held.forEach(({ id }) => host.pause(id, "abort")));
      return held.map(({ id }) => id);
    },
    async resume(held, tx) {
      for (const id of held as readonly GraphId[]) {
        const dag = await tx.dags.find(id);
        if (dag?.status !== "paused") continue; // resumed or cancelled meanwhile
        await host.changeStatus(dag, "running", undefined, tx);
        tx.afterCommit(() => void host.unpause(id));
      }
    },
    async end(session, tx) {
      const left = await ofSession(session, ["running", "paused"], tx);
      for (const dag of left) {
        const branch = dag.id.startsWith("run_") ? "; its changes stay on its branch" : "";
        await host.changeStatus(dag, "cancelled", `its session was closed${branch}`, tx);
      }
      return left.map(({ id }) => id);
    },
    async current(session, tx) {
      const current = await tx.dags.currentOf(session);
      if (current === undefined) return undefined;
      const { dag, unfinished } = current;
      const about = { dag: dag.id, unfinished, startedAt: dag.createdAt };
      if (describeRun !== undefined && dag.id.startsWith("run_")) return { ...(await describeRun(dag, tx)), ...about };
      const tally = await tx.dags.tallyOf(dag.id);
      const status = shownStatus(dag, tally);
      const reason = status === "waiting" ? `${waiting(tally.blocked)}; see "sylk dag show ${dag.id}"` : dag.reason;
      return {
        ...about,
        phase: unfinished > 0 ? "execution" : "complete",
        objective: dag.name,
        status,
        ...(reason === undefined ? {} : { reason }),
        progress: { done: tally.done, total: dag.nodes },
      };
    },
    /** A paused graph has stopped once no attempt runs. An ended graph has stopped once each of its nodes is cancelled. */
    async stopped(ids) {
      await Promise.all((ids as readonly GraphId[]).map((id) => host.settled(id)));
    },
  };
}

function waiting(blocked: number): string {
  return blocked === 1 ? "a node waits for a person" : `${blocked} nodes wait for a person`;
}
