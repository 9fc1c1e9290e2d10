/** Commands of the corpus as a shell gets them, and the programs that are there to run them. */
import { execFileSync } from "node:child_process";
import type { CorpusCommand } from "./corpus-command.ts";

export const commandIn = (tree: string, { command }: CorpusCommand): string => command.replaceAll("{root}", tree);
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const installed = new Map<string, boolean>();
export function isInstalled(program: string, env: Readonly<Record<string, string>>): boolean {
  const known = installed.get(program);
  if (known !== undefined) return known;
  let found = true;
  try {
    execFileSync("bash", ["-c", `command -v ${quoted(program)}`], { env, stdio: "ignore" });
  } catch {
    found = false;
  }
  installed.set(program, found);
  return found;
}
