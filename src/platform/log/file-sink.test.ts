import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { manualClock } from "../clock/index.ts";
import { fileSink } from "./file-sink.ts";
import { scratchFolder } from "./testkit.ts";

const clock = manualClock({ wall: 5000 });
const read = (dir: string, name = "daemon.log") => readFileSync(join(dir, name), "utf8");

it("appends lines to a file only its owner may read, in a folder only its owner may enter", () => {
  using folder = scratchFolder();
  const dir = join(folder.path, "home", "log");
  const sink = fileSink({ dir, maxBytes: 1000, keep: 3, clock });
  sink.write("one");
  sink.write("two");
  sink.close();
  expect(read(dir)).toBe("one\ntwo\n");
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, "daemon.log")).mode & 0o777).toBe(0o600);
});

it("tightens a file that others could read", () => {
  using folder = scratchFolder();
  writeFileSync(join(folder.path, "daemon.log"), "old\n", { mode: 0o644 });
  chmodSync(join(folder.path, "daemon.log"), 0o644);
  const sink = fileSink({ dir: folder.path, maxBytes: 1000, keep: 3, clock });
  sink.write("new");
  sink.close();
  expect([read(folder.path), statSync(join(folder.path, "daemon.log")).mode & 0o777]).toEqual(["old\nnew\n", 0o600]);
});

it("rotates before a file grows too large and keeps the newest files", () => {
  using folder = scratchFolder();
  const sink = fileSink({ dir: folder.path, maxBytes: 10, keep: 3, clock });
  for (let n = 1; n <= 9; n++) sink.write(`line${n}`);
  sink.close();
  expect(readdirSync(folder.path).sort()).toEqual(["daemon.log", "daemon.log.1", "daemon.log.2"]);
  expect([read(folder.path, "daemon.log.2"), read(folder.path, "daemon.log.1"), read(folder.path)]).toEqual([
    "line7\n",
    "line8\n",
    "line9\n",
  ]);
});

it("keeps one file when told so, removes what a larger limit left, and takes a line larger than the limit", () => {
  using folder = scratchFolder();
  for (const age of [1, 2, 7]) writeFileSync(join(folder.path, `daemon.log.${age}`), "old\n");
  const sink = fileSink({ dir: folder.path, maxBytes: 10, keep: 1, clock });
  sink.write("x".repeat(50));
  sink.write("y");
  sink.close();
  expect(readdirSync(folder.path)).toEqual(["daemon.log"]);
  expect(read(folder.path)).toBe("y\n");
});

it("does not glue a line to one that a crash has torn", () => {
  using folder = scratchFolder();
  appendFileSync(join(folder.path, "daemon.log"), '{"at":1,"lev');
  const sink = fileSink({ dir: folder.path, maxBytes: 1000, keep: 3, clock });
  sink.write("whole");
  sink.close();
  expect(read(folder.path)).toBe('{"at":1,"lev\nwhole\n');
});

it("starts a new file when the open one was moved or removed", () => {
  using folder = scratchFolder();
  const sink = fileSink({ dir: folder.path, maxBytes: 1000, keep: 3, clock });
  sink.write("one");
  renameSync(join(folder.path, "daemon.log"), join(folder.path, "mine"));
  sink.write("two");
  rmSync(join(folder.path, "daemon.log"));
  sink.write("three");
  sink.close();
  expect([read(folder.path, "mine"), read(folder.path)]).toEqual(["one\n", "three\n"]);
});

it("survives a disk that refuses, counts the lost lines and reports them once it can write", () => {
  using folder = scratchFolder();
  const dir = join(folder.path, "log");
  const sink = fileSink({ dir, maxBytes: 1000, keep: 3, clock });
  sink.write("before");
  rmSync(dir, { recursive: true });
  writeFileSync(dir, "a file where the folder was");
  sink.write("lost 1");
  sink.write("lost 2");
  expect(sink.lostLines()).toBe(2);
  expect(sink.trouble()).toEqual({ lostLines: 2, reason: expect.stringMatching(/^E(EXIST|NOTDIR)/) });
  rmSync(dir);
  mkdirSync(dir);
  sink.write("after");
  sink.write("and on");
  expect(sink.lostLines()).toBe(0);
  expect(read(dir)).toBe('{"at":5000,"level":"warn","event":"log.lines-lost","count":2}\nafter\nand on\n');
  sink.close();
});

it("is well again as soon as it could write, also when no line has come since", () => {
  using folder = scratchFolder();
  const dir = join(folder.path, "log");
  writeFileSync(dir, "a file where the folder belongs");
  const sink = fileSink({ dir, maxBytes: 1000, keep: 3, clock });
  expect(sink.trouble(), "nothing is lost yet").toBeUndefined();
  sink.write("lost");
  expect(sink.trouble()?.lostLines).toBe(1);
  rmSync(dir);
  expect(sink.trouble()).toBeUndefined();
  expect(read(dir)).toBe('{"at":5000,"level":"warn","event":"log.lines-lost","count":1}\n');
  sink.close();
});
