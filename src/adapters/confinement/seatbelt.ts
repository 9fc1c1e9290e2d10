/** macOS: a Seatbelt profile on one line. Written from its documentation and unit-tested as text; never run on a Mac by us. */
import { lstatSync } from "node:fs";
import type { HeldPlaces } from "../../coordination/guard/index.ts";

export function seatbeltWords(places: HeldPlaces): readonly string[] {
  return ["/usr/bin/sandbox-exec", "-p", seatbeltProfile(places, isFolder)];
}

export function seatbeltProfile({ pinned, readOnly }: HeldPlaces, isFolderAt: (place: string) => boolean): string {
  const rules = [
    ...readOnly.map((place) => `(deny file-write* (${isFolderAt(place) ? "subpath" : "literal"} ${quoted(place)}))`),
    // Moving or removing a folder is an unlink of its name.
    ...pinned.map((folder) => `(deny file-write-unlink (literal ${quoted(folder)}))`),
  ];
  return `(version 1)(allow default)${rules.join("")}`;
}

function quoted(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
