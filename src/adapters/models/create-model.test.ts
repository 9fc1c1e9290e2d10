import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelFailure } from "../../orchestration/models/index.ts";
import { manualClock, systemClock } from "../../platform/clock/index.ts";
import { createModel } from "./create-model.ts";
import { conversation, failureOf, protocolNames, recordingTool, stage } from "./testkit.ts";

describe.each(protocolNames)("over %s", (protocol) => {
  it("runs a conversation of several steps with tools, and reports each step with its usage [RUN-7]", async () => {
    await using at = await stage([
      {
        when: { turn: 0, tool: "read" },
        reply: [{ text: "I look first." }, { tool: "read", input: { path: "a.ts" } }],
        usage: { input: 100, output: 20 },
      },
      {
        when: { turn: 1, mentions: "read A.TS" },
        reply: [{ tool: "read", input: { path: "b.ts" } }],
        usage: { input: 150, output: 10 },
      },
      {
        when: { turn: 2 },
        expect: { toolResult: "^read b" },
        reply: [{ text: "Both are fine." }],
        usage: { input: 200, output: 5 },
      },
    ]);
    const read = recordingTool("read");
    const talk = conversation({ tools: [read] });
    const end = await at.model(protocol, { label: "rehearsal" }).converse(talk);

    expect(end).toMatchObject({ reason: "stop", text: "Both are fine.", steps: 3 });
    expect(end.usage).toMatchObject({ inputTokens: 450, outputTokens: 35, cacheWriteTokens: undefined });
    expect(read.inputs).toEqual([{ path: "a.ts" }, { path: "b.ts" }]);
    expect(talk.seen.map(({ text, tools }) => [text, tools])).toEqual([
      ["I look first.", [{ name: "read", input: { path: "a.ts" }, output: "read a.ts" }]],
      ["", [{ name: "read", input: { path: "b.ts" }, output: "read b.ts" }]],
      ["Both are fine.", []],
    ]);
    expect(talk.seen[0]?.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    expect(at.retries).toEqual([]);
    expect(at.clock.pendingTimers()).toBe(0);
  });

  it("runs several calls of one answer in the model's order and sends all results back", async () => {
    await using at = await stage([
      { when: { turn: 0 }, reply: ["a", "b", "c"].map((path) => ({ tool: "read", input: { path } })) },
      { when: { mentions: ["read a", "read b", "read c"] }, reply: [{ text: "three" }] },
    ]);
    const running = new Set<string>();
    const read = recordingTool("read", async ({ path }) => {
      expect([...running]).toEqual([]);
      running.add(path);
      await Promise.resolve();
      running.delete(path);
      return `read ${path}`;
    });
    const end = await at.model(protocol).converse(conversation({ tools: [read] }));
    expect([end.text, read.inputs]).toEqual(["three", [{ path: "a" }, { path: "b" }, { path: "c" }]]);
  });

  it("tells what the cache gave, and leaves unknown what the provider did not say", async () => {
    await using at = await stage([{ reply: [{ text: "hi" }], usage: { input: 1_000, output: 10, cacheRead: 900 } }]);
    const { usage } = await at.model(protocol).converse(conversation());
    expect(usage).toEqual({ inputTokens: 1_000, outputTokens: 10, cacheReadTokens: 900, cacheWriteTokens: undefined });
  });

  it("waits as long as a rate limit asks for, then continues", async () => {
    await using at = await stage([
      { reply: [{ text: "done" }], fault: { status: 429, retryAfterMs: 7_000, times: 2 } },
    ]);
    const end = await at.model(protocol).converse(conversation());
    expect(end.text).toBe("done");
    expect(at.retries.map(({ failure, attempt, waitMs }) => [failure.kind, attempt, waitMs])).toEqual([
      ["rate-limit", 1, 7_000],
      ["rate-limit", 2, 7_000],
    ]);
  });

  it("backs off from an overloaded provider and gives up after its attempts", async () => {
    await using at = await stage([{ reply: [{ text: "never" }], fault: { status: 529, times: 100 } }]);
    const failure = await failureOf(at.model(protocol).converse(conversation()));
    expect(failure).toMatchObject({ kind: "provider-degraded", message: expect.stringContaining("529") });
    expect(at.retries.map(({ waitMs }) => waitMs)).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it("asks again after a connection cut in mid-answer, and runs no tool of the cut answer nor an older one twice", async () => {
    await using at = await stage([
      { when: { turn: 0 }, reply: [{ tool: "read", input: { path: "first" } }] },
      {
        when: { turn: 1 },
        reply: [
          { tool: "read", input: { path: "second" } },
          { text: "A long text that stands behind the call." },
          { text: "And one more, so that the cut comes after the call." },
        ],
        fault: { cut: true },
      },
      { when: { turn: 2 }, reply: [{ text: "done" }] },
    ]);
    const read = recordingTool("read");
    const end = await at.model(protocol).converse(conversation({ tools: [read] }));
    expect([end.text, end.steps]).toEqual(["done", 3]);
    expect(read.inputs).toEqual([{ path: "first" }, { path: "second" }]);
    expect(at.retries.map(({ failure }) => failure.kind)).toEqual(["transient"]);
  });

  it("gives a malformed tool call back to the model as an error, and does not run it", async () => {
    await using at = await stage([
      { when: { turn: 0 }, reply: [{ tool: "read", input: { path: "a.ts" } }], fault: { malformedToolInput: true } },
      {
        when: { turn: 1, mentions: 'Error: The input of "read"' },
        expect: { toolResult: "is not valid JSON|does not fit" },
        reply: [{ tool: "read", input: { wrong: 1 } }],
      },
      {
        when: { turn: 2 },
        expect: { toolResult: "path: .*expected string" },
        reply: [{ tool: "write", input: {} }],
      },
      {
        when: { turn: 3 },
        expect: { toolResult: 'no tool "write"; the tools are: read' },
        reply: [{ text: "I see." }],
      },
    ]);
    const read = recordingTool("read");
    const talk = conversation({ tools: [read] });
    const end = await at.model(protocol).converse(talk);
    expect(end.text).toBe("I see.");
    expect(read.inputs).toEqual([]);
    expect(talk.seen.flatMap(({ tools }) => tools).every((use) => "error" in use)).toBe(true);
  });

  it("gives what a tool throws back to the model, and ends once a final tool has succeeded", async () => {
    await using at = await stage([
      { when: { turn: 0 }, reply: [{ tool: "finish", input: { path: "x" } }] },
      {
        when: { mentions: "x is missing" },
        reply: [
          { tool: "finish", input: { path: "y" } },
          { tool: "read", input: { path: "z" } },
        ],
      },
    ]);
    const read = recordingTool("read");
    const finish = recordingTool(
      "finish",
      ({ path }) => {
        if (path === "x") throw new Error("x is missing");
        return { accepted: true };
      },
      true,
    );
    const talk = conversation({ tools: [read, finish] });
    const end = await at.model(protocol).converse(talk);
    expect([end.reason, end.steps, read.inputs]).toEqual(["final", 2, []]);
    expect(talk.seen.map(({ tools }) => tools.map((use) => ("error" in use ? use.error : use.output)))).toEqual([
      ["x is missing"],
      [{ accepted: true }, "Not run: the conversation had ended"],
    ]);
  });

  it("stops at its step limit", async () => {
    await using at = await stage([{ reply: [{ tool: "read", input: { path: "again" } }] }]);
    const read = recordingTool("read");
    const end = await at.model(protocol).converse(conversation({ tools: [read], maxSteps: 3 }));
    expect([end.reason, end.steps, read.inputs.length]).toEqual(["steps", 3, 3]);
  });

  it("breaks off at once when aborted in flight", async () => {
    await using at = await stage([{ reply: [{ text: "late" }], fault: { delayMs: 60_000, times: 9 } }]);
    const abort = new AbortController();
    const talking = failureOf(at.model(protocol).converse(conversation({ signal: abort.signal })));
    await expect.poll(() => at.clock.pendingTimers()).toBe(2); // the server's delay and the silence watch: it is in flight
    const before = systemClock().monotonic();
    abort.abort();
    expect(await talking).toMatchObject({ kind: "aborted" });
    expect(systemClock().monotonic() - before).toBeLessThan(500);
    await expect.poll(() => at.clock.pendingTimers()).toBe(0);
    expect(at.retries).toEqual([]);
  });

  it("says which way out there is when the key is refused, without the key [RUN-8]", async () => {
    await using at = await stage([{ reply: [{ text: "never" }] }]);
    const apiKey = "sk-very-secret-key-0123456789";
    const failure = await failureOf(at.model(protocol, {}, { apiKey }).converse(conversation()));
    expect(failure).toMatchObject({
      kind: "user-fixable",
      message: expect.stringContaining("sylk provider test acme"),
    });
    expect(JSON.stringify([failure, (failure as ModelFailure).message, (failure as ModelFailure).cause])).not.toContain(
      "secret",
    );
    expect(at.retries).toEqual([]);
  });

  it("says that a model is unknown", async () => {
    await using at = await stage([{ reply: [{ text: "never" }] }]);
    const failure = await failureOf(at.model(protocol, { model: "gpt-99" }).converse(conversation()));
    expect(failure).toMatchObject({ kind: "user-fixable", message: expect.stringContaining('"gpt-99"') });
  });

  it("ends without a tool call when a tool answers otherwise than rehearsed [RUN-7]", async () => {
    await using at = await stage([
      { when: { turn: 0 }, reply: [{ tool: "read", input: { path: "a" } }] },
      {
        when: { turn: 1 },
        expect: { toolResult: "3 passed, 0 failed" },
        reply: [{ tool: "finish", input: { path: "a" } }],
      },
    ]);
    const finish = recordingTool("finish", () => "ok", true);
    const read = recordingTool("read", () => "2 passed, 1 failed");
    const end = await at.model(protocol).converse(conversation({ tools: [read, finish] }));
    expect(end).toMatchObject({
      reason: "stop",
      text: expect.stringMatching(/does not go on: turn 2 expects .*2 passed, 1 failed/),
    });
    expect(finish.inputs).toEqual([]);
  });

  it("treats a model that says nothing at all as a broken connection", async () => {
    await using at = await stage([{ reply: [{ text: "back again" }], fault: { delayMs: 600_000 } }]);
    const talking = at.model(protocol).converse(conversation());
    await expect.poll(() => at.clock.pendingTimers()).toBe(2);
    at.clock.advance(240_000);
    expect((await talking).text).toBe("back again");
    expect(at.retries.map(({ failure }) => failure.message)).toEqual(["The model said nothing for 240 s"]);
  });
});

it("fails at once when a provider asks for a longer pause than it may take, and says how long", async () => {
  await using at = await stage([{ reply: [{ text: "never" }], fault: { status: 429, retryAfterMs: 90_000 } }]);
  const failure = await failureOf(at.model("anthropic messages").converse(conversation()));
  expect(failure).toMatchObject({ kind: "rate-limit", retryAfterMs: 90_000 });
  expect(at.retries).toEqual([]);
});

it("ends the wait for a retry when aborted", async () => {
  await using at = await stage([{ reply: [{ text: "never" }], fault: { status: 429, retryAfterMs: 5_000 } }]);
  const abort = new AbortController();
  const retry = { onRetry: () => abort.abort() };
  const failure = await failureOf(
    at.model("openai chat", {}, { retry }).converse(conversation({ signal: abort.signal })),
  );
  expect(failure).toMatchObject({ kind: "aborted" });
  expect(at.clock.pendingTimers()).toBe(0);
});

it("waits for a running tool on abort, runs none of the others, and reports the step it paid for", async () => {
  await using at = await stage([
    {
      reply: [
        { tool: "read", input: { path: "a" } },
        { tool: "read", input: { path: "b" } },
      ],
    },
  ]);
  const abort = new AbortController();
  let settled = false;
  const read = recordingTool("read", async (_input, { signal }) => {
    abort.abort();
    await Promise.resolve();
    settled = signal.aborted;
    return "stopped";
  });
  const talk = conversation({ tools: [read], signal: abort.signal });
  const failure = await failureOf(at.model("anthropic messages").converse(talk));
  expect(failure).toMatchObject({ kind: "aborted" });
  expect([settled, read.inputs.length, talk.seen.length]).toEqual([true, 1, 1]);
});

it("ends with what onStep throws", async () => {
  await using at = await stage([{ reply: [{ tool: "read", input: { path: "a" } }] }]);
  const onStep = () => {
    throw new Error("budget exhausted");
  };
  const failure = await failureOf(
    at.model("openai chat").converse(conversation({ tools: [recordingTool("read")], onStep })),
  );
  expect(failure).toMatchObject({ message: "budget exhausted" });
});

it("continues in the middle of a conversation when the server was started anew [RUN-7]", async () => {
  const turns = [
    { when: { turn: 0 }, reply: [{ tool: "read", input: { path: "a" } }] },
    { when: { turn: 1 }, reply: [{ text: "from the second" }] },
  ];
  await using first = await stage(turns);
  await using second = await stage(turns);
  // A proxy in front of both would switch in the same way: the address stays, the server behind it changes.
  const read = recordingTool("read", async () => {
    await first.close?.();
    return "read";
  });
  const failure = await failureOf(
    first.model("openai chat", {}, { retry: { attempts: 1 } }).converse(conversation({ tools: [read] })),
  );
  expect(failure).toMatchObject({ kind: "transient", message: expect.stringContaining("ECONNREFUSED") });
  const history = [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      tool_calls: [{ id: "call_0_0", type: "function", function: { name: "read", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "call_0_0", content: "read" },
  ];
  const answer = await fetch(`${second.url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${second.apiKey}` },
    body: JSON.stringify({ model: "rehearsal", messages: history }),
  });
  expect(await answer.json()).toMatchObject({
    model: "rehearsal",
    choices: [{ message: { content: "from the second" } }],
  });
});

it("names the missing key instead of looking for one in the environment", async () => {
  const config = { name: "acme", kind: "google", model: "gemini", keyVariable: "MY_KEY" } as const;
  const model = createModel(config, { apiKey: undefined, clock: manualClock() });
  expect(await failureOf(model.converse(conversation()))).toMatchObject({
    kind: "user-fixable",
    message: "Provider acme has no key; set the variable MY_KEY",
  });
});

it("knows of rehearsals in one place only, which chooses address and label [RUN-7]", () => {
  const folder = import.meta.dirname;
  const sources = readdirSync(folder).filter((file) => /^[a-z-]+\.ts$/.test(file) && !/^(index|testkit)/.test(file));
  expect(sources).toContain("ask-model.ts");
  const knowing = sources.filter((file) => /rehears|scripted/i.test(readFileSync(join(folder, file), "utf8")));
  expect(knowing).toEqual(["open-model.ts"]);
});
