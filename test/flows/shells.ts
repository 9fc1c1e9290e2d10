/** The shells that hooks, launcher and git gate are tried under: whatever is called `sh` first on the PATH runs them. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type Shell = {
  readonly name: string;
  /** Empty where the machine has none. */
  readonly program: string;
  /** Its own tools stand in for the machine's. */
  readonly isWholeSystem: boolean;
};

const found = (name: string): Shell => {
  const program = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).stdout.trim();
  return { name, program, isWholeSystem: false };
};
const isThere = ({ program }: Shell): boolean => program !== "";

/** Never empty: where dash is missing, the machine's own `sh` takes its place. */
export const shellsHere: readonly Shell[] = [["dash", "sh"].map(found).find(isThere)!, found("bash")].filter(isThere);

/** Apart from the others: a machine may have none, and `.ci/run` installs it. */
export const busybox: Shell = { ...found("busybox"), isWholeSystem: true };
export const noBusybox = "busybox is not on the PATH (Debian: apt-get install busybox)";

/** Programs that the scripts call, with the options that POSIX and the BSDs know too, written as for getopts. */
const commonOptions: Readonly<Record<string, string>> = {
  cat: "u",
  date: "u",
  head: "c:n:",
  mkdir: "m:p",
  mv: "fi",
  ps: "Ao:p:",
  readlink: "n",
  rm: "Rfir",
  sed: "e:f:n",
  tail: "c:fn:",
  tr: "Ccds",
  wc: "clmw",
};
const ownTools = ["bash", "curl", "git", "node", "perl"];

/** A PATH on which `sh` is this shell, and on which no program knows more than every system's does. */
export function pathWith({ program, isWholeSystem }: Shell, folder: string): string {
  mkdirSync(folder);
  symlinkSync(program, join(folder, "sh"));
  for (const tool of ownTools.map(found).filter(isThere)) symlinkSync(tool.program, join(folder, tool.name));
  for (const [tool, options] of Object.entries(commonOptions)) {
    const real = isWholeSystem ? `${program} ${tool}` : found(tool).program;
    const refuse = `echo "${tool} $*" >>'${join(folder, "refused")}'; exit 64`;
    const lines = [
      "#!/bin/sh",
      `while getopts ":${options}" option; do case $option in '?' | :) ${refuse} ;; esac; done`,
      ...(tool === "date" ? [`case $* in *%N*) ${refuse} ;; esac`] : []),
      `exec ${real} "$@"`,
    ];
    writeFileSync(join(folder, tool), `${lines.join("\n")}\n`, { mode: 0o755 });
  }
  return folder;
}

/** Calls with an option that not every system has. */
export function refusedCalls(folder: string): string {
  const file = join(folder, "refused");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
