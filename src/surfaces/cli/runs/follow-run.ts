/** A run as it changes: a snapshot at first and after each of its events, until it ends or waits for a person. */
import { DomainError } from "../../../contract/errors.ts";
import type { LogEvent, Run, RunId } from "../../../contract/index.ts";
import type { CommandContext } from "../command.ts";
import { ensureDaemon } from "../daemon-link.ts";
import { eventSource } from "../../event-source/index.ts";
import { identityHeaders } from "../identity.ts";

export type RunChange = { readonly run: Run; readonly event: LogEvent | undefined };

const resting = new Set(["awaiting_approval", "paused", "blocked", "verified", "unverified", "failed", "cancelled"]);

export function isResting({ status }: Pick<Run, "status">): boolean {
  return resting.has(status);
}

export async function* followRun(id: RunId, context: CommandContext): AsyncGenerator<RunChange> {
  const { signal } = context; // from here on, Ctrl-C is heard
  const client = await context.connect();
  const snapshot = async (): Promise<Run> => (await client.call("run.get", { id })).run;
  let cursor: number | undefined;
  for (;;) {
    const run = await snapshot();
    // Everything from the run's own beginning: its first events may be older than this command.
    cursor ??= run.since;
    yield { run, event: undefined };
    // A caller that wants the events gets all of them, also those of a run that was faster than this command.
    if (isResting(run) && !context.json) return;
    try {
      for await (const event of eventSource({
        socketPath: context.paths.socket,
        headers: identityHeaders(context),
        after: cursor,
        type: "**",
        signal,
      })) {
        cursor = event.sequence;
        if (!isAbout(event, id)) continue;
        const rests = event.type === "run.status-changed" && resting.has(String(event.data.to));
        const current = rests || !context.json ? await snapshot() : run;
        yield { run: current, event };
        // An event of the past is none of its end: the run may have been approved since.
        if (rests && current.status === event.data.to) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof DomainError)) throw error;
      const kept = oldestKept(error);
      if (kept === undefined && error.family !== "unavailable") throw error;
      cursor = kept ?? cursor;
    }
    if (signal.aborted) return;
    await ensureDaemon(context.paths, context.env); // it was stopped or killed: the run continues with the next one
  }
}

/** A run can be older than what the log keeps: then it is followed from what is left. */
function oldestKept({ code, details }: DomainError): number | undefined {
  return code === "events.truncated" ? Number(details.oldest) : undefined;
}

function isAbout({ subject, data }: LogEvent, id: RunId): boolean {
  return subject === id || data.run === id || (data.approval as { run?: string } | undefined)?.run === id;
}
