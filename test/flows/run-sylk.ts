/** The command line as a real child process. */
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { within } from "./until.ts";

export const repositoryRoot = join(import.meta.dirname, "..", "..");
export const mainScript = join(repositoryRoot, "dist", "main.mjs");

export type RunOptions = {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly uid?: number;
  /** Options of Node itself, before the script. */
  readonly nodeOptions?: readonly string[];
};
export type SylkRun = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};
export type SylkProcess = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<SylkRun>;
  output(): string;
  errors(): string;
};

export function startSylk(args: readonly string[], { env, cwd, uid, nodeOptions = [] }: RunOptions): SylkProcess {
  return startProcess(process.execPath, [...nodeOptions, mainScript, ...args], {
    env,
    cwd,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

type ProcessOptions = {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly input?: "ignore" | "pipe";
};

export function startProcess(
  command: string,
  args: readonly string[],
  { input = "ignore", ...options }: ProcessOptions,
): SylkProcess {
  const child = spawn(command, args, { ...options, stdio: [input, "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<SylkRun>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, pid: child.pid!, ended, output: () => stdout, errors: () => stderr };
}

export function runSylk(args: readonly string[], options: RunOptions): Promise<SylkRun> {
  return within(`"sylk ${args.join(" ")}" ends`, startSylk(args, options).ended, { withinMs: 60_000 });
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- who ran the command knows what it prints
export function jsonOf<T = Record<string, unknown>>({ stdout, stderr, code }: SylkRun): T {
  try {
    return JSON.parse(stdout) as T;
  } catch (cause) {
    throw new Error(`no JSON on standard output (exit code ${code}): ${stdout}\n${stderr}`, { cause });
  }
}
