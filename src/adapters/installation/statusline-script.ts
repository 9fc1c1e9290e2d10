/**
 * `statusline.sh` is the program that a client starts for its status line: POSIX sh and curl ask the daemon, which draws the
 * line. Without a daemon or curl the command line's small program draws it. It always prints a line and never fails, because a
 * client blanks the status line otherwise. A here-document replaces a pipe: a line is drawn at every turn, and each process
 * costs a millisecond or more.
 */
import type { HomePaths } from "../../platform/home/index.ts";
import { fillShippedFile } from "../../platform/shipped-files.ts";
import { quoted } from "./launcher-script.ts";

export const statuslineName = "sylk-statusline";

type StatuslinePlaces = { readonly paths: HomePaths; readonly node: string; readonly sylk: string };

export function statuslineScript({ paths, node, sylk }: StatuslinePlaces): string {
  return fillShippedFile("adapters/installation/statusline.sh", {
    HOME: quoted(paths.home),
    SOCKET: quoted(paths.socket),
    NODE: quoted(node),
    SYLK: quoted(sylk),
  });
}
