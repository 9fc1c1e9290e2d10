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
import { bounds, type ConnectionBounds, tooManySubscribers } from "./connection-bounds.ts";
import { readInput } from "./read-input.ts";

type Ports = {
  readonly dispatch: Dispatch;
  readonly feed: EventFeed;
  readonly closing: AbortSignal;
  readonly connections: Pick<ConnectionBounds, "countUnread">;
};
type Stream = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<FastifyReply>;

const bufferedBytes = 16_384;

export function wantsStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes("text/event-stream") === true;
}

export function streamEvents({ dispatch, feed, closing, connections }: Ports): Stream {
  let subscribers = 0;
  return async (request, reply, caller) => {
    const lastSeen = request.headers["last-event-id"];
    const input = {
      ...readInput(operations["event.list"], request),
      // A value that is not a cursor stays text, so that validation refuses it.
      ...(lastSeen === undefined ? {} : { after: /^\d{1,16}$/.test(String(lastSeen)) ? Number(lastSeen) : lastSeen }),
      limit: 1,
    };
    // The same check as a plain read: a wrong or truncated cursor is refused before the stream begins.
    await dispatch("event.list", input, caller);
    if (subscribers >= bounds.subscribers) throw tooManySubscribers();
    const { after = 0, type = "**" } = input as { after?: number; type?: string };
    const gone = new AbortController();
    subscribers++;
    reply.raw.once("close", () => {
      subscribers--;
      gone.abort();
    });
    const events = feed({ after, type, project: caller.project?.id, signal: AbortSignal.any([gone.signal, closing]) });
    const counted = (bytes: number): void => connections.countUnread(reply.raw, bytes);
    const stream = Readable.from(frames(events, counted), { objectMode: false, highWaterMark: bufferedBytes });
    return reply.header("content-type", "text/event-stream").header("cache-control", "no-store").send(stream);
  };
}

/** A page is asked for when the one before is on its way: until then it counts as unread. */
async function* frames(
  pages: AsyncIterable<readonly LogEvent[]>,
  countUnread: (bytes: number) => void,
): AsyncGenerator<string> {
  yield ": connected\n\n";
  try {
    for await (const page of pages) {
      const text = page.map(frame).join("");
      countUnread(text.length);
      yield text;
    }
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
