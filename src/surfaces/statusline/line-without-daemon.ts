/** The status line without a daemon: the tree, the session's own tests and failures, and what went unguarded meanwhile. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../platform/clock/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { readClientInput } from "./client-input.ts";
import { readOwnWork } from "./read-transcript.ts";
import { readTree } from "./read-tree.ts";
import { renderLine } from "./render-line.ts";

type Terms = { readonly cwd: string; readonly why: string; readonly paths: HomePaths };

const hourMs = 3_600_000;
const tailBytes = 256 * 1024;

export async function lineWithoutDaemon(text: string, { cwd, why, paths }: Terms): Promise<string> {
  const input = readClientInput(text);
  const [tree, work, uncounted] = await Promise.all([
    readTree(input.folder ?? cwd).catch(() => undefined),
    readOwnWork(input.transcript),
    countUnguarded(join(paths.logs, "hook-outcomes.jsonl")).catch(() => 0), // no file: nothing was noted
  ]);
  return renderLine({ input, tree, work, coordination: why, uncounted });
}

/** The launcher notes every call that it could not ask about; the next daemon counts them. */
async function countUnguarded(path: string): Promise<number> {
  await using file = await open(path);
  const { size } = await file.stat();
  const from = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(tailBytes, size)), 0, undefined, from);
  const earliest = systemClock().now() - hourMs;
  return buffer
    .toString("utf8", 0, bytesRead)
    .split("\n")
    .filter((line) => Number(/^\{"at":(\d+),/.exec(line)?.[1] ?? 0) > earliest).length;
}
