/** Runs as a session holds them: paused and resumed with it, cancelled with its end. */
import type { Caller, Check, RunId, SessionPhase } from "../../contract/index.ts";
import { actorOf, theDaemon } from "../../platform/audit/index.ts";
import type { SessionWork } from "../sessions/index.ts";
import { open, recordGoOn, recordStop, underWay } from "./control-run.ts";
import type { RunPorts, RunRepositories } from "./start-run.ts";
import type { NodeRow, RunRecord } from "./store.ts";

export function runsOfSessions(ports: Pick<RunPorts, "clock" | "workers">): SessionWork<RunRepositories> {
  const actorFor = (caller: Caller | undefined) => (caller === undefined ? theDaemon : actorOf(caller));
  return {
    kind: "runs",
    busy: async (tx) => (await tx.runs.withStatus(open)).map(({ session }) => session),
    async hold(session, tx) {
      const held = (await tx.runs.withStatus(underWay)).filter((run) => run.session === session);
      for (const run of held)
        await recordStop(
          run,
          "paused",
          `its session rests; go on with "sylk session resume ${session}"`,
          theDaemon,
          tx,
          ports,
        );
      return held.map(({ id }) => id);
    },
    async goOn(held, tx) {
      for (const id of held) {
        const run = await tx.runs.find(id as RunId);
        // Somebody may have cancelled or discarded it meanwhile.
        if (run?.status === "paused" && run.outcome !== "discarded") await recordGoOn(run, tx, ports);
      }
    },
    async end(session, tx, caller) {
      const left = (await tx.runs.withStatus(open)).filter((run) => run.session === session);
      for (const run of left)
        await recordStop(
          run,
          "cancelled",
          "its session was closed; what it wrote stays on its branch",
          actorFor(caller),
          tx,
          ports,
        );
      return left.map(({ id }) => id);
    },
    async current(session, { runs }) {
      const current = await runs.currentOf(session);
      if (current === undefined) return undefined;
      const { run, unfinished } = current;
      const nodes = await runs.nodesOf(run.id);
      return {
        phase: phaseOf(run, nodes, await runs.checksOf(run.id)),
        dag: run.id,
        objective: run.request,
        status: run.status,
        ...(run.reason === undefined ? {} : { reason: run.reason }),
        progress: { done: nodes.filter(({ state }) => state === "succeeded").length, total: nodes.length },
        unfinished,
        startedAt: run.createdAt,
      };
    },
    stopped: async (ids) => void (await Promise.all(ids.map((id) => ports.workers.stop(id as RunId)))),
  };
}

/** Also of one that is paused: the phase it stopped in. Each round of nodes is inspected, then tested. */
export function phaseOf(
  { status }: Pick<RunRecord, "status">,
  nodes: readonly Pick<NodeRow, "round" | "state">[],
  checks: readonly Pick<Check, "kind" | "round">[],
): SessionPhase {
  if (!open.includes(status)) return "complete";
  if (nodes.length === 0 || status === "planning" || status === "awaiting_approval") return "planning";
  const round = Math.max(...nodes.map((node) => node.round));
  if (nodes.some((node) => node.round === round && node.state !== "succeeded")) return "execution";
  return checks.some((check) => check.round === round && check.kind === "inspection") ? "testing" : "inspection";
}
