/**
 * Other agents' words on their way into a model's context: every field an operation names as such is fenced, in the
 * structure as in the text, because clients show a model either.
 */
import { untrusted } from "../../platform/untrusted-text.ts";

/** The writer of a text is the nearest `from`, `agent` or `by` around it. */
const writers = ["from", "agent", "by"] as const;

export function fenceUntrusted<T>(answer: T, fields: readonly string[], writer = "another agent"): T {
  if (Array.isArray(answer)) return answer.map((entry: unknown) => fenceUntrusted(entry, fields, writer)) as T;
  if (typeof answer !== "object" || answer === null) return answer;
  const nearest = writerOf(answer) ?? writer;
  const entries = Object.entries(answer).map(([field, value]: [string, unknown]) => {
    const isTheirs = typeof value === "string" && value !== "" && fields.includes(field);
    if (isTheirs) return [field, untrusted(value, nearest)];
    return [field, fields.includes(field) ? fenceAll(value, nearest) : fenceUntrusted(value, fields, nearest)];
  });
  return Object.fromEntries(entries) as T;
}

/** A structure of theirs: every text in it. */
function fenceAll(value: unknown, writer: string): unknown {
  if (typeof value === "string") return value === "" ? value : untrusted(value, writer);
  if (Array.isArray(value)) return value.map((entry: unknown) => fenceAll(entry, writer));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, fenceAll(inner, writer)]));
}

function writerOf(value: object): string | undefined {
  for (const field of writers) {
    const candidate = (value as Readonly<Record<string, unknown>>)[field];
    const { name } = Object(candidate) as { name?: unknown };
    if (typeof name === "string") return name;
  }
  return undefined;
}
