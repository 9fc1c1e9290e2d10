/**
 * Bytes that are hardly HTTP, floods and torn bodies, on both addresses: each gets a typed error, changes nothing, and
 * leaves the connection beside it alone.
 */
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openScratchDaemon, type ScratchDaemon } from "../flows/scratch-daemon.ts";
import { isAlive } from "../flows/processes.ts";
import type { Place } from "../flows/wire.ts";
import { answersIn, exchange } from "./exchange.ts";
import { openNeighbour } from "./neighbour.ts";
import { type StoreWatch, watchStore } from "./store-state.ts";

let daemon: ScratchDaemon;
let store: StoreWatch;
let places: readonly Place[];
let head: string;
let slow: Promise<readonly string[]>;

beforeAll(async () => {
  daemon = await openScratchDaemon();
  const { token } = await daemon.register("heron");
  store = watchStore(daemon.paths.database);
  places = [{ socketPath: daemon.paths.socket }, { host: "127.0.0.1", port: daemon.port }];
  head = `host: 127.0.0.1:${daemon.port}\r\nauthorization: Bearer ${token}\r\n`;
  // Begun first and looked at last: they are refused while the others run.
  const halves = [`GET /healthz HTTP/1.1\r\n${head}x: `, "GET /hea", "\r\n"];
  slow = Promise.all(places.flatMap((place) => halves.map((text) => exchange(place, text, { withinMs: 40_000 }))));
});
afterAll(async () => {
  store[Symbol.dispose]();
  await daemon[Symbol.asyncDispose]();
});

const json = "content-type: application/json\r\n";
const post = (headers: string, body: string): string =>
  `POST /v1/work-items HTTP/1.1\r\n${head}${json}${headers}\r\n${body}`;
const withBody = (body: string | Buffer, headers = ""): Buffer =>
  Buffer.concat([
    Buffer.from(post(`connection: close\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n`, "")),
    Buffer.from(body),
  ]);
const get = (headers: string): string =>
  `GET /v1/status HTTP/1.1\r\n${head}${headers.replace(/(.)$/, "$1\r\n")}connection: close\r\n\r\n`;
const chunked = (body: string, headers = ""): string =>
  post(`connection: close\r\n${headers}transfer-encoding: chunked\r\n`, body);
const item = '{"title":"Smuggled"}';
const size = item.length.toString(16);
const smuggled = (): string =>
  `POST /v1/work-items HTTP/1.1\r\n${head}${json}content-length: ${item.length}\r\n\r\n${item}`;

type Row = readonly [what: string, bytes: () => string | Buffer, status: number, code: string];

