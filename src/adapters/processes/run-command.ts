/**
 * Runs one command in a process group of its own.
 *
 *   sh waits for one line -> its group is recorded -> the line is sent -> sh becomes the command -> output -> end
 *
 * The command's first instruction runs after it was recorded: if we die in between, sh reads the end of its input and
 * leaves without having run anything. When the command itself has ended, the rest of its group is ended too, so that
 * nothing it started keeps writing, nor keeps us waiting for its output.
 */
import { spawn } from "node:child_process";
import type { Clock } from "../../platform/clock/index.ts";
import type { CommandPort, CommandRequest, CommandResult } from "../../orchestration/executors/index.ts";
import { boundedOutput } from "./bounded-output.ts";
import { endGroup, endNow, graceMs, identityOf, killGroup } from "./process-group.ts";

const gate = 'IFS= read -r go || exit 125; exec "$@" </dev/null';
const commandNotFound = 127;
const notExecutable = 126;

export function createCommands(clock: Clock): CommandPort {
  return { run: (request) => runCommand(request, clock), endGroup: (identity) => endGroup(identity, clock) };
}

async function runCommand(
  { argv, cwd, env, timeoutMs, signal, onStarted }: CommandRequest,
  clock: Clock,
): Promise<CommandResult> {
  const beganAt = clock.monotonic();
  const child = spawn("/bin/sh", ["-c", gate, "sh", ...argv], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const output = boundedOutput();
  child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
  child.stdin.on("error", () => {}); // it ended before it was let go: its exit says so
  const ended = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, killedBy) => {
      killGroup(child.pid, "SIGKILL");
      const status = code ?? killedBy!;
      // A process that left the group may hold the output open for ever.
      const late = clock.after(graceMs, () => resolve(status), { keepAlive: true });
      child.on("close", () => {
        late.cancel();
        resolve(status);
      });
    });
  });
  ended.catch(() => {}); // told where it is awaited, or by the process that could not be started
  let end: CommandResult["end"] = "exited";
  const stop = (why: "timed-out" | "aborted") => (): void => {
    end = why;
    endNow(child, clock);
  };
  try {
    await onStarted?.(await identityOf(child));
  } catch (error) {
    endNow(child, clock);
    throw error;
  }
  const timer = clock.after(timeoutMs, stop("timed-out"), { keepAlive: true });
  const abort = stop("aborted");
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  else child.stdin.end("go\n");
  try {
    const status = await ended;
    const exitCode = typeof status === "number" ? status : undefined;
    if (end === "exited" && exitCode === undefined) end = "killed";
    const text = output.text();
    if (end === "exited" && exitCode === commandNotFound && isMissing(text)) end = "not-found";
    if (end === "exited" && exitCode === notExecutable) end = "not-found";
    return { end, exitCode, output: text, truncated: output.truncated(), durationMs: clock.monotonic() - beganAt };
  } finally {
    timer.cancel();
    signal?.removeEventListener("abort", abort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** sh says so itself before the command could. */
function isMissing(output: string): boolean {
  return /not found|No such file/i.test(output);
}
