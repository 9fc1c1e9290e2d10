/**
 * Whether a home is still the daemon's: the file it has locked is the one at the lock's path. A lock or home that was
 * removed, moved or replaced is free for another daemon, so this one must neither acknowledge a change nor stay.
 */
import { basename } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import { type FileIdentity, identityOf } from "../file-identity.ts";
import type { HomePaths } from "./home-paths.ts";

export type HomeHold = {
  /** Undefined while the home is ours. */
  whyLost(): string | undefined;
  /** Throws `store.unavailable` once the home is lost. */
  check(): void;
};

type HeldPaths = Pick<HomePaths, "home" | "lock">;

/** `isHeld` tells whether the locked file is still at its path: one look at the disk. */
export function holdHome(paths: HeldPaths, isHeld: () => boolean): HomeHold {
  const opened = identityOf(paths.home);
  const whyLost = (): string | undefined => (isHeld() ? undefined : reasonOf(paths, opened));
  return {
    whyLost,
    check() {
      const reason = whyLost();
      if (reason !== undefined) throw homeLost(reason);
    },
  };
}

function reasonOf({ home, lock }: HeldPaths, opened: FileIdentity): string {
  const found = identityOf(home);
  if (found === undefined) return `${home} was removed or moved`;
  if (found !== opened) return `${home} was replaced by another folder`;
  const file = basename(lock);
  return identityOf(lock) === undefined ? `${file} was removed` : `${file} was replaced, by another daemon or by hand`;
}

function homeLost(reason: string): DomainError {
  return new DomainError(
    "store.unavailable",
    `The daemon (pid ${process.pid}) lost its home: ${reason}; it is ending and acknowledges nothing more; repeat the call in a few seconds, which starts another daemon`,
    { details: { reason, pid: process.pid }, retryAfterMs: 5_000 },
  );
}
