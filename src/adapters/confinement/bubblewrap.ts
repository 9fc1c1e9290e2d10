/** The same by bubblewrap. Its list is quadratic (100 places 30 ms, 500 half a second), and it stays as the parent. */
import type { HeldPlaces } from "../../coordination/guard/index.ts";
import { findProgram } from "./find-program.ts";
import { markOf, type Who } from "./mark.ts";

export function bubblewrapWords({ pinned, readOnly }: HeldPlaces, who: Who): readonly string[] {
  return [
    findProgram("bwrap"),
    "--dev-bind",
    "/",
    "/",
    ...pinned.flatMap((folder) => ["--bind-try", folder, folder]),
    ...readOnly.flatMap((place) => ["--ro-bind-try", place, place]),
    "--setenv",
    "SYLK_CONFINED",
    markOf(who),
    "--",
  ];
}
