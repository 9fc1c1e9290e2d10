/** A DAG run as it changes: a snapshot at first and after its events, until it ends or waits for a person. */
import { DomainError } from "../../../contract/errors.ts";
import type { Dag, DagId, LogEvent } from "../../../contract/index.ts";
import { systemClock } from "../../../platform/clock/index.ts";
import { eventSource } from "../../event-source/index.ts";
import type { CommandContext } from "../command.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { identityHeaders } from "../identity.ts";

export type DagChange = { readonly dag: Dag; readonly event: LogEvent | undefined };

/** A thousand nodes that end at once are looked at a few times, not a thousand times. */
const betweenLooksMs = 100;

export function isResting({ status }: Pick<Dag, "status">): boolean {
  return status !== "running";
}

export async function* followDag(id: DagId, context: CommandContext): AsyncGenerator<DagChange> {
  const client = await context.connect();
  const clock = systemClock();
  let cursor: number | undefined;
  for (;;) {
    let { dag } = await client.call("dag.show", { id });
    let lookedAt = clock.monotonic();
    cursor ??= dag.since;
    yield { dag, event: undefined };
    // Whoever wants the events gets all of them, also those of a run that was faster than this command.
    if (isResting(dag) && !context.json) return;
    try {
      for await (const event of eventSource({
        socketPath: context.paths.socket,
        headers: identityHeaders(context),
        after: cursor,
        type: "dag.*",
        signal: context.signal,
      })) {
        cursor = event.sequence;
        if (event.subject !== id) continue;
        const tells = saysMore(event);
        if (tells || (!context.json && clock.monotonic() - lookedAt >= betweenLooksMs)) {
          ({ dag } = await client.call("dag.show", { id }));
          lookedAt = clock.monotonic();
        }
        yield { dag, event };
        // An event of the past is none of its end: the run may have been taken up since.
        if (tells && isResting(dag)) return;
      }
    } catch (error) {
      if (context.signal.aborted) return;
      if (!(error instanceof DomainError)) throw error;
      const kept = error.code === "events.truncated" ? Number(error.details.oldest) : undefined;
      if (kept === undefined && error.family !== "unavailable") throw error;
      cursor = kept ?? cursor;
    }
    if (context.signal.aborted) return;
    await ensureDaemon(context.paths, context.env); // it was stopped or killed: the run goes on with the next one
  }
}

/** After this one the run may rest. */
function saysMore({ data }: LogEvent): boolean {
  const transitions = (data.transitions ?? []) as readonly { readonly to: string }[];
  return data.status !== undefined || transitions.some(({ to }) => to === "blocked" || to === "failed");
}
