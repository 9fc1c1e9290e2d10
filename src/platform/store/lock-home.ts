/** One process per home, a daemon or an engine: the lock on the home, or the refusal that another process has it. */
import { DomainError } from "../../contract/errors.ts";
import { type ProcessLock, takeProcessLock } from "./process-lock.ts";
import { storeUnavailable } from "./store-unavailable.ts";

type LockedHome = { readonly home: string; readonly lock: string };

export function lockHome({ home, lock: file }: LockedHome, by: "daemon" | "engine"): ProcessLock {
  const lock = tryLock(file);
  if (lock !== undefined) return lock;
  const message =
    by === "daemon"
      ? `A daemon already serves ${home}; "sylk status" shows it`
      : `Another process, a daemon or an engine, has ${home}; close it first, or choose another directory`;
  throw new DomainError("daemon.already-running", message, { details: { home } });
}

/** A lock that cannot even be tried is the fault of a disk or a folder. */
function tryLock(file: string): ProcessLock | undefined {
  try {
    return takeProcessLock(file);
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}
