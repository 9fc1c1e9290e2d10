/** The file of an export when the caller names none: a new one in the home, named after its time. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { version } from "../platform/version.ts";

export function freshExportFile(home: string, now: number): string {
  const folder = join(home, "exports");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let at = now; ; at++) {
    const file = join(folder, `${new Date(at).toISOString().replaceAll(/[-:.]/g, "")}-${version}.jsonl`);
    if (!existsSync(file)) return file;
  }
}
