/** Raw input -> the operation's input, or `input.invalid` with its problems by name: all that a person would read. */
import type * as z from "zod";
import type { Operation } from "./define.ts";
import { DomainError } from "./errors.ts";

export function parseInput<Op extends Pick<Operation, "name" | "input">>(
  operation: Op,
  raw: unknown,
): z.output<Op["input"]> {
  const parsed = operation.input.safeParse(raw ?? {});
  if (parsed.success) return parsed.data as z.output<Op["input"]>;
  const problems = parsed.error.issues.slice(0, mostTold).flatMap(describe).slice(0, mostTold);
  const shown = problems.slice(0, 5).map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  throw new DomainError("input.invalid", `${operation.name}: ${shown.join("; ")}`, { details: { problems } });
}

/** A megabyte of unknown fields must not be answered by five. */
const mostTold = 100;
const longestName = 200;

type Problem = { readonly path: string; readonly message: string };

function describe(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, mostTold).map((key) => ({
      path: [...issue.path, key.slice(0, longestName)].join("."),
      message: "is not a field of this operation",
    }));
  }
  return [{ path: issue.path.join("."), message: lowerFirst(issue.message) }];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
