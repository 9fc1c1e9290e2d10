import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claudeCodeReader } from "../claude-code/index.ts";
import { geminiReader } from "../gemini/index.ts";
import { readOpencodeMessage } from "../opencode/index.ts";

const place = { session: "from-the-file", agent: "sub-1" };

describe("Gemini CLI", () => {
  const message = (tokens: unknown, more = {}) =>
    JSON.stringify({ id: "m1", type: "gemini", model: "gemini-x", timestamp: "2026-01-02T03:04:05Z", tokens, ...more });

  it("counts cached input once, and thoughts as output [COST-1]", () => {
    const line = message({ input: 100, output: 10, cached: 60, thoughts: 5, tool: 7, total: 122 });
    expect(geminiReader.read(line, { session: "s" }, place)).toMatchObject({
      record: { key: "gm:s:m1", session: "s", input: 47, cacheRead: 60, output: 15, context: 107 },
    });
  });

  it("learns its session from the first line", () => {
    const first = geminiReader.read(JSON.stringify({ sessionId: "s-9", startTime: "x" }), {}, place);
    expect(first).toEqual({ state: { session: "s-9" }, record: undefined });
  });

  it("says unknown where a number is missing or nonsense [COST-2]", () => {
    const line = message({ input: "many", cached: -1 });
    expect(geminiReader.read(line, {}, place)).toMatchObject({
      record: { input: undefined, output: undefined, cacheRead: undefined, context: undefined },
    });
  });
});

describe("opencode", () => {
  const row = (data: unknown) => ({ id: "msg_1", session: "ses_1", data: JSON.stringify(data) });

  it("adds reasoning to the output and keeps the caches apart [COST-1]", () => {
    const tokens = { input: 10, output: 20, reasoning: 5, cache: { read: 30, write: 40 } };
    const data = { role: "assistant", modelID: "m", time: { created: 1_760_000_000_000 }, tokens };
    expect(readOpencodeMessage(row(data))).toMatchObject({
      key: "oc:msg_1",
      input: 10,
      output: 25,
      cacheRead: 30,
      cacheWrite: 40,
      context: 80,
      at: 1_760_000_000_000,
    });
  });

  it("does not take the zeros of an answer under way for a call", () => {
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    expect(readOpencodeMessage(row({ role: "assistant", tokens }))).toBeUndefined();
    expect(readOpencodeMessage(row({ role: "user" }))).toBeUndefined();
    expect(readOpencodeMessage({ id: "x", session: "y", data: "{" })).toBe("unreadable");
  });
});

describe("Claude Code", () => {
  it("says unknown where the usage does not tell, and knows sub-agents by their file [COST-2]", () => {
    const line = JSON.stringify({ type: "assistant", message: { id: "m", usage: { output_tokens: 3 } } });
    expect(claudeCodeReader.read(line, {}, place)).toMatchObject({
      record: {
        key: "cc:m",
        session: "from-the-file",
        agent: "sub-1",
        output: 3,
        input: undefined,
        context: undefined,
        at: undefined,
      },
    });
  });

  it("survives any line", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const reader of [claudeCodeReader, geminiReader]) expect(() => reader.read(text, {}, place)).not.toThrow();
      }),
    );
  });
});
