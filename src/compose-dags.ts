/** DAG runs in the daemon: the pool they share, how commands and prompts of theirs run, and their operations' handlers. */
import { availableParallelism } from "node:os";
import type { Handlers, OperationName, Session } from "./contract/index.ts";
import { createCommands } from "./adapters/processes/index.ts";
import { plainArgv } from "./adapters/shell-writes/index.ts";
import type { Parts, Repositories, Terms } from "./compose-parts.ts";
import {
  adjustDag,
  answerNode,
  cancelDag,
  createDagHost,
  type DagHost,
  type DagPorts,
  listDags,
  pauseDag,
  resumeDag,
  retryNode,
  showDag,
  skipNode,
  startDagRun,
} from "./orchestration/dag-runs/index.ts";
import type { PromptPort } from "./orchestration/dispatch/index.ts";
import { commandEnvironment } from "./orchestration/runs/index.ts";
import type { Call } from "./platform/operations/index.ts";
import { createPool } from "./platform/pool/index.ts";

export type DagOperation = Extract<OperationName, `dag.${string}`>;
type DagHandlers = Pick<Handlers<Call<Repositories>>, DagOperation>;
type Ports = { readonly prompts: PromptPort; readonly checkModel: DagPorts["checkModel"] };

/** Commands wait for each other rather than for the machine: a few more than it has cores. */
const leastPlaces = 8;
const placesPerCore = 4;
/** A run asks for no more places than its own limit, so nothing is refused here. */
const room = { all: 1_000_000, perGroup: 1_000_000 };

export function composeDags(
  parts: Parts,
  terms: Terms,
  { prompts, checkModel }: Ports,
): { readonly handlers: DagHandlers; readonly host: DagHost; close(): Promise<void> } {
  const { clock, log, redactor, env } = terms;
  const places = Math.max(leastPlaces, placesPerCore * availableParallelism());
  const pool = createPool({ clock, limits: { all: places, perGroup: places }, queue: room });
  const host = createDagHost({
    store: parts.store,
    // A node that waits for its next attempt keeps no daemon from ending.
    clock: { ...clock, after: (ms, run) => clock.after(ms, run) },
    log,
    random: Math.random, // clock-exempt: jitter of retries
    pool,
    commands: createCommands(clock),
    prompts,
    clean: redactor.text,
  });
  // A session that ends takes its runs along.
  const stopListening = parts.bus.subscribe("event.session.**", ({ data }) => {
    const { id, state } = (data.session ?? {}) as Partial<Session>;
    if (id !== undefined && (state === "completed" || state === "failed"))
      host.endSession(id).catch((error: unknown) => void log.error("dag.session-end-failed", { session: id, error }));
  });
  const ports: DagPorts = { ...parts, log, host, splitCommand: plainArgv, checkModel };
  return {
    host,
    handlers: {
      "dag.run": (input, call) =>
        startDagRun({ ...input, environment: commandEnvironment(input.environment, env) }, call, ports),
      "dag.list": (input, { caller }) => listDags(input, caller, ports),
      "dag.show": (input, { caller }) => showDag(input, caller, ports),
      "dag.cancel": (input, call) => cancelDag(input, call, ports),
      "dag.pause": (input, call) => pauseDag(input, call, ports),
      "dag.resume": (input, call) => resumeDag(input, call, ports),
      "dag.retry": (input, call) => retryNode(input, call, ports),
      "dag.skip": (input, call) => skipNode(input, call, ports),
      "dag.answer": (input, call) => answerNode(input, call, ports),
      "dag.adjust": (input, call) => adjustDag(input, call, ports),
    },
    async close() {
      stopListening();
      await host.close();
      pool.close();
    },
  };
}
