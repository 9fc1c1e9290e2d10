/**
 * Starts a program that stays and is spoken to over pipes, in a process group of its own.
 *
 *   sh waits for one line -> its group is recorded -> the line is sent -> sh becomes the program -> … -> its end
 *
 * As with a command, the program's first instruction runs after it was recorded, and nothing it started outlives it. A
 * group that needs more memory than it may is ended.
 */
import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ProcessIdentity } from "../../orchestration/executors/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import { boundedOutput } from "./bounded-output.ts";
import { endGroup, endNow, identityOf, killGroup } from "./process-group.ts";
import { groupBytes } from "./process-identity.ts";

export type ProgramTerms = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** How often its memory is looked at; default: every 5 s. */
  readonly lookMs?: number;
  /** Called with the process group before the program's first instruction runs; it waits for the promise. */
  readonly onStarted: (process: ProcessIdentity) => Promise<void>;
};
export type RunningProgram = {
  readonly identity: ProcessIdentity;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves with the reason when it has ended; never rejects. */
  readonly ended: Promise<string>;
  /** Ends the whole group; resolves when it is gone. */
  stop(): Promise<void>;
};

// The program gets what follows the line: `read` takes no byte beyond it.
const gate = 'IFS= read -r go || exit 125; exec "$@"';
const defaultLookMs = 5_000;
const longestLine = 300;

export async function startProgram(terms: ProgramTerms, clock: Clock): Promise<RunningProgram> {
  const { argv, cwd, env, maxBytes, lookMs = defaultLookMs, onStarted } = terms;
  const child = spawn("/bin/sh", ["-c", gate, "sh", ...argv], {
    cwd,
    env: { ...env },
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const errors = boundedOutput();
  child.stderr.on("data", (chunk: Buffer) => errors.add(chunk));
  child.stdin.on("error", () => {}); // its end says so
  let cause: string | undefined;
  let isOver = false;
  const ended = new Promise<string>((resolve) => {
    child.on("error", ({ message }) => resolve(message));
    child.on("exit", (code, signal) => {
      isOver = true;
      killGroup(child.pid, "SIGKILL");
      child.stderr.destroy();
      const how = code === null ? `killed by ${signal!}` : `exit code ${code}`;
      const said = lastLine(errors.text());
      resolve(cause ?? (said === "" ? how : `${how}: ${said}`));
    });
  });
  try {
    const identity = await identityOf(child);
    await onStarted(identity);
    child.stdin.write("go\n");
    watchMemory(identity.pid);
    return { identity, stdin: child.stdin, stdout: child.stdout, ended, stop: () => endGroup(identity, clock) };
  } catch (error) {
    endNow(child, clock);
    throw error;
  }

  function watchMemory(group: number): void {
    const look = clock.after(lookMs, () => {
      void groupBytes(group).then((bytes) => {
        if (isOver) return;
        if (bytes <= maxBytes) return watchMemory(group);
        cause = `it needed ${mib(bytes)} MB of memory, and ${mib(maxBytes)} MB are allowed`;
        killGroup(group, "SIGKILL");
      });
    });
    void ended.then(() => look.cancel());
  }
}

function mib(bytes: number): number {
  return Math.round(bytes / 1_048_576);
}

function lastLine(text: string): string {
  return (text.trimEnd().split("\n").at(-1) ?? "").trim().slice(0, longestLine);
}
