/** A log kept in memory and a scratch folder, for the tests of this folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../clock/index.ts";
import { createLog, type Log, type LogOptions } from "./log.ts";

export type Line = Record<string, unknown>;

export interface MemoryLog {
  readonly log: Log;
  readonly raw: readonly string[];
  lines(): readonly Line[];
}

export function memoryLog(options: Partial<LogOptions> = {}): MemoryLog {
  const raw: string[] = [];
  const log = createLog({
    level: "debug",
    clock: manualClock({ wall: 1000 }),
    write: (line) => void raw.push(line),
    ...options,
  });
  return { log, raw, lines: () => raw.map((line) => JSON.parse(line) as Line) };
}

export function scratchFolder(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "sylk-log-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
