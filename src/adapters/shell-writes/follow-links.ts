/** Links that a command line makes itself: a write to one, or through one, is a write to the place that it leads to. */
import { posix } from "node:path";
import { glob, InvalidPattern, matches } from "../../coordination/globs/index.ts";

export type Place = { readonly path: string; readonly isPattern: boolean };

export type Links = {
  /** Undefined: where it leads is not known. */
  readonly add: (place: Place, target: Place | undefined) => void;
  /** The other names of a place; undefined in the list is one that is not known. */
  readonly otherNames: (place: Place) => readonly (Place | undefined)[];
  readonly has: (path: string) => boolean;
};

const mostLinks = 2000;

export function createLinks(): Links {
  const links = new Map<string, { readonly place: Place; readonly target: Place | undefined }>();
  return {
    add(place, target) {
      if (links.size < mostLinks) links.set(place.path, { place, target });
    },
    has: (path) => links.has(path),
    otherNames(wanted) {
      if (links.size === 0) return [];
      for (let path = wanted.path; path !== "/" && path !== "."; path = posix.dirname(path)) {
        const target = links.get(path)?.target;
        if (links.has(path) && target === undefined) return [undefined];
        const rest = wanted.path.slice(path.length);
        if (target !== undefined && !wanted.path.startsWith(`${target.path}/`))
          return [{ path: target.path + rest, isPattern: target.isPattern || wanted.isPattern }];
      }
      if (!wanted.isPattern) return [];
      return [...links.values()].flatMap(({ place, target }) =>
        !place.isPattern && mayMatch(wanted.path, place.path) ? withAllInside(target, wanted.path) : [],
      );
    },
  };
}

function withAllInside(target: Place | undefined, pattern: string): readonly (Place | undefined)[] {
  if (target === undefined || !pattern.endsWith("**")) return [target];
  return [target, { path: posix.join(target.path, "**"), isPattern: true }];
}

/** True, too, where it cannot be decided. */
export function mayMatch(pattern: string, path: string): boolean {
  try {
    return matches(glob(pattern.slice(1)), path.slice(1));
  } catch (error) {
    if (error instanceof InvalidPattern) return true;
    throw error;
  }
}
