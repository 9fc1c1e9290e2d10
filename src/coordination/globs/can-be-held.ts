import { InvalidPattern } from "./invalid-pattern.ts";
import { normalizePath } from "./normalize-path.ts";

/** A file whose name cannot be reserved, such as one with a line break, has no holder. */
export function canBeHeld(path: string): boolean {
  try {
    normalizePath(path);
    return true;
  } catch (error) {
    if (error instanceof InvalidPattern) return false;
    throw error;
  }
}
