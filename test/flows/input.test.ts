/** Bad input, from torn bytes to random JSON: a typed error each time, and nothing changed. */
import { connect } from "node:net";
import Database from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import {
  allOperations,
  isErrorCode,
  operations,
  type Operation,
  type OperationName,
} from "../../src/contract/index.ts";
import { openScratchDaemon, type ScratchAgent, type ScratchDaemon } from "./scratch-daemon.ts";
import { within } from "./until.ts";
import { requestFor, send, type Place, type WireAnswer } from "./wire.ts";

let daemon: ScratchDaemon;
let heron: ScratchAgent;
let places: readonly Place[];

beforeAll(async () => {
  daemon = await openScratchDaemon();
  heron = await daemon.register("heron");
  places = [{ socketPath: daemon.paths.socket }, { host: "127.0.0.1", port: daemon.port }];
});
afterAll(() => daemon[Symbol.asyncDispose]());

const json = { "content-type": "application/json" };
const nested = (levels: number): string => `{"title":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("a body that is no good changes nothing and is answered by name", () => {
  it.each<[string, string | Buffer, number, string]>([
    ["half an object", '{"title":', 400, "input.malformed"],
    ["nothing", "", 400, "input.malformed"],
    ["a word", "title", 400, "input.malformed"],
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400, "input.malformed"],
    [
      "a title that is not UTF-8",
      Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      400,
      "input.malformed",
    ],
    ["an array", "[]", 400, "input.invalid"],
    ["a text", '"title"', 400, "input.invalid"],
    ["a number", "1", 400, "input.invalid"],
    ["a number for a title", '{"title":1}', 400, "input.invalid"],
    ["null for a title", '{"title":null}', 400, "input.invalid"],
    ["an object for a title", '{"title":{}}', 400, "input.invalid"],
    ["a title of spaces", '{"title":"   "}', 400, "input.invalid"],
    ["a field too many", '{"title":"x","titel":"x"}', 400, "input.invalid"],
    ["a prototype", '{"title":"x","__proto__":{"admin":true}}', 400, "input.malformed"],
    ["a constructor", '{"title":"x","constructor":{"prototype":{}}}', 400, "input.malformed"],
    ["99 levels", nested(99), 400, "input.invalid"],
    ["100,000 levels", nested(100_000), 400, "input.malformed"],
    ["two megabytes", JSON.stringify({ title: "x", body: "y".repeat(2 * 1_048_576) }), 413, "input.too-large"],
    [
      "a body of a field that is too long",
      JSON.stringify({ title: "x", body: "y".repeat(100_001) }),
      400,
      "input.invalid",
    ],
  ])("%s [CORE-22]", async (_what, body, status, code) => {
    await expectRefused({ method: "POST", path: "/v1/work-items", headers: json, body }, status, code);
  });

  it.each([
    "text/plain",
    "text/xml",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
  ])("the content type %s [CORE-22]", async (type) => {
    const terms = { method: "POST", path: "/v1/work-items", headers: { "content-type": type }, body: '{"title":"x"}' };
    const [answer] = await expectRefused(terms, 415, "input.unsupported-type");
    expect(JSON.parse(answer!.body)).toMatchObject({ error: { details: { contentType: type } } });
  });
});

describe("an address that is no good changes nothing and is answered by name", () => {
  it.each([
    ["a path that climbs", "GET", "/v1/work-items/..%2F..%2F..%2Fetc%2Fpasswd", 400, "input.invalid"],
    ["a path that climbs openly", "GET", "/v1/work-items/../../etc/passwd", 404, "operation.unknown"],
    ["a null byte", "GET", "/v1/work-items/wrk_%00", 400, "input.invalid"],
    ["another thing's id", "POST", "/v1/work-items/agt_01jd8q3m7k4x9t2v5b8n1c/claim", 400, "input.invalid"],
    ["an id in capitals", "GET", "/v1/work-items/WRK_01JD8Q3M7K4X9T2V5B8N1C", 400, "input.invalid"],
    ["an id of 5,000 letters", "GET", `/v1/work-items/${"a".repeat(5_000)}`, 400, "input.malformed"],
    ["a broken escape", "GET", "/v1/work-items/%zz", 400, "input.malformed"],
    ["an escape that is not UTF-8", "GET", "/v1/work-items/%ff%fe", 400, "input.malformed"],
    ["a query twice", "GET", "/v1/work-items?limit=1&limit=2", 400, "input.invalid"],
    ["a query nobody knows", "GET", "/v1/work-items?limt=1", 400, "input.invalid"],
    ["a method nobody knows here", "PUT", "/v1/work-items", 404, "operation.unknown"],
    ["a route nobody knows", "GET", "/v1/workitems", 404, "operation.unknown"],
  ])("%s [CORE-22]", async (_what, method, path, status, code) => {
    await expectRefused({ method, path }, status, code);
  });

  it("an Idempotency-Key that is empty, too long or not visible ASCII [CORE-22]", async () => {
    for (const key of [" ", "x".repeat(201), "a b", "ü"]) {
      const headers = { ...json, "idempotency-key": key };
      await expectRefused(
        { method: "POST", path: "/v1/work-items", headers, body: '{"title":"x"}' },
        400,
        "input.invalid",
      );
    }
  });

  it("a project header that is not percent-encoded text, or names no folder [CORE-22]", async () => {
    const asUser = { authorization: `Bearer ${daemon.userToken}` };
    await expectRefused({ path: "/v1/agents", headers: { ...asUser, "sylk-project": "%zz" } }, 400, "input.invalid");
    await expectRefused({ path: "/v1/agents", headers: { ...asUser, "sylk-project": "here" } }, 400, "input.invalid");
    await expectRefused(
      { path: "/v1/agents", headers: { ...asUser, "sylk-project": "/nowhere" } },
      404,
      "project.not-found",
    );
  });
});

describe("what is hardly HTTP", () => {
  it.each([
    [
      "headers of 40 KB",
      (host: string) => `GET /v1/status HTTP/1.1\r\n${host}x: ${"a".repeat(40_000)}\r\n\r\n`,
      431,
      "input.headers-too-large",
    ],
    ["no HTTP at all", () => "HELO sylk\r\n\r\n", 400, "input.malformed"],
    [
      "two lengths",
      (host: string) => `POST /v1/work-items HTTP/1.1\r\n${host}content-length: 5\r\ncontent-length: 6\r\n\r\n{}`,
      400,
      "input.malformed",
    ],
    [
      "length and chunks",
      (host: string) =>
        `POST /v1/work-items HTTP/1.1\r\n${host}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      "input.malformed",
    ],
    [
      "a chunk without a size",
      (host: string) => `POST /v1/work-items HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\n`,
      400,
      "input.malformed",
    ],
  ] as const)("%s gets a typed error on both addresses [CORE-22]", async (_what, text, status, code) => {
    const before = await cursor();
    for (const place of places) {
      const answer = await sendRaw(place, text(`host: 127.0.0.1:${daemon.port}\r\n`));
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({ error: { code } });
    }
    expect(await cursor()).toBe(before);
  });
});

