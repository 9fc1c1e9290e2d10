/** Files of a home that nothing else removes: marks of agents and sessions that have long stopped, and what workers said last. */
import { readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths } from "./home-paths.ts";

const dayMs = 86_400_000;

type Terms = { readonly now: number; readonly maxLogBytes: number };

export function sweepHome({ home, logs }: Pick<HomePaths, "home" | "logs">, { now, maxLogBytes }: Terms): void {
  sweepMarks(join(home, "heartbeats"), now - dayMs);
  sweepMarks(join(home, "nudges", "sessions"), now - 7 * dayMs);
  const said = join(logs, "worker.err");
  if ((statSync(said, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) truncateSync(said);
}

function sweepMarks(folder: string, before: number): void {
  for (const name of entriesOf(folder)) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < before) rmSync(join(folder, name), { force: true, recursive: true });
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