describe("what two readers could read in two ways is refused, and the rest of the connection with it", () => {
  it.each<Row>([
    ["a length and chunks", () => chunked(`0\r\n\r\n${smuggled()}`, "content-length: 5\r\n"), 400, "input.malformed"],
    [
      "chunks and a length",
      () => post("transfer-encoding: chunked\r\ncontent-length: 5\r\n", `0\r\n\r\n${smuggled()}`),
      400,
      "input.malformed",
    ],
    [
      "two lengths",
      () => post("content-length: 2\r\ncontent-length: 3\r\n", `{}${smuggled()}`),
      400,
      "input.malformed",
    ],
    ["the same length twice", () => post("content-length: 2\r\ncontent-length: 2\r\n", "{}"), 400, "input.malformed"],
    ["a list of lengths", () => post("content-length: 2, 2\r\n", "{}"), 400, "input.malformed"],
    ["a negative length", () => post("content-length: -1\r\n", "{}"), 400, "input.malformed"],
    ["a length with a sign", () => post("content-length: +2\r\n", "{}"), 400, "input.malformed"],
    ["a length in hex", () => post("content-length: 0x2\r\n", "{}"), 400, "input.malformed"],
    ["a length beyond numbers", () => post(`content-length: ${"9".repeat(30)}\r\n`, "{}"), 400, "input.malformed"],
    ["a length beyond the limit", () => post("content-length: 9999999999\r\n", "{}"), 413, "input.too-large"],
    [
      "an unknown transfer encoding",
      () => post("transfer-encoding: xchunked\r\n", `0\r\n\r\n`),
      400,
      "input.malformed",
    ],
    ["chunks, twice", () => chunked(`0\r\n\r\n`, "transfer-encoding: chunked\r\n"), 400, "input.malformed"],
    [
      "chunks of something",
      () => post("connection: close\r\ntransfer-encoding: gzip, chunked\r\n", `${size}\r\n${item}\r\n0\r\n\r\n`),
      400,
      "input.malformed",
    ],
    ["identity for an encoding", () => post("transfer-encoding: identity\r\n", item), 400, "input.malformed"],
    [
      "a tab before the encoding's colon",
      () => post("transfer-encoding\t: chunked\r\n", "0\r\n\r\n"),
      400,
      "input.malformed",
    ],
    ["a space before a colon", () => get("x : y"), 400, "input.malformed"],
    ["a folded header", () => get("x: y\r\n z"), 400, "input.malformed"],
    ["lines that end in LF alone", () => get("x: y").replaceAll("\r\n", "\n"), 400, "input.malformed"],
    ["one line that ends in LF alone", () => get("x: y\nz: 1"), 400, "input.malformed"],
    ["a lone CR in a header", () => get("x: y\rz: 1"), 400, "input.malformed"],
    ["a NUL in a header", () => get("x: y\0"), 400, "input.malformed"],
    ["a header without a name", () => get(": y"), 400, "input.malformed"],
    ["a NUL in the path", () => get("").replace("/v1/status", "/v1/sta\0tus"), 400, "input.malformed"],
    ["two Authorizations", () => get("authorization: Bearer other"), 400, "input.malformed"],
    ["two content types", () => withBody(item, "content-type: text/plain\r\n"), 400, "input.malformed"],
    ["a chunk size that overflows", () => chunked(`${"f".repeat(17)}\r\n${item}\r\n0\r\n\r\n`), 400, "input.malformed"],
    ["a negative chunk size", () => chunked(`-2\r\n{}\r\n0\r\n\r\n`), 400, "input.malformed"],
    ["a chunk size in another base", () => chunked(`0x${size}\r\n${item}\r\n0\r\n\r\n`), 400, "input.malformed"],
    ["chunks that end in LF alone", () => chunked(`${size}\n${item}\n0\n\n`), 400, "input.malformed"],
    ["a chunk longer than it says", () => chunked(`2\r\n${item}\r\n0\r\n\r\n`), 400, "input.malformed"],
    [
      "20 KB of chunk extensions",
      () => chunked(`${size};x=${"y".repeat(20_000)}\r\n${item}\r\n0\r\n\r\n`),
      400,
      "input.malformed",
    ],
    ["a tunnel", () => `CONNECT evil.example:80 HTTP/1.1\r\n${head}\r\n`, 400, "input.malformed"],
    ["HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "input.malformed"],
    ["a TLS greeting", () => Buffer.from("1603010200010001fc0303", "hex"), 400, "input.malformed"],
    ["a method nobody knows", () => `SYLK /v1/status HTTP/1.1\r\n${head}\r\n`, 400, "input.malformed"],
  ])("%s [CORE-22]", async (_what, bytes, status, code) => {
    await expectRefused(bytes, status, code);
  });
});

describe("floods have an end", () => {
  it.each<Row>([
    ["201 headers", () => get("a: b\r\n".repeat(200).trimEnd()), 431, "input.headers-too-large"],
    ["4,000 headers", () => get("a:\r\n".repeat(3_900).trimEnd()), 431, "input.headers-too-large"],
    ["a header of 40 KB", () => get(`x: ${"y".repeat(40_000)}`), 431, "input.headers-too-large"],
    ["a path of 40 KB", () => get("").replace("/v1/status", `/${"y".repeat(40_000)}`), 431, "input.headers-too-large"],
    [
      "headers without an end",
      () => `GET /healthz HTTP/1.1\r\n${"x: y\r\n".repeat(10_000)}`,
      431,
      "input.headers-too-large",
    ],
    [
      "two megabytes",
      () => withBody(JSON.stringify({ title: "x", body: "y".repeat(2 ** 21) })),
      413,
      "input.too-large",
    ],
    [
      "two megabytes in chunks",
      () => chunked(`${"8000\r\n".concat("y".repeat(0x8000), "\r\n").repeat(64)}0\r\n\r\n`),
      413,
      "input.too-large",
    ],
    ["10,000 levels", () => withBody(`{"title":${"[".repeat(10_000)}${"]".repeat(10_000)}}`), 400, "input.malformed"],
    [
      "an id of a megabyte",
      () => withBody(JSON.stringify({ title: "x", dependsOn: [`wrk_${"0".repeat(1_000_000)}`] })),
      400,
      "input.invalid",
    ],
    [
      "100,000 fields",
      () => withBody(`{${Array.from({ length: 90_000 }, (_, n) => `"f${n}":1`).join()}}`),
      400,
      "input.invalid",
    ],
    [
      "a bomb",
      () => withBody(gzipSync(`{"title":"x","body":"${"y".repeat(2 ** 24)}"}`), "content-encoding: gzip\r\n"),
      415,
      "input.unsupported-type",
    ],
    ["an encoding nobody knows", () => withBody(item, "content-encoding: zopfli\r\n"), 415, "input.unsupported-type"],
  ])("%s [CORE-22]", async (_what, bytes, status, code) => {
    await expectRefused(bytes, status, code);
  });
});

it("answers a megabyte of unknown fields with a few of them [CORE-22]", async () => {
  const fields = withBody(`{${Array.from({ length: 90_000 }, (_, n) => `"f${n}":1`).join()}}`);
  const [answer] = answersIn(await exchange(places[0]!, fields));
  expect(answer!.body.length).toBeLessThan(20_000);
  const { error } = JSON.parse(answer!.body) as { error: { details: { problems: readonly unknown[] } } };
  expect(error.details.problems).toHaveLength(100);
});

describe("text that would not be kept as it was sent is refused", () => {
  const titled = (bytes: Buffer): Buffer =>
    withBody(Buffer.concat([Buffer.from('{"title":"'), bytes, Buffer.from('"}')]));
  it.each<Row>([
    ["a lone surrogate", () => withBody('{"title":"\\ud800 torn"}'), 400, "input.malformed"],
    ["half a pair at the end", () => withBody('{"title":"torn \\udc00"}'), 400, "input.malformed"],
    ["a lone surrogate in a name", () => withBody('{"title":"x","\\udfff":1}'), 400, "input.malformed"],
    ["an overlong slash", () => titled(Buffer.from([0xc0, 0xaf])), 400, "input.malformed"],
    ["an overlong NUL", () => titled(Buffer.from([0xc0, 0x80])), 400, "input.malformed"],
    ["a surrogate in bytes", () => titled(Buffer.from([0xed, 0xa0, 0x80])), 400, "input.malformed"],
    ["beyond Unicode", () => titled(Buffer.from([0xf4, 0x90, 0x80, 0x80])), 400, "input.malformed"],
    ["half a character", () => titled(Buffer.from([0xe2, 0x82])), 400, "input.malformed"],
    ["UTF-16", () => withBody(Buffer.from(item, "utf16le")), 400, "input.malformed"],
    ["a raw NUL", () => withBody('{"title":"a\0b"}'), 400, "input.malformed"],
    ["a field twice", () => withBody('{"title":"one","title":"two"}'), 400, "input.malformed"],
    [
      "a field twice, the second in escapes",
      () => withBody('{"title":"one","t\\u0069tle":"two"}'),
      400,
      "input.malformed",
    ],
    ["a prototype", () => withBody('{"title":"x","__proto__":{"priority":0}}'), 400, "input.malformed"],
    [
      "a prototype in escapes",
      () => withBody('{"title":"x","__pr\\u006fto__":{"priority":0}}'),
      400,
      "input.malformed",
    ],
    [
      "a constructor",
      () => withBody('{"title":"x","constructor":{"prototype":{"priority":0}}}'),
      400,
      "input.malformed",
    ],
    ["NaN", () => withBody('{"title":"x","priority":NaN}'), 400, "input.malformed"],
    ["a number beyond numbers", () => withBody('{"title":"x","priority":1e999}'), 400, "input.invalid"],
    ["two objects", () => withBody(`${item}${item}`), 400, "input.malformed"],
  ])("%s [CORE-22]", async (_what, bytes, status, code) => {
    await expectRefused(bytes, status, code);
  });

  it("while the same is taken where it is whole: escapes, pairs, names that only look alike [CORE-22]", async () => {
    for (const place of places) {
      for (const body of ['{"title":"\\ud83d\\ude00 \\u00e9"}', '{"title":"a:b {c} [d] \\"e\\":","body":"\\\\"}']) {
        const [answer] = answersIn(await exchange(place, withBody(body)));
        expect(answer!.status, body).toBe(200);
        expect(JSON.parse(Buffer.from(answer!.body, "latin1").toString()).workItem.title).toBe(JSON.parse(body).title);
      }
      const pieces = chunked(
        `4;a=b\r\n${item.slice(0, 4)}\r\n${(item.length - 4).toString(16)}\r\n${item.slice(4)}\r\n0\r\n\r\n`,
      );
      expect(answersIn(await exchange(place, pieces))[0]!.status).toBe(200);
    }
  });
});

it("answers a whole request before the garbage behind it, and in that order [CORE-22]", async () => {
  for (const place of places) {
    const before = store.state().newestEvent;
    const answers = answersIn(await exchange(place, `${smuggled()}GARBAGE\r\n\r\n`));
    expect(answers.map(({ status, code }) => [status, code])).toEqual([
      [200, undefined],
      [400, "input.malformed"],
    ]);
    expect(store.state().newestEvent).toBe(before + 1);
    const two = answersIn(await exchange(place, `${smuggled()}${smuggled()}\0`));
    expect(two.map(({ status }) => status)).toEqual([200, 200, 400]);
  }
});

it("ends headers that never come after seconds, not minutes [CORE-22]", async () => {
  const answers = (await slow).map((text) => (text === "" ? "closed" : answersIn(text)[0]!.code));
  expect(answers).toEqual(Array.from({ length: 6 }, () => "input.malformed"));
});

async function expectRefused(bytes: () => string | Buffer, status: number, code: string): Promise<void> {
  const before = store.state();
  for (const place of places) {
    using neighbour = await openNeighbour(place, head);
    await neighbour.answers();
    const answers = answersIn(await exchange(place, bytes()));
    expect(answers.map((answer) => [answer.status, answer.code])).toEqual([[status, code]]);
    await neighbour.answers();
  }
  expect(store.state()).toEqual(before);
  expect(isAlive(daemon.pid)).toBe(true);
}
