/**
 * The way from a command to the daemon: find it, start it when it does not run, wait until it answers.
 *
 *   /healthz answers -> connected (well or not: a daemon that is there says itself what it cannot do)
 *   no daemon        -> start one -> it wins the home's lock, or leaves because another won -> wait for the winner
 *   it is silent     -> wait; one more daemon would find the lock taken. One that is suspended is named at once
 */
import { statSync } from "node:fs";
import { DomainError } from "../../contract/errors.ts";
import { systemClock, type Clock } from "../../platform/clock/index.ts";
import { checkSocketFolder, readDaemonRecord, type HomePaths } from "../../platform/home/index.ts";
import { silent, socketTransport } from "../transport/index.ts";
import { newerThatServed, refuseDowngrade } from "./refuse-downgrade.ts";
import { startDaemon } from "./start-daemon.ts";
import { isSuspended } from "./suspended.ts";

/** Long, because a machine may be busy with many starts at once; a start that fails says so at once. */
const startDeadlineMs = 60_000;
const probeTimeoutMs = 5_000;
const anotherStartAfterMs = 3_000;
/** How long an older command waits for the newer daemon: while one is just taking over, and when none is. */
const successorWithinMs = { takingOver: 15_000, otherwise: 1_000 };
const takeOverMs = 30_000;

type Env = Readonly<Record<string, string | undefined>>;
type StartTerms = {
  readonly clock?: Clock;
  /** What a person should know besides. */ readonly note?: (text: string) => void;
};
export type Presence = "answers" | "silent" | "absent";

export async function findDaemon(paths: HomePaths, { timeoutMs = probeTimeoutMs } = {}): Promise<Presence> {
  checkSocketFolder(paths);
  try {
    await socketTransport(paths.socket, { timeoutMs })({ method: "GET", path: "/healthz", headers: {} });
    return "answers";
  } catch (error) {
    // The caller decides whether that is an error.
    return error instanceof DomainError && error.details.silent === true ? "silent" : "absent";
  }
}

/** True when this call started it. */
export async function ensureDaemon(
  paths: HomePaths,
  env: Env,
  { clock = systemClock(), note = () => {} }: StartTerms = {},
): Promise<boolean> {
  if ((await findDaemon(paths)) === "answers") return false;
  if (await isNewerExpected(paths, clock)) return false;
  const deadline = clock.monotonic() + startDeadlineMs;
  let attempt = startDaemon(paths, env, clock, note);
  for (let waitMs = 10; clock.monotonic() < deadline; waitMs = Math.min(100, waitMs * 1.5)) {
    await elapse(clock, waitMs);
    const presence = await findDaemon(paths);
    if (presence === "answers") return true;
    if (presence === "silent" && isSuspended(paths)) throw silent(paths.socket, probeTimeoutMs);
    if (attempt.failed()) throw attempt.failure();
    // The one that held the lock may itself have died before it answered.
    if (attempt.lost() && clock.monotonic() - attempt.startedAt > anotherStartAfterMs)
      attempt = startDaemon(paths, env, clock, note);
  }
  throw new DomainError(
    "daemon.start-failed",
    `The daemon did not answer within ${startDeadlineMs / 1000} s; "sylk logs" and "sylk doctor" may show why`,
    { details: { socket: paths.socket } },
  );
}

/**
 * True when a newer version serves this home and answers: it may just be taking over. Where it does not come, an older
 * one does not step in by itself.
 */
async function isNewerExpected(paths: HomePaths, clock: Clock): Promise<boolean> {
  if (newerThatServed(paths) === undefined) return false;
  // It is written when a newer version takes over, and not touched by its later starts.
  const age = clock.now() - (statSync(paths.servedBy, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const withinMs = successorWithinMs[age < takeOverMs ? "takingOver" : "otherwise"];
  for (const deadline = clock.monotonic() + withinMs; clock.monotonic() < deadline; await elapse(clock, 50))
    if ((await findDaemon(paths)) === "answers") return true;
  refuseDowngrade(paths);
  return false;
}

/** True when the process has taken back its record, the last thing it does under the lock, or has died; false in time. */
export async function untilGone(paths: HomePaths, pid: number, withinMs: number, clock: Clock): Promise<boolean> {
  for (const deadline = clock.monotonic() + withinMs; clock.monotonic() < deadline; await elapse(clock, 20))
    if (readDaemonRecord(paths.record)?.pid !== pid || !isAlive(pid)) return true;
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function elapse(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve, { keepAlive: true }));
}
