/**
 * The way from a command to the daemon: find it, start it when it does not run, wait until it answers.
 *
 *   /healthz answers -> connected
 *   otherwise        -> start one -> it wins the home's lock, or leaves because another won -> wait for the winner
 */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import { systemClock, type Clock } from "../../platform/clock/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { socketTransport } from "../transport/index.ts";

const startDeadlineMs = 30_000;
const probeTimeoutMs = 5_000;
const anotherStartAfterMs = 3_000;

export async function isDaemonReady({ socket }: HomePaths): Promise<boolean> {
  try {
    const { status } = await socketTransport(socket, { timeoutMs: probeTimeoutMs })({
      method: "GET",
      path: "/healthz",
      headers: {},
    });
    return status === 200;
  } catch {
    return false; // nobody answers: the caller decides whether that is an error
  }
}

/** True when this call started it. */
export async function ensureDaemon(
  paths: HomePaths,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock = systemClock(),
): Promise<boolean> {
  if (await isDaemonReady(paths)) return false;
  const deadline = clock.monotonic() + startDeadlineMs;
  let attempt = startDaemon(paths, env, clock);
  for (let waitMs = 10; clock.monotonic() < deadline; waitMs = Math.min(100, waitMs * 1.5)) {
    await elapse(clock, waitMs);
    if (await isDaemonReady(paths)) return true;
    if (attempt.failed()) throw attempt.failure();
    // The one that held the lock may itself have died before it answered.
    if (attempt.lost() && clock.monotonic() - attempt.startedAt > anotherStartAfterMs)
      attempt = startDaemon(paths, env, clock);
  }
  throw new DomainError(
    "daemon.start-failed",
    `The daemon did not answer within ${startDeadlineMs / 1000} s; "sylk logs" and "sylk doctor" may tell why`,
    { details: { socket: paths.socket } },
  );
}

function startDaemon(paths: HomePaths, env: Readonly<Record<string, string | undefined>>, clock: Clock) {
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
  const errors = join(paths.logs, `start-${process.pid}.err`);
  const stderr = openSync(errors, "w", 0o600);
  const child = spawn(process.execPath, [process.argv[1]!, "serve", "--background"], {
    detached: true,
    stdio: ["ignore", "ignore", stderr],
    cwd: paths.home,
    env: { ...env },
  });
  closeSync(stderr);
  let exitCode: number | undefined;
  child.on("exit", (code) => (exitCode = code ?? 1));
  child.on("error", () => (exitCode = 1));
  child.unref();
  const alreadyRunning = 4;
  return {
    startedAt: clock.monotonic(),
    lost: () => exitCode === alreadyRunning,
    failed: () => exitCode !== undefined && exitCode !== alreadyRunning && exitCode !== 0,
    failure: () =>
      new DomainError(
        "daemon.start-failed",
        `The daemon ended before it answered: ${readFileSync(errors, "utf8").trim() || `exit code ${exitCode}`}`,
        { details: { exitCode } },
      ),
  };
}

export function elapse(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve, { keepAlive: true }));
}
