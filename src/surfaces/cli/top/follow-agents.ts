/**
 * Snapshots of the agents as they change: at first, after events, and once more when they have settled (git and the guards
 * are looked at behind an answer). Without events the daemon is not asked.
 *
 *   snapshot -> its cursor -> event stream -> events gathered -> snapshot …
 *   the stream ends, or the daemon does not answer -> undefined ("reconnecting") -> it answers again -> snapshot …
 */
import { DomainError } from "../../../contract/errors.ts";
import { type Clock, systemClock } from "../../../platform/clock/index.ts";
import { readUserToken } from "../../../platform/home/index.ts";
import { identityHeaders as headersOf } from "../../client/index.ts";
import { eventSource } from "../../event-source/index.ts";
import type { CommandContext } from "../command.ts";
import { elapse, findDaemon } from "../daemon-link.ts";
import { identityHeaders } from "../identity.ts";
import { takeSnapshot, type TopSnapshot } from "./take-snapshot.ts";

const gatherMs = 150;
const settleMs = 1_500;
const betweenTriesMs = 300;

/** Undefined: the daemon does not answer now. */
export async function* followAgents(
  context: CommandContext,
  isOfAll: boolean,
): AsyncGenerator<TopSnapshot | undefined> {
  const { signal, paths } = context;
  const clock = systemClock();
  while (!signal.aborted) {
    try {
      const client = await context.connect();
      let snapshot = await takeSnapshot(client, isOfAll);
      yield snapshot;
      for await (const _ of changes(snapshot.cursor, context, isOfAll, clock)) {
        snapshot = await takeSnapshot(client, isOfAll);
        yield snapshot;
      }
    } catch (error) {
      if (signal.aborted) return;
      const isPassing =
        error instanceof DomainError && (error.family === "unavailable" || error.code === "events.truncated");
      if (!isPassing) throw error;
    }
    if (signal.aborted) return;
    if ((await findDaemon(paths)) === "answers") continue;
    yield undefined;
    // It is not started here: who stopped it may have had a reason.
    while (!signal.aborted && (await findDaemon(paths)) !== "answers") await elapse(clock, betweenTriesMs);
  }
}

/** A sign after each burst of events, and one more when it is over; ends with the stream. */
async function* changes(
  after: number,
  context: CommandContext,
  isOfAll: boolean,
  clock: Clock,
): AsyncGenerator<"changed"> {
  const stop = new AbortController();
  const events = eventSource({
    socketPath: context.paths.socket,
    headers: isOfAll ? ofAllProjects(context) : identityHeaders(context),
    after,
    type: "**",
    signal: AbortSignal.any([context.signal, stop.signal]),
  });
  try {
    let next = events.next();
    let settlesAt: number | undefined;
    for (;;) {
      const come = await withinMs(next, settlesAt === undefined ? undefined : settlesAt - clock.monotonic(), clock);
      if (come === undefined) settlesAt = undefined;
      else if (come.done === true) return;
      else {
        const until = clock.monotonic() + gatherMs;
        next = events.next();
        for (
          let more;
          (more = await withinMs(next, until - clock.monotonic(), clock)) !== undefined;
          next = events.next()
        )
          if (more.done === true) return;
        settlesAt = clock.monotonic() + settleMs;
      }
      yield "changed";
    }
  } finally {
    stop.abort();
  }
}

/** The value, or undefined when the time has passed first; without a time it is waited for. */
async function withinMs<T>(promise: Promise<T>, ms: number | undefined, clock: Clock): Promise<T | undefined> {
  promise.catch(() => {}); // told where it is awaited, if it still is
  if (ms === undefined) return promise;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = clock.after(Math.max(0, ms), () => resolve(undefined), { keepAlive: true });
  return Promise.race([promise, late]).finally(() => timer.cancel());
}

function ofAllProjects(context: CommandContext): Record<string, string> {
  if (context.env.SYLK_TOKEN) return identityHeaders(context);
  return headersOf({ token: readUserToken(context.paths.token) ?? "" });
}
