/** Runs one of the repository's own hooks as `git commit` would, in the tree's root; false where there is none. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";

export type HookTerms = {
  readonly hooks: string;
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
};

const mostOutput = 4_000;

export async function runHook(
  name: string,
  args: readonly string[],
  { hooks, tree, env, limitMs }: HookTerms,
  clock: Clock,
): Promise<boolean> {
  const file = join(hooks, name);
  if (!isExecutable(file)) return false;
  const { code, output } = await ran(file, args, { tree, env, limitMs }, clock);
  if (code === 0) return true;
  const why = code === "late" ? `took longer than ${limitMs} ms` : "stopped the commit";
  throw new DomainError(
    "commit.hook-refused",
    `No commit was made: the repository's ${name} hook ${why}; fix what it names, then commit again${output === "" ? "" : `:\n${output}`}`,
    { details: { hook: name, output } },
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

type Ran = { readonly code: number | "late" | null; readonly output: string };

function ran(
  file: string,
  args: readonly string[],
  { tree, env, limitMs }: Omit<HookTerms, "hooks">,
  clock: Clock,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that what the hook started ends with it.
    const child = spawn(file, [...args], { cwd: tree, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let output = "";
    let isLate = false;
    const keep = (chunk: Buffer): void => void (output = (output + chunk.toString()).slice(-mostOutput));
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const limit = clock.after(limitMs, () => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    });
    child.on("error", (error) => {
      limit.cancel();
      reject(error);
    });
    child.on("close", (code) => {
      limit.cancel();
      resolve({ code: isLate ? "late" : code, output: output.trim() });
    });
  });
}
