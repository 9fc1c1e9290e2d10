/**
 * Starts git with a clean environment: no prompts, no optional locks, none of the user's hooks, and patience with another
 * git's lock file.
 */
import { execFile } from "node:child_process";
import type { Clock } from "../../platform/clock/index.ts";
import { DomainError } from "../../contract/index.ts";

export type GitOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Goes to its standard input, byte for byte as `latin1`. */
  readonly input?: string;
  /** `latin1` keeps file names that are not UTF-8 whole: one character per byte. */
  readonly encoding?: "utf8" | "latin1";
  /** The repository's own hooks may run. */
  readonly withHooks?: boolean;
  /** It is ended then, which is a failure. */
  readonly timeoutMs?: number;
};
export type Git = (tree: string, args: readonly string[], options?: GitOptions) => Promise<string>;

export class GitFailed extends Error {
  readonly exitCode: number;
  readonly stderr: string;
  readonly stdout: string;
  constructor(args: readonly string[], exitCode: number, stderr: string, stdout: string) {
    super(`git ${args.join(" ")}: ${stderr.trim() || `exit code ${exitCode}`}`);
    this.name = "GitFailed";
    this.exitCode = exitCode;
    this.stderr = stderr;
    this.stdout = stdout;
  }
}

const lockWaits = [20, 50, 100, 200, 400, 800, 1600];
const maxBuffer = 64 * 1_048_576;

export function createGit(clock: Clock, surroundings: Readonly<Record<string, string | undefined>>): Git {
  const env = gitEnv(surroundings);
  return async (tree, args, options) => {
    for (const waitMs of [...lockWaits, undefined]) {
      try {
        return await once(tree, args, { ...options, env: { ...env, ...options?.env } });
      } catch (error) {
        if (
          waitMs === undefined ||
          !(error instanceof GitFailed && /\.lock': File exists|Unable to create .*\.lock/.test(error.stderr))
        )
          throw error;
        await new Promise<void>((resolve) => clock.after(waitMs, resolve, { keepAlive: true }));
      }
    }
    throw new Error("unreachable: the last attempt returns or throws");
  };
}

export const tooLong = "git took too long to answer";

function once(
  tree: string,
  args: readonly string[],
  { env, input, encoding = "utf8", withHooks = false, timeoutMs = 0 }: GitOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      "git",
      [...(withHooks ? [] : ["-c", "core.hooksPath=/dev/null"]), ...args],
      { cwd: tree, env, maxBuffer, encoding, timeout: timeoutMs, killSignal: "SIGKILL" },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else if (error.code === "ENOENT")
          reject(
            new DomainError(
              "workspace.unavailable",
              "git is not installed or the folder is gone; install git, then try again",
              { details: { tree }, cause: error },
            ),
          );
        else if (error.killed === true && timeoutMs > 0) reject(new GitFailed(args, 1, tooLong, stdout));
        else reject(new GitFailed(args, typeof error.code === "number" ? error.code : 1, stderr, stdout));
      },
    );
    if (input === undefined) return;
    child.stdin!.on("error", () => {}); // it ended without reading: its exit code tells
    child.stdin!.end(input, "latin1");
  });
}

/** The caller's GIT_ variables (an index of its own, another work tree) must not reach ours. */
export function gitEnv(surroundings: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept = Object.entries(surroundings).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !/^(GIT_|SYLK_|.*(KEY|TOKEN|SECRET|PASSWORD)$)/.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
