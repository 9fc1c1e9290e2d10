/** Whether a path or a pattern that a node wants to reserve is well formed. */
import { glob, InvalidPattern, literal } from "../../coordination/globs/index.ts";

export function pathProblem(kind: "paths" | "patterns", text: string): string | undefined {
  try {
    void (kind === "paths" ? literal(text) : glob(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidPattern)) throw error;
    return error.message;
  }
}
