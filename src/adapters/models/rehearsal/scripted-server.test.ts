import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText, tool, type ToolSet } from "ai";
import { request as httpRequest } from "node:http";
import { expect, it } from "vitest";
import * as z from "zod";
import { Scenario } from "./scenario.ts";
import { type ScriptedServer, startScriptedServer } from "./scripted-server.ts";

function start(turns: z.input<typeof Scenario>["turns"]): Promise<ScriptedServer> {
  return startScriptedServer({ scenario: Scenario.parse({ name: "small play", turns }) });
}

const clients = {
  "anthropic messages": ({ url, apiKey }: ScriptedServer) => createAnthropic({ baseURL: url, apiKey })("rehearsal"),
  "openai responses": ({ url, apiKey }: ScriptedServer) =>
    createOpenAI({ baseURL: url, apiKey }).responses("rehearsal"),
  "openai chat": ({ url, apiKey }: ScriptedServer) => createOpenAI({ baseURL: url, apiKey }).chat("rehearsal"),
  gemini: ({ url, apiKey }: ScriptedServer) =>
    createGoogleGenerativeAI({ baseURL: url.replace(/v1$/, "v1beta"), apiKey })("rehearsal"),
  "openai-compatible": ({ url, apiKey }: ScriptedServer) =>
    createOpenAICompatible({ name: "x", baseURL: url, apiKey, includeUsage: true })("rehearsal"),
};
const protocols = Object.keys(clients) as (keyof typeof clients)[];

const text = 'Zürich 😀 "quoted"\nand a second line';
const answer = [
  { text },
  { tool: "read", input: { path: "a.ts", deep: { list: [1, null, "\u2028"] } } },
  { tool: "read", input: {} },
];

it.each(protocols)("answers the same whole and streamed, labelled, over %s [RUN-7]", async (protocol) => {
  await using server = await start([{ reply: answer, usage: { input: 50, output: 7 } }]);
  const question = {
    model: clients[protocol](server),
    prompt: "hello",
    tools: { read: tool({ inputSchema: z.looseObject({}) }) } as ToolSet,
    maxOutputTokens: 1_000,
    maxRetries: 0,
  };
  const whole = await generateText(question);
  const streamed = streamText(question);
  for (const step of [whole.finalStep, await streamed.finalStep]) {
    expect(step.text).toBe(text);
    expect(step.toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ["read", answer[1]?.input],
      ["read", {}],
    ]);
    expect(step.finishReason).toBe("tool-calls");
    expect(step.usage).toMatchObject({ inputTokens: 50, outputTokens: 7 });
    expect(step.response.modelId).toBe("rehearsal");
    expect(step.response.headers).toMatchObject({ "x-sylk-rehearsal": "small play" });
  }
});

it.each(protocols)("streams texts in several pieces, over %s", async (protocol) => {
  await using server = await start([{ reply: [{ text }] }]);
  const pieces: string[] = [];
  for await (const piece of streamText({ model: clients[protocol](server), prompt: "hello", maxOutputTokens: 9 })
    .textStream)
    pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join("")).toBe(text);
});

it.each(protocols)(
  "hears what the user and the tools say, but neither instructions nor itself, over %s",
  async (protocol) => {
    await using server = await start([
      { when: { mentions: ["secret instruction"] }, reply: [{ text: "heard the instructions" }] },
      { when: { mentions: ["my own words"] }, reply: [{ text: "heard myself" }] },
      { when: { turn: 2, mentions: ["FIRST  question", "second\nquestion"] }, reply: [{ text: "heard the user" }] },
    ]);
    const { text } = await generateText({
      model: clients[protocol](server),
      maxOutputTokens: 1_000,
      instructions: "A secret instruction.",
      messages: [
        { role: "user", content: "The first question" },
        { role: "assistant", content: "My own words" },
        { role: "user", content: [{ type: "text", text: "the second  question" }] },
        { role: "assistant", content: "More of my own words" },
        { role: "user", content: "Well?" },
      ],
    });
    expect(text).toBe("heard the user");
  },
);

