/**
 * The end of the chain, kept outside the store: rows cut off at the end leave a chain that is whole in itself.
 *
 *   {"sequence":12,"hash":"9f…"}   `audit-head` in the home, 0600, replaced as a whole after each commit
 *
 * A process that can write the store and this file can forge both; only a copy kept elsewhere reveals it.
 */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import type { ChainEnd } from "./audit.ts";

export type HeadReading = ChainEnd | "missing" | "unreadable";

export function readHead(file: string): HeadReading {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "unreadable";
  }
  const [, sequence, hash] = /^\{"sequence":(\d{1,15}),"hash":"([0-9a-f]{64})"\}\n$/.exec(text) ?? [];
  return sequence === undefined || hash === undefined ? "unreadable" : { sequence: Number(sequence), hash };
}

/** On the disk before it takes the old one's place: after a power cut there is one or the other. */
export function writeHead(file: string, { sequence, hash }: ChainEnd): void {
  const fresh = `${file}.${process.pid}`;
  const fd = openSync(fresh, "w", 0o600);
  try {
    writeSync(fd, `${JSON.stringify({ sequence, hash })}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(fresh, file);
}
