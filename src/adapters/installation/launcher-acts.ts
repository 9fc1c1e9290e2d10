/** The launcher's files in the home, and the command by which clients and git start it. */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { HomePaths } from "../../platform/home/index.ts";
import { helperName, helperScript } from "../confinement/index.ts";
import { clientLibrary, libraryName, libraryRecord, libraryRecordName } from "../client-library/index.ts";
import type { Act } from "./act.ts";
import { readText, removeFile, writeText } from "./kept-file.ts";
import { exchangeName, exchangeScript, launcherName, launcherScript, quoted } from "./launcher-script.ts";
import { shellStartName, shellStartScript } from "./shell-prefix-script.ts";
import { statuslineName, statuslineScript } from "./statusline-script.ts";

export function launcherActs(paths: HomePaths): Act[] {
  const script = launcherScript({ paths, node: process.execPath });
  const statusline = statuslineScript({ paths, node: process.execPath, sylk: process.argv[1] ?? "" });
  const library = clientLibrary();
  return [
    ...ownFile(paths, launcherName, script, 0o700, "the launcher that hooks start"),
    ...ownFile(paths, exchangeName, exchangeScript(), 0o600, "its stand-in for curl"),
    ...ownFile(paths, libraryName, library, 0o600, "the library that integrations hand over to"),
    ...ownFile(paths, libraryRecordName, libraryRecord(library), 0o600, "its version and checksum"),
    ...ownFile(paths, statuslineName, statusline, 0o700, "what a status line starts"),
    ...ownFile(paths, helperName, helperScript(), 0o600, "the helper that keeps files of others read-only"),
    ...ownFile(paths, shellStartName, shellStartScript(paths), 0o600, "by which bash starts commands under it"),
  ];
}

function ownFile({ home }: HomePaths, name: string, text: string, mode: number, what: string): Act[] {
  const folder = join(home, "hooks");
  const file = join(folder, name);
  const found = readText(file);
  if (found === text) return [];
  const write = (): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeText(file, text, mode);
  };
  return [{ file, action: found === undefined ? "create" : "change", what, do: write }];
}

export function unlaunchActs({ home }: HomePaths): Act[] {
  return [launcherName, exchangeName, libraryName, libraryRecordName, statuslineName, helperName, shellStartName]
    .map((name) => join(home, "hooks", name))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, action: "remove", what: "no client uses it any more", do: () => removeFile(file, []) }));
}

/**
 * Looked up: the same text on every machine, and nothing where Sylk is not installed. A launcher that is missing must not be
 * an error: some shells end with 2 then, which reads as a denial.
 */
export function launchCommand({ home }: HomePaths, { lookUp }: { readonly lookUp: boolean }): string {
  const file = lookUp
    ? `"\${SYLK_HOME:-$HOME/.sylk}/hooks/${launcherName}"`
    : quoted(join(home, "hooks", launcherName));
  return `h=${file}; [ ! -r "$h" ] || sh "$h"`;
}
