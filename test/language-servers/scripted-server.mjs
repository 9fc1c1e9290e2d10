/**
 * A real language server for tests: it speaks the protocol over stdio and does what the word it is asked about says.
 *
 *   crash hang garbage huge flood nonsense refuse outside      else: every place of the word in the files it was told of
 *
 * SCRIPTED_START: crash or never; SCRIPTED_DEAF: it does not heed SIGTERM or the end of its input; SCRIPTED_STATUS: it
 * says of the project what stands there; SCRIPTED_EATS: it keeps so many megabytes; SCRIPTED_LOG: each message is written there.
 */
import { appendFileSync } from "node:fs";

const { SCRIPTED_START, SCRIPTED_DEAF, SCRIPTED_STATUS, SCRIPTED_EATS, SCRIPTED_LOG, ...others } = process.env;
const texts = new Map();
const kept = SCRIPTED_EATS === undefined ? [] : [Buffer.alloc(Number(SCRIPTED_EATS) * 1_048_576, 1)];
if (SCRIPTED_DEAF !== undefined) process.on("SIGTERM", () => {});
note({ started: process.pid, env: Object.keys(others) });
if (SCRIPTED_START === "crash") fail("no such set-up");

let waiting = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
  waiting = Buffer.concat([waiting, chunk]);
  for (;;) {
    const head = /^Content-Length: (\d+)\r\n\r\n/.exec(waiting.toString("latin1"));
    if (head === null || waiting.length < head[0].length + Number(head[1])) return;
    const body = waiting.subarray(head[0].length, head[0].length + Number(head[1]));
    waiting = waiting.subarray(head[0].length + body.length);
    receive(JSON.parse(body.toString("utf8")));
  }
});
process.stdin.on("end", () => {
  if (SCRIPTED_DEAF === undefined) process.exit(0);
  setInterval(() => {}, 1_000_000);
});

function receive({ id, method, params }) {
  note({
    method,
    ...params?.textDocument,
    ...(params?.changes === undefined ? {} : { changes: params.changes }),
  });
  if (method === "initialize" && SCRIPTED_START !== "never") answer(id, { capabilities: { hoverProvider: true } });
  else if (method === "initialized" && SCRIPTED_STATUS !== undefined)
    send({ method: "experimental/serverStatus", params: JSON.parse(SCRIPTED_STATUS) });
  else if (method === "textDocument/didOpen") open(params.textDocument.uri, params.textDocument.text);
  else if (method === "textDocument/didChange") open(params.textDocument.uri, params.contentChanges[0].text);
  else if (method === "textDocument/didClose") texts.delete(params.textDocument.uri);
  else if (method === "shutdown" && SCRIPTED_DEAF === undefined) answer(id, null);
  else if (method === "exit" && SCRIPTED_DEAF === undefined) process.exit(0);
  else if (id !== undefined && params?.position !== undefined) respond(id, method, wordAt(params));
}

function open(uri, text) {
  texts.set(uri, text);
  if (text.includes("silent")) return;
  const at = text.indexOf("mistake");
  const range = rangeOf(text, Math.max(0, at), 7);
  const diagnostics = at < 0 ? [] : [{ range, severity: 2, message: "a mistake", code: 7, source: "scripted" }];
  send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics } });
}

function respond(id, method, word) {
  if (word === "crash") fail("the word was crash");
  if (word === "hang") return;
  if (word === "garbage") return void process.stdout.write(`${"x".repeat(2_000)}\n`);
  if (word === "huge") return void process.stdout.write("Content-Length: 999999999999\r\n\r\n{");
  if (word === "flood") return answer(id, "f".repeat(40 * 1_048_576));
  if (word === "refuse") return send({ id, error: { code: -32603, message: "not today" } });
  if (word === "nonsense") return answer(id, [{ uri: 42 }, "nonsense"]);
  const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  if (word === "outside")
    return answer(id, [
      { uri: "file:///etc/hosts", range: nowhere },
      { uri: "jar:///a!/B", range: nowhere },
    ]);
  if (method === "textDocument/hover") return answer(id, { contents: { kind: "markdown", value: `the word ${word}` } });
  const places = [...texts].flatMap(([uri, text]) =>
    [...text.matchAll(new RegExp(`\\b${word}\\b`, "g"))].map(({ index }) => ({
      uri,
      range: rangeOf(text, index, word.length),
    })),
  );
  answer(id, method === "textDocument/definition" ? places.slice(0, 1) : places);
}

function wordAt({ textDocument: { uri }, position: { line, character } }) {
  const text = texts.get(uri).split("\n")[line] ?? "";
  return [...text.matchAll(/\w+/g)].find(
    ({ 0: { length }, index }) => index <= character && character <= index + length,
  )?.[0];
}

function rangeOf(text, index, length) {
  const before = text.slice(0, index).split("\n");
  const start = { line: before.length - 1, character: before.at(-1).length };
  return { start, end: { line: start.line, character: start.character + length } };
}

function answer(id, result) {
  send({ id, result });
}

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function note(what) {
  if (SCRIPTED_LOG !== undefined) appendFileSync(SCRIPTED_LOG, `${JSON.stringify({ ...what, kept: kept.length })}\n`);
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(3);
}
