/** Bytes over a socket, as they are: clients would put right what is wrong with them. */
import { connect } from "node:net";
import { within } from "../flows/until.ts";
import type { Place } from "../flows/wire.ts";

export type RawAnswer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** `error.code` of a JSON body; MCP carries the same inside an error of its own. */
  readonly code: string | undefined;
};
type Coded = { readonly code?: string };
type Terms = {
  /** Enough is answered, although the connection stays open. */
  readonly until?: RegExp;
  readonly withinMs?: number;
};

/** Everything that came back until the other side closed. */
export function exchange(place: Place, bytes: string | Buffer, { until, withinMs = 15_000 }: Terms = {}) {
  const socket = connect("socketPath" in place ? { path: place.socketPath } : place);
  const answered = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (until?.test(text)) resolve(text);
    });
    socket.on("error", () => resolve(text)); // the other side did not wait for all of it; what it said counts
    socket.on("close", () => resolve(text));
    socket.write(bytes);
  });
  return within("the connection is answered and closed", answered, { withinMs }).finally(() => socket.destroy());
}

/** The answers in a row; none for a connection that was closed without a word. */
export function answersIn(text: string): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n");
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n");
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(first) ?? [];
    if (status === undefined || end < 0) throw new Error(`no HTTP answer: ${rest.slice(0, 200)}`);
    const headers = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(":") + 1).trim()]));
    const length = Number(headers.get("content-length") ?? rest.length);
    const body = rest.slice(end + 4, end + 4 + length);
    answers.push({ status: Number(status), headers, body, code: codeIn(body) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":")).toLowerCase();
}

function codeIn(body: string): string | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: Coded & { data?: { error?: Coded } } };
    return (error?.data?.error ?? error)?.code;
  } catch {
    return undefined; // not JSON, or a stream
  }
}
