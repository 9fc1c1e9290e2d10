/**
 * The protocol by hand, as a client without a library would speak it: over HTTP, and over the standard input of `sylk mcp`.
 */
import { startProcess, mainScript } from "../flows/run-sylk.ts";
import type { ScratchDaemon } from "../flows/scratch-daemon.ts";
import { until, within } from "../flows/until.ts";
import { send, type WireAnswer } from "../flows/wire.ts";

/** Those that begin with `initialize`, oldest first; 2026-07-28 has no such beginning. */
export const olderRevisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] as const;
export const newestRevision = "2026-07-28";
export const revisionsWithBatches: readonly string[] = ["2024-11-05", "2025-03-26"];

export type Message = {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};
export type HttpAnswer = WireAnswer & { readonly messages: readonly Message[] };

export function request(method: string, params?: object, id: string | number = 1): object {
  return { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) };
}

export function initialize(protocolVersion: string): object {
  return request("initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "by hand", version: "1" } });
}

/** What every request of 2026-07-28 says about itself. */
export function withEnvelope(params: object = {}, revision: string = newestRevision): object {
  return {
    ...params,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "by hand", version: "1" },
    },
  };
}

export async function post(
  { port, repository }: ScratchDaemon,
  token: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const answer = await send(
    { host: "127.0.0.1", port },
    {
      method: "POST",
      path: "/mcp",
      headers: {
        authorization: `Bearer ${token}`,
        "sylk-project": repository,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    },
  );
  return { ...answer, messages: messagesOf(answer) };
}

/** One request of 2026-07-28, with the headers that repeat what its body says. */
export function postNewest(
  daemon: ScratchDaemon,
  token: string,
  method: string,
  params: { readonly name?: string } & Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  return post(daemon, token, request(method, withEnvelope(params)), {
    "mcp-protocol-version": newestRevision,
    "mcp-method": method,
    ...(params.name === undefined ? {} : { "mcp-name": params.name }),
    ...headers,
  });
}

function messagesOf({ body, headers }: WireAnswer): readonly Message[] {
  if (body === "") return [];
  if (headers["content-type"]?.includes("text/event-stream") !== true) return [JSON.parse(body) as Message];
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Message);
}

export type StdioClient = AsyncDisposable & {
  send(message: unknown): void;
  /** Every message so far. */
  readonly received: readonly Message[];
  answerTo(id: string | number | null): Promise<Message>;
  /** Closes its input; the exit code. */
  end(): Promise<number | null>;
};

/** `sylk mcp` for an agent of the daemon. */
export function startStdio({ env, repository }: ScratchDaemon, token: string): StdioClient {
  const process = startProcess(globalThis.process.execPath, [mainScript, "mcp"], {
    env: { ...env, SYLK_TOKEN: token },
    cwd: repository,
    input: "pipe",
  });
  const received = (): Message[] =>
    process
      .output()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Message);
  const end = async (): Promise<number | null> => {
    process.child.stdin!.end();
    return (await within("sylk mcp ends", process.ended)).code;
  };
  return {
    send: (message) =>
      void process.child.stdin!.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    get received() {
      return received();
    },
    answerTo: (id) => until(`${String(id)} is answered`, () => received().find((message) => message.id === id)),
    end,
    [Symbol.asyncDispose]: async () => void (await end()),
  };
}
