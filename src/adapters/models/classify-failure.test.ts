import { createServer, type ServerResponse, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it, vi } from "vitest";
import { ModelFailure, type ProviderConfig } from "../../orchestration/models/index.ts";
import { manualClock } from "../../platform/clock/index.ts";
import { createRedactor } from "../../platform/redact/index.ts";
import { classifyFailure } from "./classify-failure.ts";
import { createModel } from "./create-model.ts";
import type { Reply, Wire } from "./rehearsal/model-request.ts";
import { anthropicMessages } from "./rehearsal/wire/anthropic-messages.ts";
import { openaiChat } from "./rehearsal/wire/openai-chat.ts";
import { openaiResponses } from "./rehearsal/wire/openai-responses.ts";
import { conversation, failureOf, protocolNames, protocols } from "./testkit.ts";

const key = "sk-secret-0123456789";
const config: ProviderConfig = { name: "acme", kind: "openai", model: "m-1", baseUrl: "http://127.0.0.1:9/v1" };
const context = { config, redact: createRedactor(key).text, now: () => Date.parse("2026-01-01T00:00:00Z") };

function apiError(statusCode: number | undefined, message = "said", more: object = {}) {
  return Object.assign(new Error(message), { name: "AI_APICallError", statusCode, ...more });
}

it.each([
  [401, "invalid", "user-fixable", "check the key with: sylk provider test acme"],
  [403, "forbidden", "user-fixable", "sylk provider test acme"],
  [402, "pay first", "user-fixable", "billing"],
  [404, "no such model", "user-fixable", '"m-1"'],
  [400, "bad schema", "permanent", "refused the request"],
  [400, "prompt is too long: 250000 tokens", "permanent", "longer than m-1"],
  [400, "This model's maximum context length is 8192 tokens", "permanent", "longer than m-1"],
  [413, "large", "permanent", "longer than m-1"],
  [422, "odd", "permanent", "refused the request"],
  [408, "slow", "transient", "failed to answer"],
  [429, "slow down", "rate-limit", "limits the rate"],
  [500, "oops", "transient", "failed to answer"],
  [503, "busy", "provider-degraded", "overloaded"],
  [529, "Overloaded", "provider-degraded", "overloaded"],
])("sorts HTTP %i (%s) as %s", (status, message, kind, told) => {
  const failure = classifyFailure(apiError(status, message), context);
  expect([failure.kind, failure.message]).toEqual([kind, expect.stringContaining(told)]);
  expect(failure.message).toContain(`HTTP ${status}: ${message}`);
});

it("does not wait for a quota that only money refills", () => {
  const spent = apiError(429, "You exceeded your quota", { responseBody: '{"error":{"code":"insufficient_quota"}}' });
  expect(classifyFailure(spent, context)).toMatchObject({ kind: "user-fixable" });
});

it.each([
  [{ "retry-after-ms": "1500.2", "retry-after": "9" }, 1_501],
  [{ "retry-after": "2" }, 2_000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, undefined],
  [{}, undefined],
])("reads how long to wait from %j", (responseHeaders, expected) => {
  expect(classifyFailure(apiError(429, "x", { responseHeaders }), context).retryAfterMs).toBe(expected);
});

it.each([
  ["ECONNREFUSED", "transient", "cannot be reached"],
  ["ENOTFOUND", "transient", "cannot be reached"],
  ["ECONNRESET", "transient", "broke off"],
  ["UND_ERR_SOCKET", "transient", "broke off"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "user-fixable", "certificate"],
  ["", "permanent", "failed"],
])("sorts a connection that ends with %s as %s", (code, kind, told) => {
  const inner = Object.assign(new Error("inner"), code && { code });
  const failure = classifyFailure(new Error("outer", { cause: inner }), context);
  expect([failure.kind, failure.message]).toEqual([kind, expect.stringContaining(told)]);
});

it("keeps a failure that is sorted already, and survives what is no error at all", () => {
  const sorted = new ModelFailure("aborted", "enough");
  expect(classifyFailure(sorted, context)).toBe(sorted);
  for (const thrown of [undefined, null, "text", 7, {}])
    expect(classifyFailure(thrown, context)).toMatchObject({ kind: "permanent" });
});

// ---- over HTTP, against servers that behave as no scenario would

