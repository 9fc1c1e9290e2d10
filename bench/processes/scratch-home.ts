/** Folders that a benchmark fills and removes, and the environment its processes see. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ScratchFolder = Disposable & { readonly path: string };

/** Short: a socket's path must fit into 100 bytes. */
export function scratchFolder(): ScratchFolder {
  const path = mkdtempSync(join(tmpdir(), "sylk-bench-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A home with a copy of a prepared store: every round begins with the same rows. */
export function homeWithStore(home: string, preparedHome: string): string {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { mode: 0o700 });
  copyFileSync(join(preparedHome, "sylk.db"), join(home, "sylk.db"));
  return home;
}

/** What changes how Node starts, or where Sylk looks, would make runs incomparable. */
const removed = /^(SYLK_.*|NODE_OPTIONS|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|NODE_V8_COVERAGE|NO_COLOR|FORCE_COLOR)$/;

export function benchEnv(own: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !removed.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...own };
}
