/**
 * A model server on loopback that plays a scenario, so that the very client code of a real provider runs without a key.
 *
 *   request -> host, path, key, size -> wire: ModelRequest -> choose-turn -> fault? -> wire: JSON or event stream
 *
 * It knows nothing but the request: stopped and started again, it continues in the middle of any conversation. Only how
 * often a fault has happened is counted here. Every answer carries the model name "rehearsal" and the scenario's name.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Clock, systemClock } from "../../../platform/clock/index.ts";
import { chooseTurn } from "./choose-turn.ts";
import { type ModelRequest, rehearsalModel, type Reply, type Wire } from "./model-request.ts";
import type { Fault, Scenario, Turn } from "./scenario.ts";
import { gemini } from "./wire/gemini.ts";
import { anthropicMessages } from "./wire/anthropic-messages.ts";
import { openaiChat } from "./wire/openai-chat.ts";
import { openaiResponses } from "./wire/openai-responses.ts";

export type ScriptedServer = AsyncDisposable & {
  /** To be configured as a provider's baseUrl. */
  readonly url: string;
  /** A request without it gets no answer. */
  readonly apiKey: string;
  close(): Promise<void>;
};

const wires: readonly Wire[] = [anthropicMessages, openaiChat, openaiResponses, gemini];
const largestBody = 8 * 1024 * 1024;

export async function startScriptedServer({
  scenario,
  clock = systemClock(),
}: {
  readonly scenario: Scenario;
  readonly clock?: Clock;
}): Promise<ScriptedServer> {
  const apiKey = `sylk_rehearsal_${randomBytes(24).toString("base64url")}`;
  const play = player(scenario, clock);
  const server = createServer((request, response) => {
    response.setHeader("x-sylk-rehearsal", scenario.name);
    void serve(request, response, { apiKey, play });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, apiKey, close, [Symbol.asyncDispose]: close };
}

type Play = (request: ModelRequest, wire: Wire, response: ServerResponse) => Promise<void>;
type Service = { readonly apiKey: string; readonly play: Play };

async function serve(request: IncomingMessage, response: ServerResponse, { apiKey, play }: Service): Promise<void> {
  const [address = ""] = request.url?.split("?") ?? [];
  const wire = wires.find(({ path }) => (typeof path === "string" ? path === address : path.test(address)));
  const refuse = ({ status, type, message }: Refusal) =>
    sendJson(response, status, (wire ?? openaiChat).error(status, type, message));
  try {
    refuseStrangers(request, apiKey);
    if (!wire || request.method !== "POST") throw new Refusal(404, "not_found_error", "There is nothing here");
    const asked = readRequest(wire, await readBody(request), address);
    if (asked.model !== rehearsalModel) throw new Refusal(404, "not_found_error", `model: ${asked.model}`);
    await play(asked, wire, response);
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else
      refuse(
        error instanceof Refusal ? error : new Refusal(500, "api_error", `The rehearsal failed: ${String(error)}`),
      );
  }
}

class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

/** Web pages reach us by another Host or with an Origin; other programs of this machine do not have the key. */
function refuseStrangers({ headers, socket }: IncomingMessage, apiKey: string): void {
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!own.includes(headers.host ?? "") || headers.origin !== undefined)
    throw new Refusal(403, "permission_error", "Only programs of this machine are served");
  const bearer = headers.authorization?.replace(/^Bearer /i, "");
  const given = [headers["x-api-key"], headers["x-goog-api-key"], bearer].filter((key) => typeof key === "string");
  if (given.length === 0 || !given.every((key) => isSame(key, apiKey)))
    throw new Refusal(401, "authentication_error", "invalid x-api-key");
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** What is too large is read on without being kept, as far as is polite: a client that still sends reads no answer. */
async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
    else if (size > 4 * largestBody) break;
  }
  if (size > largestBody) throw new Refusal(413, "request_too_large", `The body is larger than ${largestBody} bytes`);
  return Buffer.concat(chunks).toString();
}

function readRequest(wire: Wire, body: string, address: string): ModelRequest {
  try {
    return wire.read(JSON.parse(body), address);
  } catch (error) {
    throw new Refusal(
      400,
      "invalid_request_error",
      `The request is not understood: ${(error as Error).message.slice(0, 1_000)}`,
    );
  }
}

function player(scenario: Scenario, clock: Clock): Play {
  const happened = new Map<number, number>();
  const faultNow = (turn: Turn, index: number): Fault | undefined => {
    const { fault } = turn;
    if (!fault || fault.malformedToolInput) return fault;
    const count = happened.get(index) ?? 0;
    happened.set(index, count + 1);
    return count < (fault.times ?? 1) ? fault : undefined;
  };

  return async (request, wire, response) => {
    const choice = chooseTurn(scenario, request);
    const parts = "turn" in choice ? choice.turn.reply : [{ text: choice.derailed }];
    const fault = "turn" in choice ? faultNow(choice.turn, choice.index) : undefined;
    if (fault?.status !== undefined) return sendFault(fault, wire, response);
    if (fault?.delayMs !== undefined && !(await delayed(fault.delayMs, clock, response))) return;
    const reply: Reply = {
      id: `${request.turn}`, // unique within a conversation, and the same when asked again
      createdAt: Math.floor(clock.now() / 1000),
      parts,
      usage: ("turn" in choice ? choice.turn.usage : undefined) ?? guessedUsage(request, parts),
      malformed: fault?.malformedToolInput === true,
    };
    send(wire, reply, response, { stream: request.stream, cut: fault?.cut === true });
  };
}

function sendFault({ status = 500, retryAfterMs }: Fault, wire: Wire, response: ServerResponse): void {
  const type = { 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error" }[status];
  if (retryAfterMs !== undefined) {
    response.setHeader("retry-after-ms", retryAfterMs);
    response.setHeader("retry-after", Math.ceil(retryAfterMs / 1000));
  }
  sendJson(response, status, wire.error(status, type, "This fault was rehearsed"));
}

/** False when the client went away meanwhile. */
function delayed(ms: number, clock: Clock, response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve(true));
    response.once("close", () => {
      timer.cancel();
      resolve(false);
    });
  });
}

function send(
  wire: Wire,
  reply: Reply,
  response: ServerResponse,
  { stream, cut }: { stream: boolean; cut: boolean },
): void {
  const content = stream ? wire.frames(reply) : [...JSON.stringify(wire.whole(reply))];
  response.writeHead(200, {
    "content-type": stream ? "text/event-stream" : "application/json",
    "cache-control": "no-store",
  });
  if (cut) response.write(content.slice(0, Math.ceil(content.length / 2)).join(""), () => response.destroy());
  else response.end(content.join(""));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(body));
}

/** Four letters are about a token. */
function guessedUsage({ heard }: ModelRequest, parts: Reply["parts"]): Reply["usage"] {
  return { input: Math.ceil(heard.length / 4), output: Math.ceil(JSON.stringify(parts).length / 4) };
}
