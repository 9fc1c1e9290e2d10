/** The worker cannot start, and a person can fix the cause (no key, no provider). The run pauses until then. */
import type { RunId } from "../../contract/index.ts";
import { Interrupted } from "../dag/index.ts";
import { type ControlPorts, type ControlTx, pauseGraph } from "../graphs/index.ts";

/** Its cause is the DomainError that says what to fix. */
export class WorkerUnavailable extends Error {
  override readonly name = "WorkerUnavailable";
}

export async function reachWorker<T, Tx extends ControlTx>(
  run: RunId,
  reach: () => Promise<T>,
  ports: ControlPorts<Tx>,
): Promise<T> {
  try {
    return await reach();
  } catch (error) {
    if (!(error instanceof WorkerUnavailable)) throw error;
    const graph = await ports.store.reader.dags.find(run);
    if (graph?.status === "running") await pauseGraph(graph, { abort: true, reason: error.message }, ports);
    throw new Interrupted(error.message, { cause: error });
  }
}
