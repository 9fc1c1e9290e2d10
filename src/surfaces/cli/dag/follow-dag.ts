/**
 * A DAG run as it changes: a snapshot at first, after its events and now and then between them, until it ends or waits for
 * a person. Between them, because the start of a process is not an event, and the time that is left changes by itself.
 */
import { DomainError } from "../../../contract/errors.ts";
import type { Dag, DagId, LogEvent } from "../../../contract/index.ts";
import { type Clock, systemClock } from "../../../platform/clock/index.ts";
import { eventSource } from "../../event-source/index.ts";
import type { CommandContext } from "../command.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { identityHeaders } from "../identity.ts";

export type DagChange = { readonly dag: Dag; readonly event: LogEvent | undefined };

/** A thousand nodes that end at once are looked at a few times, not a thousand times. */
const betweenLooksMs = 100;
/** A large graph takes its time to be told. */
const tickMs = ({ nodes }: Dag): number => Math.max(400, nodes.length / 2);

export function isResting({ status }: Pick<Dag, "status">): boolean {
  return status !== "running";
}

export async function* followDag(id: DagId, context: CommandContext): AsyncGenerator<DagChange> {
  const client = await context.connect();
  // From before the first line on: the user may press Ctrl-C at once.
  const { signal } = context;
  const clock = systemClock();
  const look = async (): Promise<Dag> => (await client.call("dag.show", { id })).dag;
  let cursor: number | undefined;
  for (;;) {
    let dag = await look();
    let lookedAt = clock.monotonic();
    cursor ??= dag.since;
    yield { dag, event: undefined };
    // A caller that wants the events gets all of them, also those of a run that was faster than this command.
    if (isResting(dag) && !context.json) return;
    const enough = new AbortController();
    try {
      const events = eventSource({
        socketPath: context.paths.socket,
        headers: identityHeaders(context),
        after: cursor,
        type: "dag.*",
        signal: AbortSignal.any([signal, enough.signal]),
      });
      for await (const event of context.json ? events : withTicks(events, () => tickMs(dag), clock)) {
        if (event !== undefined) cursor = event.sequence;
        if (event !== undefined && event.subject !== id) continue;
        const tells = event === undefined || saysMore(event);
        if (tells || (!context.json && clock.monotonic() - lookedAt >= betweenLooksMs)) {
          dag = await look();
          lookedAt = clock.monotonic();
        }
        yield { dag, event };
        // An event of the past is none of its end: the run may have been taken up since.
        if (tells && isResting(dag)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DomainError)) throw error;
      const kept = error.code === "events.truncated" ? Number(error.details.oldest) : undefined;
      if (kept === undefined && error.family !== "unavailable") throw error;
      cursor = kept ?? cursor;
    } finally {
      enough.abort(); // stops the wait for the next event
    }
    if (signal.aborted) return;
    await ensureDaemon(context.paths, context.env); // it was stopped or killed: the run continues with the next one
  }
}

/** The events, and undefined whenever none came for a while. */
async function* withTicks(
  events: AsyncGenerator<LogEvent>,
  everyMs: () => number,
  clock: Clock,
): AsyncGenerator<LogEvent | undefined> {
  const take = (): ReturnType<typeof events.next> => {
    const taken = events.next();
    taken.catch(() => {}); // told where it is awaited, if it still is
    return taken;
  };
  let next = take();
  for (;;) {
    const { promise: tick, resolve } = Promise.withResolvers<undefined>();
    const timer = clock.after(everyMs(), () => resolve(undefined));
    const come = await Promise.race([next, tick]).finally(() => timer.cancel());
    if (come === undefined) yield undefined;
    else if (come.done === true) return;
    else {
      yield come.value;
      next = take();
    }
  }
}

/** After this one the run may rest. */
function saysMore({ data }: LogEvent): boolean {
  const transitions = (data.transitions ?? []) as readonly { readonly to: string }[];
  return data.status !== undefined || transitions.some(({ to }) => to === "blocked" || to === "failed");
}
