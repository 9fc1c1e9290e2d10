import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { fileSink } from "./file-sink.ts";
import { follow, readTail } from "./read-log.ts";
import { scratchFolder } from "./testkit.ts";

const POLL_MS = 200;

/** A sink over a scratch folder that rotates every two lines, and a follower of it. */
function watched(keep = 20) {
  const folder = scratchFolder();
  const clock = manualClock();
  const stop = new AbortController();
  const seen: string[] = [];
  const sink = fileSink({ dir: folder.path, maxBytes: 12, keep, clock });
  const start = (lines?: number) =>
    follow(folder.path, (line) => seen.push(line), stop.signal, { clock, ...(lines !== undefined && { lines }) });
  const dispose = () => {
    stop.abort();
    sink.close();
    folder[Symbol.dispose]();
  };
  return { dir: folder.path, clock, stop, seen, sink, start, [Symbol.dispose]: dispose };
}

const lineNames = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `li${String(from + n).padStart(2, "0")}`);

it("reads the last lines across rotated files, oldest first", () => {
  using log = watched();
  for (const line of lineNames(1, 11)) log.sink.write(line);
  for (const count of [0, 1, 2, 3, 7, 11, 50])
    expect(readTail(log.dir, count)).toEqual(count === 0 ? [] : lineNames(Math.max(1, 12 - count), 11));
});

it("reads long logs in pieces without cutting a character or a line", () => {
  using folder = scratchFolder();
  const lines = Array.from({ length: 300 }, (_, n) => `${n} ${"é😀".repeat(200)}`);
  writeFileSync(join(folder.path, "daemon.log"), `${lines.join("\n")}\n`);
  expect(readTail(folder.path, 250)).toEqual(lines.slice(50));
});

it("gives nothing for a log that does not exist yet, and no line that is not complete", () => {
  using folder = scratchFolder();
  expect(readTail(join(folder.path, "none"), 5)).toEqual([]);
  writeFileSync(join(folder.path, "daemon.log"), "one\ntw");
  expect(readTail(folder.path, 5)).toEqual(["one"]);
});

it("follows new lines only, or after the last ones if asked", async () => {
  using log = watched();
  for (const line of lineNames(1, 5)) log.sink.write(line);
  void log.start();
  expect(log.seen).toEqual([]);
  log.sink.write("li06");
  log.clock.advance(POLL_MS);
  expect(log.seen).toEqual(["li06"]);
  void log.start(3);
  expect(log.seen).toEqual(["li06", "li04", "li05", "li06"]);
});

it("follows across one and across many rotations within a poll, each line once and in order", () => {
  using log = watched();
  void log.start();
  for (const [from, to] of [
    [1, 1],
    [2, 3],
    [4, 4],
    [5, 14],
    [15, 15],
  ] as const) {
    for (const line of lineNames(from, to)) log.sink.write(line);
    log.clock.advance(POLL_MS);
    expect(log.seen).toEqual(lineNames(1, to));
  }
});

it("continues with what is left when rotation removed the file it was in", () => {
  using log = watched(2);
  log.sink.write("li01");
  void log.start(1);
  for (const line of lineNames(2, 10)) log.sink.write(line);
  log.clock.advance(POLL_MS);
  expect(log.seen).toEqual(["li01", "li02", ...lineNames(7, 10)]);
});

it("waits for the end of a line, and starts over when the file is emptied", () => {
  using folder = scratchFolder();
  using log = watched();
  const file = join(folder.path, "daemon.log");
  const seen: string[] = [];
  void follow(folder.path, (line) => seen.push(line), log.stop.signal, { clock: log.clock });
  writeFileSync(file, "first half, ");
  log.clock.advance(POLL_MS);
  expect(seen).toEqual([]);
  appendFileSync(file, "second half\n");
  log.clock.advance(POLL_MS);
  truncateSync(file);
  appendFileSync(file, "anew\n");
  log.clock.advance(POLL_MS);
  expect(seen).toEqual(["first half, second half", "anew"]);
});

it("ends with the signal and leaves no timer behind", async () => {
  using log = watched();
  const following = log.start();
  expect(log.clock.pendingTimers()).toBe(1);
  log.stop.abort();
  await following;
  expect(log.clock.pendingTimers()).toBe(0);
  await log.start();
});

it("fails when the reader of a line fails", async () => {
  using log = watched();
  const following = follow(
    log.dir,
    () => {
      throw new Error("planted");
    },
    log.stop.signal,
    { clock: log.clock },
  );
  log.sink.write("x");
  log.clock.advance(POLL_MS);
  await expect(following).rejects.toThrow("planted");
  expect(log.clock.pendingTimers()).toBe(0);
});