const closing: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) close();
});

async function serverThat(answer: (response: ServerResponse, request: IncomingMessage) => void): Promise<string> {
  const server = createServer((request, response) => void request.resume().on("end", () => answer(response, request)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function talkTo(baseUrl: string, changes: Partial<ProviderConfig>): Promise<unknown> {
  const model = createModel(
    { ...config, baseUrl, ...changes },
    { apiKey: key, clock: manualClock(), retry: { attempts: 1 } },
  );
  return failureOf(model.converse(conversation()));
}

const reply: Reply = {
  id: "0",
  createdAt: 0,
  parts: [{ text: "A text of some length." }, { tool: "read", input: { path: "a.ts" } }],
  usage: { input: 1, output: 1 },
  malformed: false,
};
const wireOf: Record<(typeof protocolNames)[number], Wire> = {
  "anthropic messages": anthropicMessages,
  "openai responses": openaiResponses,
  "openai chat": openaiChat,
  "openai-compatible": openaiChat,
};

it.each(protocolNames)("takes a stream that ends politely in mid-answer for broken off, over %s", async (protocol) => {
  const frames = wireOf[protocol].frames(reply);
  for (const length of [
    0,
    1,
    Math.ceil(frames.length / 2),
    frames.length - (protocol.endsWith("messages") ? 2 : protocol.endsWith("responses") ? 1 : 3),
  ]) {
    const url = await serverThat((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(frames.slice(0, length).join(""));
    });
    expect(await talkTo(url, protocols[protocol]), `${length} of ${frames.length} frames`).toMatchObject({
      kind: "transient",
    });
  }
});

it.each(protocolNames)("takes the key out of what a server echoes, over %s [RUN-8]", async (protocol) => {
  const url = await serverThat((response, { headers }) => {
    const echo = `bad key ${headers.authorization ?? headers["x-api-key"]?.toString()}`;
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify(wireOf[protocol].error(401, "authentication_error", echo)));
  });
  const failure = (await talkTo(url, protocols[protocol])) as ModelFailure;
  expect(failure.message).toMatch(/bad key (Bearer )?\[redacted\]/);
  const everything = [
    failure.message,
    failure.stack,
    JSON.stringify(failure),
    JSON.stringify(failure.cause),
    (failure.cause as Error).stack,
  ];
  expect(everything.join()).not.toContain(key);
});

it.each([undefined, "nonsense", "file:///etc/passwd", "https://user:pass@host/v1", "https://host/v1?key=secret"])(
  "sends nothing to the address %s, and does not repeat what may be secret in it [RUN-8]",
  async (baseUrl) => {
    const { baseUrl: _, ...rest } = config;
    const model = createModel(
      { ...rest, kind: "openai-compatible", ...(baseUrl && { baseUrl }) },
      { apiKey: undefined, clock: manualClock() },
    );
    const failure = await failureOf(model.converse(conversation()));
    expect(failure).toMatchObject({ kind: "user-fixable", message: expect.stringContaining("sylk provider add acme") });
    expect((failure as ModelFailure).message).not.toMatch(/pass@|secret/);
  },
);

it("takes an overload that is told within the stream for one", async () => {
  const frames = anthropicMessages.frames(reply).slice(0, 4);
  const error = `event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n`;
  const url = await serverThat(
    (response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).end([...frames, error].join("")),
  );
  expect(await talkTo(url, { kind: "anthropic" })).toMatchObject({ kind: "provider-degraded" });
});

it("asks Google at the configured address with the configured key only", async () => {
  vi.stubEnv("GOOGLE_GENERATIVE_AI_API_KEY", "sk-of-the-environment");
  const seen: unknown[] = [];
  const url = await serverThat((response, request) => {
    seen.push([request.url?.split("?")[0], request.headers["x-goog-api-key"]]);
    const error = { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" };
    response.writeHead(400, { "content-type": "application/json" }).end(JSON.stringify({ error }));
  });
  const failure = await talkTo(url, { kind: "google", model: "gemini-x" });
  expect(seen).toEqual([["/v1/models/gemini-x:streamGenerateContent", key]]);
  expect(failure).toMatchObject({ kind: "user-fixable", message: expect.stringContaining("sylk provider test acme") });
});
