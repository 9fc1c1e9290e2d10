/**
 * Counts the outcomes that hooks wrote down while no daemon answered, each exactly once.
 *
 *   hook-outcomes.jsonl -> renamed, so that no hook begins to write there -> read from where the last reader stopped
 *   -> counted and marked in one transaction -> a second look for hooks that were still writing -> removed
 *
 * A kill at any point leaves either nothing counted, or the mark that says how far. The file may hold anything.
 */
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ProjectId } from "../../contract/index.ts";
import type { Timer } from "../../platform/clock/index.ts";
import { causeFromWords } from "./read-cause.ts";
import type { HealthPorts, HealthRepositories } from "./ports.ts";
import type { Report, ReportedAgent } from "./report.ts";
import type { HealthTracker } from "./tracker.ts";

const fileName = "hook-outcomes.jsonl";
const takenName = /^hook-outcomes\.\d+\.taken$/;
const mostBytes = 1_048_576;
const writersDoneMs = 10_000;
const oldestMs = 30 * 86_400_000;

const Line = z.object({
  at: z.int().min(0),
  component: z.string().trim().min(1).max(80),
  outcome: z.enum(["ok", "failed", "degraded"]),
  cause: z.string().max(4_000).optional(),
  agentKey: z.string().min(1).max(200).optional(),
  project: z.string().min(1).max(4_096).optional(),
  ms: z.number().min(0).max(86_400_000).optional(),
});

export type Unanswered = {
  readonly component: string;
  readonly why: string;
  readonly agent: ReportedAgent | undefined;
  /** A folder of the project. */
  readonly place: string | undefined;
};

type Ports = Pick<HealthPorts, "store" | "clock" | "onFailed"> & {
  readonly folder: string;
  readonly tracker: HealthTracker;
  /** Who and what a line names, as far as the registry knows them. */
  readonly resolve: (line: {
    readonly agentKey: string | undefined;
    readonly project: string | undefined;
  }) => Promise<{ readonly agent: ReportedAgent | undefined; readonly project: ProjectId | undefined }>;
  /** A hook without an answer: its tool call ran unguarded. */
  readonly onUnanswered: (hook: Unanswered) => Promise<void>;
  readonly onTaken: (facts: { readonly file: string; readonly counted: number; readonly unreadable: number }) => void;
};

export type OutcomeIntake = {
  /** Counts what is there; says how many outcomes. */
  ingest(): Promise<number>;
  stop(): void;
};

export function createOutcomeIntake(ports: Ports): OutcomeIntake {
  const { folder, clock } = ports;
  let timer: Timer | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  /** All that an earlier daemon or an earlier call put aside is counted. */
  let isCaughtUp = false;

  /** One after the other, so that no line is counted twice; without a new file it costs a look at the disk. */
  function ingest(): Promise<number> {
    if (isCaughtUp && !isPlainFile(join(folder, fileName))) return Promise.resolve(0);
    const counted = turn.then(ingestNow);
    turn = counted.catch(() => {}); // its caller hears of it
    return counted;
  }

  async function ingestNow(): Promise<number> {
    isCaughtUp = false;
    putAside(folder, clock.now());
    let total = 0;
    const files = takenFiles(folder);
    for (const file of files) total += await countFile(file, ports);
    // A hook that had it open before it was renamed has written by then.
    timer?.cancel();
    if (files.length > 0) timer = clock.after(writersDoneMs, () => void finish(files).catch(ports.onFailed));
    isCaughtUp = true;
    return total;
  }

  async function finish(files: readonly string[]): Promise<void> {
    for (const file of files) {
      await countFile(file, ports, { last: true });
      rmSync(join(folder, file), { force: true });
      await ports.store.transact("health", (tx: HealthRepositories) => tx.health.removeIntake(file));
    }
  }

  return { ingest, stop: () => timer?.cancel() };
}

/** Only a plain file: reading a pipe would wait for ever. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function putAside(folder: string, now: number): void {
  if (!isFolder(folder) || !isPlainFile(join(folder, fileName))) return;
  let number = now;
  while (lstatSync(join(folder, `hook-outcomes.${number}.taken`), { throwIfNoEntry: false }) !== undefined) number++;
  renameSync(join(folder, fileName), join(folder, `hook-outcomes.${number}.taken`));
}

function takenFiles(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => takenName.test(name) && isPlainFile(join(folder, name)))
    .sort();
}

async function countFile(file: string, ports: Ports, { last = false } = {}): Promise<number> {
  const { tracker, folder } = ports;
  const from = await tracker.ingestedBytes(file);
  const { text, bytes, isCut } = readFrom(join(folder, file), from, last);
  if (bytes === 0) return 0;
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const parsed = await Promise.all(lines.map((line) => reportOf(line, ports)));
  const known = parsed.filter((one) => one !== undefined);
  const reports = known.map(({ report }) => report);
  const unreadable = lines.length - reports.length + (isCut ? 1 : 0);
  // Noted before they are marked as counted: a kill in between notes one twice, and loses none.
  for (const { report, place } of known)
    if (report.outcome === "degraded")
      await ports.onUnanswered({ component: report.component, why: report.error ?? "", agent: report.agent, place });
  await tracker.ingest(reports, { file, bytes: from + bytes });
  ports.onTaken({ file, counted: reports.length, unreadable });
  return reports.length;
}

/** Whole lines only; one that is still being written is read by the last look. Beyond the limit nothing is read. */
function readFrom(path: string, from: number, last: boolean): { text: string; bytes: number; isCut: boolean } {
  const fd = openSync(path, "r");
  try {
    const size = fstatSync(fd).size;
    const length = Math.max(0, Math.min(size, mostBytes) - from);
    const buffer = Buffer.alloc(length);
    const read = readSync(fd, buffer, 0, length, from);
    const whole = last ? read : buffer.subarray(0, read).lastIndexOf("\n") + 1;
    return { text: buffer.toString("utf8", 0, whole), bytes: whole, isCut: size > mostBytes };
  } finally {
    closeSync(fd);
  }
}

type Read = { readonly report: Report; readonly place: string | undefined };

async function reportOf(text: string, { clock, resolve }: Ports): Promise<Read | undefined> {
  const line = Line.safeParse(parseJson(text));
  if (!line.success) return undefined;
  const { at, component, outcome, cause, agentKey, project, ms } = line.data;
  const now = clock.now();
  if (at < now - oldestMs) return undefined;
  const report: Report = {
    kind: "hook",
    component,
    outcome,
    ...(await resolve({ agentKey, project })),
    ms: ms === undefined ? undefined : Math.round(ms),
    error: outcome === "ok" ? undefined : cause,
    cause: cause === undefined ? undefined : causeFromWords(cause),
    // A clock that was ahead has not seen the future.
    at: Math.min(at, now),
  };
  return { report, place: project };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