it("answers a deeply nested MCP call without a defect [CORE-22]", async () => {
  const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work_item_create","arguments":${nested(50_000)}}}`;
  const headers = {
    ...json,
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${heron.token}`,
  };
  const before = await cursor();
  for (const place of places) {
    const { status, body } = await send(place, { method: "POST", path: "/mcp", headers, body: call });
    expect([status, JSON.parse(body)]).toMatchObject([
      400,
      { error: { data: { error: { code: "input.malformed" } } } },
    ]);
  }
  expect(await cursor()).toBe(before);
});

it("makes no agent for a user whose first call is refused for its input [CORE-22]", async () => {
  const project = daemon.addRepository("untouched");
  const headers = { ...json, authorization: `Bearer ${daemon.userToken}`, "sylk-project": encodeURIComponent(project) };
  await expectRefused({ method: "POST", path: "/v1/work-items", headers, body: '{"titel":"x"}' }, 400, "input.invalid");
  const { items } = await daemon.clientOf({ project }).call("agent.list", {});
  expect(items).toEqual([]);
});

it("never answers random JSON with 5xx, nor appends an event without a 200 [CORE-22]", async () => {
  const others = new Set(["daemon.stop", "run.start", "provider.test"]); // they stop it, or start what goes on by itself
  const tried = allOperations()
    .map(({ name }) => name)
    .filter((name) => !others.has(name));
  const seen = { ok: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...tried).chain(callOf), async ({ name, input }) => {
      const operation: Operation = operations[name];
      const before = await cursor();
      const { status, body } = await sendAs(heron.token, operation, input);
      const after = await cursor();
      expect(status, body).toBeLessThan(500);
      if (status === 200) seen.ok++;
      else {
        seen.refused++;
        const { error } = JSON.parse(body) as { error: { code: string } };
        expect(isErrorCode(error.code), body).toBe(true);
        expect(after, `${operation.name} was refused and yet appended an event`).toBe(before);
      }
      if (operation.kind === "read") expect(after, `${operation.name} only reads`).toBe(before);
    }),
    { numRuns: 300, seed: 1118, endOnFailure: true },
  );
  expect(seen.ok, "some were good").toBeGreaterThan(10);
  expect(seen.refused).toBeGreaterThan(100);
});

type FieldSchema = { readonly type?: string; readonly enum?: readonly string[]; readonly items?: FieldSchema };

/** Some of the operation's own fields, mostly of the right type, so that many calls get past the first check. */
function callOf(name: OperationName) {
  const { properties = {}, required = [] } = z.toJSONSchema(operations[name].input, { io: "input" }) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([field, schema]) => [field, valueFor(schema)] as const);
  const own = fc.record(Object.fromEntries(fields), { requiredKeys: required });
  const torn = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  const foreign = fc.dictionary(fc.string({ maxLength: 12 }), anything, { maxKeys: 2 });
  const input = fc.oneof(
    { weight: 6, arbitrary: own },
    { weight: 2, arbitrary: torn },
    { weight: 1, arbitrary: fc.tuple(own, foreign).map(([given, more]) => ({ ...given, ...more })) },
  );
  return input.map((given) => ({ name, input: given as Readonly<Record<string, unknown>> }));
}

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    "heron",
    "../..",
    "/",
    "src/**",
    "a/{b,c}/[!x]*",
    "[",
    "{",
    "**",
    "reservation.*",
    "a\\",
    "\u0000",
  ),
  fc.constantFrom("wrk", "agt", "rsv", "run", "ses", "apr").map((prefix) => `${prefix}_01jd8q3m7k4x9t2v5b8n1c`),
);
const anything = fc.oneof(
  text,
  fc.double(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

function valueFor(schema: FieldSchema): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: typed(schema) }, { weight: 1, arbitrary: anything });
}

function typed({ type, enum: choices, items = {} }: FieldSchema): fc.Arbitrary<unknown> {
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (type === "integer") return fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer(), fc.maxSafeInteger());
  if (type === "boolean") return fc.boolean();
  if (type === "array") return fc.array(typed(items), { maxLength: 4 });
  return type === "string" ? text : anything;
}

function sendAs(token: string, operation: Operation, input: Readonly<Record<string, unknown>>): Promise<WireAnswer> {
  const terms = requestFor(operation, input);
  const headers = { ...terms.headers, authorization: `Bearer ${token}` };
  return send(places[0]!, { ...terms, headers });
}

type Terms = Parameters<typeof send>[1];

async function expectRefused(terms: Terms, status: number, code: string): Promise<readonly WireAnswer[]> {
  const before = await cursor();
  const answers: WireAnswer[] = [];
  for (const place of places) {
    const answer = await send(place, {
      ...terms,
      headers: { authorization: `Bearer ${heron.token}`, ...terms.headers },
    });
    expect(answer.status, answer.body.slice(0, 300)).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { code, message: expect.stringMatching(/\w/), details: {} },
    });
    answers.push(answer);
  }
  expect(await cursor(), "no event was appended").toBe(before);
  return answers;
}

/** The log's end, whatever the project. */
/** Of the newest event, those of the code index left out: it reads files by itself, whatever becomes of the question. */
async function cursor(): Promise<number> {
  const store = new Database(daemon.paths.database, { readonly: true });
  try {
    const newest = "SELECT coalesce(max(sequence), 0) FROM events WHERE type NOT LIKE 'code.index-%'";
    return store.prepare(newest).pluck().get() as number;
  } finally {
    store.close();
  }
}

function sendRaw(place: Place, text: string): Promise<string> {
  const answered = new Promise<string>((resolve, reject) => {
    let answer = "";
    const socket = connect("socketPath" in place ? { path: place.socketPath } : place);
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    socket.write(text);
  });
  return within("the connection is closed", answered);
}
