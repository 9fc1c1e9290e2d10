import { InvalidPattern } from "./invalid-pattern.ts";
import { normalizePath } from "./normalize-path.ts";

/** Nobody can hold a file with a name that cannot be reserved, such as one with a line break. */
export function canBeHeld(path: string): boolean {
  try {
    normalizePath(path);
    return true;
  } catch (error) {
    if (error instanceof InvalidPattern) return false;
    throw error;
  }
}
