/** One daemon per home: the lock on the home, or the refusal that another daemon serves it. */
import { DomainError } from "../../contract/errors.ts";
import { type ProcessLock, takeProcessLock } from "./process-lock.ts";
import { storeUnavailable } from "./store-unavailable.ts";

export function lockHome({ home, lock: file }: { readonly home: string; readonly lock: string }): ProcessLock {
  const lock = tryLock(file);
  if (lock !== undefined) return lock;
  throw new DomainError("daemon.already-running", `A daemon already serves ${home}; "sylk status" shows it`, {
    details: { home },
  });
}

/** A lock that cannot even be tried is the fault of a disk or a folder. */
function tryLock(file: string): ProcessLock | undefined {
  try {
    return takeProcessLock(file);
  } catch (cause) {
    throw storeUnavailable(cause);
  }
}
