/** The stand-in for curl as the launcher starts it: a process of its own, at a socket of ours. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scratchFolder } from "../../platform/store/testkit.ts";
import { clientLibrary, libraryName, libraryRecord, libraryRecordName } from "../client-library/index.ts";
import { exchangeScript } from "./launcher-script.ts";

const folder = scratchFolder();
const at = (name: string): string => join(folder.path, name);
const server = createServer((request, response) => {
  void buffer(request).then(({ length }) => response.end(`allow\n${length}`));
});

beforeAll(async () => {
  mkdirSync(at("hooks"));
  const library = clientLibrary();
  writeFileSync(at(`hooks/${libraryName}`), library, { mode: 0o600 });
  writeFileSync(at(`hooks/${libraryRecordName}`), libraryRecord(library), { mode: 0o600 });
  writeFileSync(at("exchange.cjs"), exchangeScript());
  await new Promise<void>((done) => server.listen(at("sylk.sock"), done));
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  folder[Symbol.dispose]();
});

/** `preload` runs in the process before the script does. */
async function exchange(body: Uint8Array, preload = "") {
  writeFileSync(at("preload.cjs"), preload);
  const args = ["--require", at("preload.cjs"), at("exchange.cjs"), at("sylk.sock"), "/v1/hooks/x/y", "5", "1"];
  const child = spawn(process.execPath, [...args, folder.path], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(body);
  const ended = new Promise((done) => child.on("close", done));
  return { said: await text(child.stdout), code: await ended };
}

it("passes on what it is given, however long", async () => {
  expect(await exchange(Buffer.from("{}"))).toEqual({ said: "allow\n2", code: 0 });
  expect(await exchange(Buffer.alloc(3_000_000, "x"))).toEqual({ said: "allow\n3000000", code: 0 });
});

it("continues as a stream where a client made standard input and output non-blocking", async () => {
  const refused = `throw Object.assign(new Error("not yet"), { code: "EAGAIN" })`;
  const preload = `const fs = require("node:fs"), { readSync, writeSync } = fs;
let reads = 0;
fs.readSync = (fd, ...rest) => { if (fd === 0 && reads++ > 0) ${refused}; return readSync(fd, ...rest); };
fs.writeSync = (fd, ...rest) => { if (fd === 1) ${refused}; return writeSync(fd, ...rest); };`;
  expect(await exchange(Buffer.alloc(300_000, "x"), preload)).toEqual({ said: "allow\n300000", code: 0 });
});

it("loads no stream for standard input or output, no checksum and no HTTP: each costs a hook milliseconds", async () => {
  const list = `require("node:fs").writeFileSync(${JSON.stringify(at("loaded"))}, process.moduleLoadList.join("\\n"))`;
  await exchange(Buffer.from("{}"), `process.on("exit", () => ${list});`);
  const loaded = readFileSync(at("loaded"), "utf8").split("\n");
  expect(loaded).toContain("NativeModule net");
  for (const costly of ["crypto", "http", "tty", "internal/fs/streams"])
    expect(loaded).not.toContain(`NativeModule ${costly}`);
});
