import { expect, it } from "vitest";
import { checkedLines } from "./check-lines.ts";
import { asProtocolError } from "./index.ts";

const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const initialize = (protocolVersion: unknown) => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion },
});

/** What reaches the library, and what the client is told. */
async function through(...chunks: readonly (string | Buffer)[]) {
  const told: { readonly id: unknown; readonly code: number }[] = [];
  const lines = checkedLines({ answer: ({ id, error }) => told.push({ id, code: error.code }) });
  let text = "";
  lines.on("data", (chunk: Buffer) => (text += chunk.toString()));
  for (const chunk of chunks) lines.write(chunk);
  await new Promise((resolve) => lines.end(resolve));
  return {
    told,
    passed: text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown),
  };
}
const line = (message: unknown): string => `${JSON.stringify(message)}\n`;

it("lets messages through as they are, however they are cut into chunks", async () => {
  const bytes = Buffer.from(line(ping("ü-🙂")) + line(ping(2)));
  const chunks = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect(await through(...chunks)).toEqual({ told: [], passed: [ping("ü-🙂"), ping(2)] });
});

it.each([
  ["text that is no JSON", "nope\n", { id: null, code: -32700 }],
  ["JSON that is no message", line({ hello: 1 }), { id: null, code: -32600 }],
  ["another version of JSON-RPC", line({ ...ping(3), jsonrpc: "1.0" }), { id: 3, code: -32600 }],
  ["an id that is none", line(ping(1.5)), { id: null, code: -32600 }],
  ["initialize without a revision", line(initialize(undefined)), { id: 0, code: -32602 }],
  ["a batch before a revision is agreed", line([ping(1)]), { id: null, code: -32600 }],
])("answers %s and continues with the next line", async (_, wrong, answer) => {
  expect(await through(wrong, line(ping(9)))).toEqual({ told: [answer], passed: [ping(9)] });
});

it.each([
  ["2025-03-26", [ping(1), ping(2)], []],
  ["2025-06-18", [], [{ id: null, code: -32600 }]],
])("takes a batch apart where the revision has batches (%s)", async (revision, members, told) => {
  const result = await through(line(initialize(revision)), line([ping(1), ping(2)]));
  expect(result).toEqual({ told, passed: [initialize(revision), ...members] });
});

it("refuses an empty batch and one with a stranger in it", async () => {
  const { told, passed } = await through(line(initialize("2025-03-26")), line([]), line([ping(1), { hello: 1 }]));
  expect(told).toEqual([
    { id: null, code: -32600 },
    { id: null, code: -32600 },
  ]);
  expect(passed).toHaveLength(1);
});

it("gives up a line that does not end before it fills the memory", async () => {
  const { told } = await through("x".repeat(9 * 1_048_576), "y\n", line(ping(1)));
  expect(told[0]).toEqual({ id: null, code: -32700 });
});

it("says in the protocol's words that a body was unreadable, and leaves other refusals alone", () => {
  const unreadable = { error: { code: "input.malformed", message: "The body is not JSON" } };
  expect(asProtocolError(unreadable)).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32700, message: "The body is not JSON", data: unreadable },
  });
  const denied = { error: { code: "token.unknown", message: "no" } };
  expect(asProtocolError(denied)).toBe(denied);
});
