/**
 * The event stream over fetch: every type of event, the HTTP status of a refusal, and a cursor of our own.
 * `EventSource` hears only the types it names and hides why it was refused.
 */
import { DomainError, type LogEvent } from "./contract.ts";

type Fetched = { readonly status: number; readonly body: ReadableStream<Uint8Array> | null };
export type StreamTerms = {
  readonly fetchStream: (path: string, signal: AbortSignal) => Promise<Fetched>;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly onOpen: () => void;
  /** All events of one piece of the stream. */
  readonly onEvents: (events: readonly LogEvent[]) => void;
};

/** Resolves when the stream ends, and throws what refused it. */
export async function readStream({ fetchStream, after, signal, onOpen, onEvents }: StreamTerms): Promise<void> {
  const { status, body } = await fetchStream(`/v1/events?after=${after}`, signal);
  if (status === 401) throw new DomainError("token.missing", "This browser is not signed in");
  if (status === 410) throw new DomainError("events.truncated", "The log no longer has the events after the cursor");
  if (status !== 200 || body === null)
    throw new DomainError("daemon.unreachable", `The event stream was refused with HTTP ${status}`);
  onOpen();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (rest + decoder.decode(value, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    const events = frames.map(readFrame).filter((event) => event !== undefined);
    if (events.length > 0) onEvents(events);
  }
}

/** Comments are passed over; the daemon's last word, for example that retention overtook the cursor, is thrown. */
function readFrame(frame: string): LogEvent | undefined {
  const lines = frame.split("\n");
  const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
  if (data === undefined) return undefined;
  if (lines.includes("event: error"))
    throw new DomainError("events.truncated", "The daemon ended the stream; it is read again from the newest event");
  return JSON.parse(data) as LogEvent;
}
