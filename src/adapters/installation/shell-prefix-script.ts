/**
 * The program that a client puts before its shell commands (`shell-prefix.sh`). It passes Sylk's own hooks on at once and
 * leaves the rest to `confine.pl`, which asks the daemon. Without Perl the command runs as it is: nothing is enforced then,
 * and `sylk doctor` says so. The client starts it as a program, so it is a file and not a line of shell; it lies beside the
 * settings that name it, so that a home removed by hand leaves a client that still runs commands.
 */
import { join } from "node:path";
import type { HomePaths } from "../../platform/home/index.ts";
import { fillShippedFile } from "../../platform/shipped-files.ts";
import { helperName } from "../confinement/index.ts";
import { launcherName, quoted } from "./launcher-script.ts";
import { statuslineName } from "./statusline-script.ts";

export const shellPrefixName = "sylk-shell";
export const shellStartName = "sylk-shell-start";

/** For a client that sets variables of its commands and cannot put a program before them (`shell-start.sh`). */
export function shellStartScript({ home, socket }: HomePaths): string {
  return fillShippedFile("adapters/installation/shell-start.sh", {
    HOME: quoted(home),
    SOCKET: quoted(socket),
    HELPER: quoted(join(home, "hooks", helperName)),
  });
}

/** `launches`: what hooks start, before client and event. */
export function shellPrefixScript(paths: HomePaths, launches: readonly string[]): string {
  const lines = launches.map((launch) => launch.replace(`/hooks/${launcherName}`, `/hooks/${statuslineName}`));
  return fillShippedFile("adapters/installation/shell-prefix.sh", {
    HOME: quoted(paths.home),
    SOCKET: quoted(paths.socket),
    PREFIX_FILE: shellPrefixName,
    HELPER_FILE: helperName,
    LAUNCHES: [...launches, ...lines].map(quoted).join(" "),
  });
}
