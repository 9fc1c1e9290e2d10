/** The daemon's event stream as an iterable; it ends when the stream does, and the caller decides whether to resume. */
import { get, type IncomingMessage } from "node:http";
import { DomainError, fromErrorBody, type ErrorBody } from "../../contract/errors.ts";
import type { LogEvent } from "../../contract/index.ts";
import { unreachable } from "../transport/index.ts";

type Terms = {
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly after: number;
  readonly type: string;
  readonly signal: AbortSignal;
};

export async function* eventSource({ socketPath, headers, after, type, signal }: Terms): AsyncGenerator<LogEvent> {
  const path = `/v1/events?${new URLSearchParams({ after: String(after), type }).toString()}`;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = get({ socketPath, path, signal, headers: { ...headers, accept: "text/event-stream" } }, resolve);
    request.on("error", (cause) => reject(unreachable(socketPath, cause)));
  });
  response.setEncoding("utf8");
  if (response.statusCode !== 200) throw fromErrorBody(JSON.parse(await wholeBody(response)) as ErrorBody);
  let rest = "";
  try {
    for await (const chunk of response) {
      const frames = (rest + String(chunk)).split("\n\n");
      rest = frames.pop()!;
      for (const frame of frames) {
        const event = readFrame(frame);
        if (event !== undefined) yield event;
      }
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (!signal.aborted) throw unreachable(socketPath, error);
  }
}

/** Comments are passed over; a refusal in the middle of the stream is thrown as what it is. */
function readFrame(frame: string): LogEvent | undefined {
  const lines = frame.split("\n");
  const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
  if (data === undefined) return undefined;
  if (lines.includes("event: error")) throw fromErrorBody(JSON.parse(data) as ErrorBody);
  return JSON.parse(data) as LogEvent;
}

async function wholeBody(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of response) text += String(chunk);
  return text;
}
