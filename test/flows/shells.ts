/** The shells that hooks, launcher and git gate are tried under: whatever is called `sh` first on the PATH runs them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

export type Shell = {
  readonly name: string;
  /** Empty where the machine has none. */
  readonly program: string;
  /** What it brings along stands in for the machine's own, which may have options that others have not. */
  readonly tools: readonly string[];
};

const found = (name: string): Shell => {
  const program = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  return { name, program, tools: [] };
};
const isThere = ({ program }: Shell): boolean => program !== "";

/** Never empty: where dash is missing, the machine's own `sh` takes its place. */
export const shellsHere: readonly Shell[] = [["dash", "sh"].map(found).find(isThere)!, found("bash")].filter(isThere);

/** Apart from the others: a machine may have none, and `.ci/run` installs it. */
export const busybox: Shell = {
  ...found("busybox"),
  tools: ["cat", "date", "mkdir", "mv", "rm", "sed", "tail", "tr", "wc"],
};
export const noBusybox = "busybox is not on the PATH (Debian: apt-get install busybox)";

/** The PATH on which `sh` is this shell. */
export function pathWith({ program, tools }: Shell, folder: string): string {
  mkdirSync(folder);
  for (const tool of ["sh", ...tools]) symlinkSync(program, join(folder, tool));
  return `${folder}:${process.env["PATH"]}`;
}