const body = { model: "rehearsal", messages: [{ role: "user", content: "hi" }] };

function post(server: ScriptedServer, path: string, init: RequestInit = {}, key = server.apiKey): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    ...init,
  });
}

it("refuses a caller without its key [RUN-7]", async () => {
  await using server = await start([{ reply: [{ text: "hi" }] }]);
  await using other = await start([{ reply: [{ text: "hi" }] }]);
  for (const headers of [
    {},
    { "x-api-key": "" },
    { authorization: "Bearer x" },
    { "x-api-key": other.apiKey },
    { "x-api-key": "x", authorization: `Bearer ${server.apiKey}` },
  ])
    expect((await post(server, "/messages", { headers })).status).toBe(401);
  expect((await post(server, "/chat/completions")).status).toBe(200);
});

it("serves no web page: another Host or an Origin is refused", async () => {
  await using server = await start([{ reply: [{ text: "hi" }] }]);
  const { port } = new URL(server.url);
  const statusOf = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { port, host: "127.0.0.1", path: "/v1/chat/completions", method: "POST" };
      const all = { authorization: `Bearer ${server.apiKey}`, ...headers };
      httpRequest({ ...options, headers: all }, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end(JSON.stringify(body));
    });
  expect(await statusOf({ host: `evil.example:${port}` })).toBe(403);
  expect(await statusOf({ host: "127.0.0.1:1" })).toBe(403);
  expect(await statusOf({ origin: "http://evil.example" })).toBe(403);
  expect(await statusOf({ host: `localhost:${port}` })).toBe(200);
});

it("refuses what it does not understand in the words of the protocol, and continues serving", async () => {
  await using server = await start([{ reply: [{ text: "hi" }] }]);
  for (const path of ["/messages", "/chat/completions", "/responses"]) {
    for (const bad of [
      "",
      "{",
      "[]",
      "null",
      '{"model":"rehearsal"}',
      '{"model":7,"messages":[],"input":[]}',
      '{"model":"rehearsal","messages":{},"input":7}',
    ])
      expect((await post(server, path, { body: bad })).status, `${path} ${bad}`).toBe(400);
    expect((await post(server, path, { body: "[".repeat(200_000) })).status).toBe(400);
  }
  const large = `{"a":"${"x".repeat(9 * 1024 * 1024)}"}`;
  expect((await post(server, "/messages", { body: large })).status).toBe(413);
  expect((await post(server, "/elsewhere")).status).toBe(404);
  expect((await post(server, "/messages", { method: "GET", body: null })).status).toBe(404);
  expect(
    await (
      await post(server, "/responses", { body: '{"model":"rehearsal","input":"x","previous_response_id":"r"}' })
    ).json(),
  ).toMatchObject({
    error: { message: expect.stringContaining("send the whole conversation") },
  });
  expect((await post(server, "/chat/completions")).status).toBe(200);
});

it("says why the rehearsal does not go on, and offers no tool call then [RUN-7]", async () => {
  await using server = await start([
    { when: { tool: "write" }, reply: [{ text: "never" }] },
    { when: { mentions: ["something else"] }, reply: [{ text: "never" }] },
    { when: { turn: 4 }, reply: [{ text: "never" }] },
  ]);
  const answer = (await (await post(server, "/chat/completions")).json()) as { choices: { message: object }[] };
  expect(answer.choices[0]?.message).toEqual({
    role: "assistant",
    content:
      'The rehearsal "small play" does not go on: no turn fits a request with 0 answers before it and the tools none ' +
      '(turn 1 wants the tool write; turn 2 wants "something else" to be mentioned; turn 3 wants 4 answers before it).',
  });
});

it("is not held up by a pattern that would take for ever", async () => {
  await using server = await start([{ expect: { toolResult: "^(a+)+$" }, reply: [{ text: "never" }] }]);
  const messages = [{ role: "tool", content: `${"a".repeat(60)}b` }];
  const answer = await post(server, "/chat/completions", { body: JSON.stringify({ ...body, messages }) });
  expect(await answer.text()).toContain("does not go on");
});
