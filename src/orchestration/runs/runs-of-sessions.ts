/** Runs as a session holds them: paused and resumed with it, cancelled with its end. */
import type { Caller, RunId } from "../../contract/index.ts";
import { actorOf, theDaemon } from "../../platform/audit/index.ts";
import type { SessionWork } from "../sessions/index.ts";
import { open, recordGoOn, recordStop, underWay } from "./control-run.ts";
import type { RunPorts, RunRepositories } from "./start-run.ts";

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
    stopped: async (ids) => void (await Promise.all(ids.map((id) => ports.workers.stop(id as RunId)))),
  };
}
