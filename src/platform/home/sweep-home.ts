/** Files of a home that nothing else removes: marks of heartbeats whose agent has long stopped, and what workers said last. */
import { readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths } from "./home-paths.ts";

const dayMs = 86_400_000;

type Terms = { readonly now: number; readonly maxLogBytes: number };

export function sweepHome({ home, logs }: Pick<HomePaths, "home" | "logs">, { now, maxLogBytes }: Terms): void {
  const marks = join(home, "heartbeats");
  for (const name of entriesOf(marks)) {
    const found = statSync(join(marks, name), { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > dayMs) rmSync(join(marks, name), { force: true });
  }
  const said = join(logs, "worker.err");
  if ((statSync(said, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) truncateSync(said);
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
