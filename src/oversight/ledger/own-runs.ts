/** Usage of Sylk's own runs and of the Guide: every answer of a model is an event; the ledger keeps it longer than the log. */
import type { LogEvent } from "../../contract/index.ts";
import { pagesOf, type PagedEvents } from "./event-pages.ts";
import type { RecordSource } from "./ports.ts";
import type { UsageRecord } from "./usage-record.ts";

type Spent = {
  readonly session: string;
  readonly role?: string;
  readonly node?: string;
  readonly model: string;
  readonly cost: { readonly inputTokens: number; readonly outputTokens: number; readonly unknownCalls: number };
};

export function ownRuns(ports: PagedEvents): RecordSource {
  return {
    source: "runs",
    client: "sylk",
    async *read(after) {
      for await (const events of pagesOf(["run.spent", "ask.classified"], after, ports))
        yield { records: events.map(spentIn), unreadable: 0, next: events.at(-1)!.sequence };
    },
  };
}

/** A cost with a call of unknown size is unknown as a whole: it is never shown as less than it was. */
export function spentIn({ id, at, data, subject }: Pick<LogEvent, "id" | "at" | "data" | "subject">): UsageRecord {
  const { session, role = "guide", node, model, cost } = data as Spent;
  const known = cost.unknownCalls === 0;
  return {
    key: `run:${id}`,
    client: "sylk",
    session,
    agent: [subject, role, node].filter((part) => part !== undefined).join("/"),
    role,
    node,
    model,
    at,
    input: known ? cost.inputTokens : undefined,
    output: known ? cost.outputTokens : undefined,
    // The event does not tell how much of the input came from a cache.
    cacheRead: undefined,
    cacheWrite: undefined,
    cacheWriteLong: undefined,
    context: known ? cost.inputTokens : undefined,
  };
}
