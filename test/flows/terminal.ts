/** A command on a terminal of its own (util-linux `script`), where it is there. */
import { execFileSync } from "node:child_process";
import { mainScript, startProcess, type SylkProcess } from "./run-sylk.ts";
import type { ScratchHome } from "./scratch-home.ts";

export const noTerminal = "needs the command script of util-linux to make a terminal";

const program = "script";

export function hasTerminal(): boolean {
  try {
    return execFileSync(program, ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

/** Standard output and standard error come together, as on any terminal. */
export function startOnTerminal(
  { env, repository }: ScratchHome,
  args: readonly string[],
  extra: Readonly<Record<string, string>> = {},
  input: "ignore" | "pipe" = "ignore",
): SylkProcess {
  const words = [process.execPath, mainScript, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return startProcess(program, ["--quiet", "--return", "--command", words.join(" "), "/dev/null"], {
    env: { ...env, TERM: "xterm-256color", ...extra },
    cwd: repository,
    input,
  });
}
