/** Lists over the files git knows: by pattern, by name and depth, and a folder with what is in it. */
import { posix } from "node:path";
import { invalidInput } from "../../../contract/index.ts";
import { glob, InvalidPattern, matches } from "../../../coordination/globs/index.ts";
import { type DiskFact, insideTree } from "./known-files.ts";

type Listed = { readonly files: readonly string[]; readonly count: number };
type Find = {
  readonly path: string;
  readonly name?: string | undefined;
  readonly type?: "f" | "d" | "l" | undefined;
  readonly mtime?: string | undefined;
  readonly maxdepth?: number | undefined;
};

const mostListed = 500;
const dayMs = 86_400_000;

export function matching(pattern: string, known: readonly string[]) {
  const all = known.filter(matcher(pattern, "pattern"));
  return { all, shown: listed(all) };
}

/** By path alone; whether a file is a link and how old it is only the disk can say. */
export function findAmong({ path, name, type, maxdepth }: Find, known: readonly string[]): readonly string[] {
  const root = insideTree(path);
  const fits = name === undefined ? () => true : matcher(name, "name");
  const below = belowOf(root, known);
  const places = type === "d" ? foldersOf(below) : type !== undefined ? below : [...foldersOf(below), ...below].sort();
  const found = places.filter(
    (place) => fits(posix.basename(place)) && (maxdepth === undefined || place.split("/").length <= maxdepth),
  );
  return found.map((place) => posix.join(root, place));
}

/** Undefined where the path was enough. */
export function fitsOnDisk({ type, mtime }: Pick<Find, "type" | "mtime">): ((fact: DiskFact) => boolean) | undefined {
  const [, sign = "", days] = mtime === undefined ? [] : (/^([+-]?)(\d{1,6})$/.exec(mtime) ?? []);
  if (mtime !== undefined && days === undefined)
    throw invalidInput("mtime", `"${mtime}" is not a number of days; write -7, +7 or 7`);
  if (days === undefined && (type === undefined || type === "d")) return undefined;
  const wanted = Number(days);
  return ({ isLink, ageMs }) => {
    if ((type === "l" && !isLink) || (type === "f" && isLink)) return false;
    if (days === undefined) return true;
    const age = Math.floor(ageMs / dayMs);
    return sign === "-" ? age < wanted : sign === "+" ? age > wanted : age === wanted;
  };
}

/** What lies directly in a folder; of folders also how many files are below them. */
export function structureOf(path: string, known: readonly string[]) {
  const root = insideTree(path);
  const folders = new Map<string, number>();
  const files: string[] = [];
  for (const place of belowOf(root, known)) {
    const [first = "", ...more] = place.split("/");
    if (more.length === 0) files.push(first);
    else folders.set(first, (folders.get(first) ?? 0) + 1);
  }
  return {
    path: root === "" ? "." : root,
    folders: [...folders].slice(0, mostListed).map(([name, count]) => ({ name, files: count })),
    ...listed(files),
  };
}

function belowOf(root: string, known: readonly string[]): readonly string[] {
  if (root === "") return known;
  const below = known.filter((file) => file.startsWith(`${root}/`)).map((file) => file.slice(root.length + 1));
  if (below.length > 0) return below;
  throw invalidInput("path", `git knows nothing below "${root}"; "." is the whole tree`);
}

function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = file.indexOf("/"); at >= 0; at = file.indexOf("/", at + 1)) folders.add(file.slice(0, at));
  return [...folders].sort();
}

function matcher(pattern: string, field: string): (path: string) => boolean {
  try {
    const compiled = glob(pattern);
    return (path) => patiently(() => matches(compiled, path)) ?? false; // a name that no pattern can say
  } catch (error) {
    if (error instanceof InvalidPattern) throw invalidInput(field, error.message);
    throw error;
  }
}

function patiently(ask: () => boolean): boolean | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof InvalidPattern) return undefined;
    throw error;
  }
}

export function listed(files: readonly string[]): Listed {
  return { files: files.slice(0, mostListed), count: files.length };
}
