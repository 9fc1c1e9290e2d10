/** A daemon as a process of its own that outlives the command; what it says before it answers is kept for the command. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { prepareHome, type HomePaths } from "../../platform/home/index.ts";

const alreadyRunning = 4;

/**
 * For Node itself. Left alone, V8 lets the space for new objects grow past 100 MB under a flood of large answers and keeps it;
 * with this it stays at 48 MB.
 */
export const daemonNodeOptions: readonly string[] = ["--max-semi-space-size=16"];

/**
 * A daemon that was started by hand takes them, too. V8 reads them only at its own start, so the process replaces itself:
 * its id, streams and surroundings stay. Options of the same name that the user gave stay as well.
 */
export function takeNodeOptions(env: Readonly<Record<string, string | undefined>>): void {
  const given = [...process.execArgv, ...(env.NODE_OPTIONS ?? "").split(" ")].map((text) => text.replaceAll("_", "-"));
  const missing = daemonNodeOptions.filter((option) => !given.some((one) => one.startsWith(option.split("=")[0]!)));
  // Windows has no such call.
  if (missing.length === 0 || process.execve === undefined) return;
  const args = [process.execPath, ...process.execArgv, ...missing, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...env });
}

export type StartAttempt = {
  readonly startedAt: number;
  /** It left because another one holds the home. */
  lost(): boolean;
  failed(): boolean;
  failure(): DomainError;
};

export function startDaemon(
  paths: HomePaths,
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  note: (text: string) => void,
): StartAttempt {
  const closedToOthers = prepareHome(paths.home); // the daemon does the same; here the command can say it in its own name
  if (closedToOthers !== undefined) note(closedToOthers);
  const errors = openErrors(paths.logs);
  const child = spawn(process.execPath, [...daemonNodeOptions, process.argv[1]!, "serve", "--background"], {
    detached: true,
    stdio: ["ignore", "ignore", errors?.fd ?? "ignore"],
    cwd: paths.home,
    // A relative home means another folder from in there: the command would wait for a daemon that serves elsewhere.
    env: { ...env, ...(env.SYLK_HOME ? { SYLK_HOME: paths.home } : {}) },
  });
  if (errors !== undefined) closeSync(errors.fd);
  let exitCode: number | undefined;
  child.on("exit", (code) => {
    exitCode = code ?? 1;
    if (exitCode === alreadyRunning) errors?.remove();
  });
  child.on("error", () => (exitCode = 1));
  child.unref();
  return {
    startedAt: clock.monotonic(),
    lost: () => exitCode === alreadyRunning,
    failed: () => exitCode !== undefined && exitCode !== alreadyRunning && exitCode !== 0,
    failure: () =>
      new DomainError(
        "daemon.start-failed",
        `The daemon ended before it answered: ${errors?.read() || `exit code ${exitCode}; "sylk serve" shows why`}`,
        { details: { exitCode } },
      ),
  };
}

/** Undefined where the log's folder cannot be used: a daemon without a log is better than none, and it says so itself. */
function openErrors(logs: string) {
  const file = join(logs, `start-${process.pid}.err`);
  try {
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    return {
      fd: openSync(file, "w", 0o600),
      read: () => readFileSync(file, "utf8").trim(),
      remove: () => rmSync(file, { force: true }),
    };
  } catch {
    return undefined;
  }
}
