import { InvalidPattern } from "./invalid-pattern.ts";
import { normalizePath } from "./normalize-path.ts";

/** Why a file's name cannot be reserved, such as one with a line break; undefined where it can. */
export function whyNotHeld(path: string): string | undefined {
  try {
    normalizePath(path);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidPattern) return error.reason;
    throw error;
  }
}

export function canBeHeld(path: string): boolean {
  return whyNotHeld(path) === undefined;
}
