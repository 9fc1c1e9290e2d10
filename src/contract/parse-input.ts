/** Raw input -> the operation's input, or `input.invalid` with every problem by name. */
import type * as z from "zod";
import type { Operation } from "./define.ts";
import { DomainError } from "./errors.ts";

export function parseInput<Op extends Pick<Operation, "name" | "input">>(
  operation: Op,
  raw: unknown,
): z.output<Op["input"]> {
  const parsed = operation.input.safeParse(raw ?? {});
  if (parsed.success) return parsed.data as z.output<Op["input"]>;
  const problems = parsed.error.issues.flatMap(describe);
  const shown = problems.slice(0, 5).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  throw new DomainError("input.invalid", `${operation.name}: ${shown.join("; ")}`, { details: { problems } });
}

type Problem = { readonly path: string; readonly message: string };

function describe(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...issue.path, key].join("."),
      message: "is not a field of this operation",
    }));
  }
  return [{ path: issue.path.join("."), message: lowerFirst(issue.message) }];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
