import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownWorkIn, readOwnWork } from "./read-transcript.ts";

let next = 0;
const called = (command: string, failed: boolean): string => {
  const id = `toolu_${++next}`;
  return [
    { type: "assistant", message: { content: [{ type: "tool_use", id, name: "Bash", input: { command } }] } },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, is_error: failed, content: "…" }] } },
  ]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join("");
};

describe("the last test run", () => {
  it.each([
    ["npm test", false, "passed"],
    ["cd packages/shop && npm run test", true, "failed"],
    ["CI=1 npx vitest run src 2>&1", true, "failed"],
    ["python -m pytest -q", false, "passed"],
    ["go test ./...", true, "failed"],
    ["npm test | tail -5", false, "unclear"],
    ["npm test; echo done", false, "unclear"],
    ["cargo test || true", false, "unclear"],
    ["git commit -m test", false, undefined],
    ["ls test", false, undefined],
    ["cat contest.txt", true, undefined],
  ] as const)("%s, failed: %s -> %s [STAT-4]", (command, failed, result) => {
    expect(ownWorkIn(called(command, failed)).tests).toBe(result);
  });

  it("is the latest one, and failures of other calls are counted beside it [STAT-4]", () => {
    const text = called("npm test", true) + called("ls", true) + called("npm test", false) + called("ls", false);
    expect(ownWorkIn(text)).toEqual({ tests: "passed", errors: 2, calls: 4 });
    const many = Array.from({ length: 30 }, (_, index) => called("ls", index < 10)).join("");
    expect(ownWorkIn(many)).toEqual({ tests: undefined, errors: 0, calls: 20 });
  });
});

it("makes nothing of garbage, of half a line, or of a file that is not there [STAT-4]", async () => {
  const row = fc.oneof(fc.string(), fc.json(), fc.constant('{"message":{"content":[{"type":"tool_result"},null,1]}}'));
  fc.assert(
    fc.property(fc.array(row), (lines) => {
      expect(ownWorkIn(lines.join("\n"))).toEqual({ tests: undefined, errors: 0, calls: 0 });
    }),
  );
  expect(ownWorkIn(called("npm test", true).slice(20))).toMatchObject({ tests: undefined });
  expect(await readOwnWork("/nowhere/s.jsonl")).toBeUndefined();
  expect(await readOwnWork("/etc/passwd")).toBeUndefined();
});

it("counts a call once beside the records of requests that repeat its messages, and in a fork's copy [STAT-4]", () => {
  const call = called("npm test", true);
  const blobs = call
    .trimEnd()
    .split("\n")
    .map((row) =>
      JSON.stringify({
        type: "api-request-blob",
        sessionId: "s",
        hash: "h",
        message: (JSON.parse(row) as { message: object }).message,
      }),
    )
    .join("\n");
  expect(ownWorkIn(`${call}${blobs}\n${call}`)).toEqual({ tests: "failed", errors: 1, calls: 1 });
});
