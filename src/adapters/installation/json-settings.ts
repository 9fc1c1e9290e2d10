/** Settings files that are JSON: what cannot be read for certain is refused and stays as it is. */
import { DomainError } from "../../contract/index.ts";
import type { SpanNode } from "./json-spans.ts";

export type Json = Readonly<Record<string, unknown>>;

export function readSettings(text: string, file: string): Json {
  if (text.includes("\u{fffd}")) throw refused(file, "holds bytes that are not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refused(file, `is not valid JSON (${cause instanceof Error ? cause.message : String(cause)})`, cause);
  }
  if (!isObject(value)) throw refused(file, "is no JSON object");
  return value;
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refused(file: string, what: string, cause?: unknown): DomainError {
  return new DomainError("input.invalid", `${file} ${what}; it was not touched. Mend it, then repeat`, {
    details: { problems: [{ path: file, message: what }] },
    cause,
  });
}

/** The last of a name counts, as for JSON.parse. */
export function memberOf(node: SpanNode, name: string): SpanNode | undefined {
  return node.kind === "object" ? node.members.findLast((member) => member.name === name)?.value : undefined;
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}
