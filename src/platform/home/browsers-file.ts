/**
 * Browsers that are signed in, so that a restart of the daemon signs none of them out. A cookie cannot be made from what the
 * file has of it: its hash and its end.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

export type KeptBrowser = { readonly hash: string; readonly expiresAt: number };
export type BrowsersFile = {
  readonly read: () => readonly KeptBrowser[];
  readonly write: (browsers: readonly KeptBrowser[]) => void;
};

export function browsersFile(file: string): BrowsersFile {
  return {
    read() {
      try {
        const kept: unknown = JSON.parse(readFileSync(file, "utf8"));
        return Array.isArray(kept) ? kept.filter(isKept) : [];
      } catch {
        return []; // absent or damaged: everyone signs in again, and nothing else is lost
      }
    },
    write(browsers) {
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, `${JSON.stringify(browsers)}\n`, { mode: 0o600 });
      renameSync(fresh, file);
    },
  };
}

function isKept(value: unknown): value is KeptBrowser {
  const { hash, expiresAt } = (value ?? {}) as Partial<KeptBrowser>;
  return typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash) && Number.isSafeInteger(expiresAt);
}
