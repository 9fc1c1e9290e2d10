/** DAG runs as a session holds them: paused and resumed with it, cancelled with its end. */
import type { DagId, SessionId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { SessionWork } from "../sessions/index.ts";
import type { DagHost } from "./dag-host-port.ts";
import { shownStatus } from "./dag-view.ts";
import { changeStatus, type DagTx } from "./record-batch.ts";
import type { DagRecord, StoredStatus } from "./store.ts";

type Ports = { readonly host: DagHost; readonly clock: Clock };

export function dagsOfSessions({ host, clock }: Ports): SessionWork<DagTx> {
  const ofSession = async (session: SessionId, statuses: readonly StoredStatus[], tx: DagTx): Promise<DagRecord[]> => {
    const found = await Promise.all(statuses.map((status) => tx.dags.withStatus(status)));
    return found.flat().filter((dag) => dag.session === session);
  };
  return {
    kind: "dags",
    busy: async (tx) =>
      [...(await tx.dags.withStatus("running")), ...(await tx.dags.withStatus("paused"))].map(({ session }) => session),
    async hold(session, tx) {
      const held = await ofSession(session, ["running"], tx);
      const why = `its session rests; go on with "sylk session resume ${session}"`;
      for (const dag of held) await changeStatus(dag, "paused", why, tx, clock.now());
      tx.afterCommit(() => held.forEach(({ id }) => host.pause(id, "abort")));
      return held.map(({ id }) => id);
    },
    async goOn(held, tx) {
      for (const id of held as readonly DagId[]) {
        const dag = await tx.dags.find(id);
        if (dag?.status !== "paused") continue; // somebody resumed or cancelled it meanwhile
        await changeStatus(dag, "running", undefined, tx, clock.now());
        tx.afterCommit(() => void host.unpause(id));
      }
    },
    async end(session, tx) {
      const left = await ofSession(session, ["running", "paused"], tx);
      for (const dag of left) await changeStatus(dag, "cancelled", "its session was closed", tx, clock.now());
      return left.map(({ id }) => id);
    },
    async current(session, tx) {
      const current = await tx.dags.currentOf(session);
      if (current === undefined) return undefined;
      const { dag, unfinished } = current;
      const tally = await tx.dags.tallyOf(dag.id);
      const status = shownStatus(dag, tally);
      const reason = status === "waiting" ? `${waiting(tally.blocked)}; "sylk dag show ${dag.id}"` : dag.reason;
      return {
        phase: unfinished > 0 ? "execution" : "complete",
        dag: dag.id,
        objective: dag.name,
        status,
        ...(reason === undefined ? {} : { reason }),
        progress: { done: tally.done, total: dag.nodes },
        unfinished,
        startedAt: dag.createdAt,
      };
    },
    /** Held ones have stopped once no attempt of theirs runs; ended ones once each of their nodes is cancelled. */
    async stopped(ids) {
      await Promise.all((ids as readonly DagId[]).map((id) => host.settled(id)));
    },
  };
}

function waiting(blocked: number): string {
  return blocked === 1 ? "a node waits for a person" : `${blocked} nodes wait for a person`;
}
