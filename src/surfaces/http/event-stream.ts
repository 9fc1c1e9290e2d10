/**
 * The event log as server-sent events: `id` is the cursor, so a browser resumes by itself with Last-Event-ID.
 * A reader that stops reading is not asked for its next page; it holds at most one page and reads on from the log.
 */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  DomainError,
  operations,
  toErrorBody,
  type Caller,
  type Dispatch,
  type EventFeed,
  type LogEvent,
} from "../../contract/index.ts";
import { readInput } from "./read-input.ts";

type Ports = {
  readonly dispatch: Dispatch;
  readonly feed: EventFeed;
  readonly caller: Caller;
  readonly closing: AbortSignal;
};

const bufferedBytes = 16_384;

export function wantsStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes("text/event-stream") === true;
}

export async function streamEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  { dispatch, feed, caller, closing }: Ports,
): Promise<FastifyReply> {
  const lastSeen = request.headers["last-event-id"];
  const input = {
    ...readInput(operations["event.list"], request),
    // A value that is not a cursor stays text, so that validation refuses it.
    ...(lastSeen === undefined ? {} : { after: /^\d{1,16}$/.test(String(lastSeen)) ? Number(lastSeen) : lastSeen }),
    limit: 1,
  };
  // The same check as a plain read: a wrong or truncated cursor is refused before the stream begins.
  await dispatch("event.list", input, caller);
  const { after = 0, type = "**" } = input as { after?: number; type?: string };
  const gone = new AbortController();
  request.raw.socket.once("close", () => gone.abort());
  const events = feed({ after, type, project: caller.project?.id, signal: AbortSignal.any([gone.signal, closing]) });
  const stream = Readable.from(frames(events), { objectMode: false, highWaterMark: bufferedBytes });
  return reply.header("content-type", "text/event-stream").header("cache-control", "no-store").send(stream);
}

async function* frames(pages: AsyncIterable<readonly LogEvent[]>): AsyncGenerator<string> {
  yield ": connected\n\n";
  try {
    for await (const page of pages) yield page.map(frame).join("");
  } catch (error) {
    // Headers are sent; the reader still learns why its stream ends, for example that retention overtook it.
    if (!(error instanceof DomainError)) throw error;
    yield `event: error\ndata: ${JSON.stringify(toErrorBody(error))}\n\n`;
  }
}

/** Followers that are up to date get the same objects: the text is made once for all of them. */
const texts = new WeakMap<LogEvent, string>();

function frame(event: LogEvent): string {
  const known = texts.get(event);
  if (known !== undefined) return known;
  const text = `id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
  texts.set(event, text);
  return text;
}
