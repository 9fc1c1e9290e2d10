/** Processes of this program that a daemon starts: workers, the copy of the store, and `sylk doctor`. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { type ErrorBody, fromErrorBody } from "../../contract/errors.ts";
import type { Examination } from "../../contract/index.ts";
import type { StoreCopy } from "../../platform/store/index.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export function spawnWorker(logs: string, env: Environment): ChildProcess {
  const stderr = openOrIgnore(join(logs, "worker.err"));
  try {
    return spawn(process.execPath, [process.argv[1]!, "__worker"], {
      detached: true,
      serialization: "advanced",
      stdio: ["ignore", "ignore", stderr, "ipc"],
      env,
    });
  } finally {
    if (stderr !== "ignore") closeSync(stderr);
  }
}

/** The command prints one JSON value: the copy, or the error. */
export async function copyInChild(from: string, to: string, env: Environment): Promise<StoreCopy> {
  const { code, said } = await runOurselves(["__copy", from, to, "--json"], { env: { ...env } });
  if (code === 0) return JSON.parse(said) as StoreCopy;
  if (said.startsWith("{")) throw fromErrorBody(JSON.parse(said) as ErrorBody);
  throw new Error(`the copy of the store ended with ${code}`);
}

/** Far above what "sylk doctor" takes; then its process is ended. */
const examinationMs = 60_000;

/** Its exit code says whether there is a problem, and the answer says so too. */
export async function examineInChild(cwd: string, env: Environment): Promise<Examination> {
  const { code, said } = await runOurselves(["doctor", "--json"], { env: { ...env }, cwd, timeout: examinationMs });
  if (said.startsWith("{")) return JSON.parse(said) as Examination;
  throw new Error(`"sylk doctor" ended with ${code}`);
}

type Ended = { readonly code: number | string; readonly said: string };

async function runOurselves(
  words: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string; readonly timeout?: number },
): Promise<Ended> {
  const child = spawn(process.execPath, [process.argv[1]!, ...words], {
    ...options,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  return { code, said };
}

/** If the log cannot be written, runs continue and `daemon.status` shows it. */
function openOrIgnore(file: string): number | "ignore" {
  try {
    return openSync(file, "a", 0o600);
  } catch {
    return "ignore";
  }
}
