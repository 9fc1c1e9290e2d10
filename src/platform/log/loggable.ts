/**
 * Turns any value into one that JSON can write, without secrets and of bounded size.
 *
 *   value -> walk (depth, count, length limited) -> plain copy
 *
 * Never throws: a log that fails while reporting a failure hides the failure. Getters that throw, cycles,
 * BigInt and the like become a word in brackets.
 * Invariant: every string of the copy, names included, has passed through `redact`.
 */
import { isSecretName, REDACTED } from "../redact/index.ts";

const LONGEST_STRING = 8 * 1024;
const LONGEST_LINE = 64 * 1024;
const MOST_VALUES = 2_000;
const DEEPEST = 10;

type Walk = {
  readonly redact: (text: string) => string;
  readonly ancestors: Set<object>;
  valuesLeft: number;
  charactersLeft: number;
};

export function loggable(value: unknown, redact: (text: string) => string): unknown {
  return copy(value, { redact, ancestors: new Set(), valuesLeft: MOST_VALUES, charactersLeft: LONGEST_LINE });
}

function copy(value: unknown, walk: Walk): unknown {
  walk.valuesLeft--;
  switch (typeof value) {
    case "string":
      return text(value, walk);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return text(value.toString(), walk);
    case "symbol":
      return text(value.toString(), walk);
    case "function":
      return "[function]";
    case "object":
      return value === null ? null : guarded(value, walk);
    default:
      return value;
  }
}

/** Cut first, so that the cost of redacting is bounded; the redactor knows about cut tokens. */
function text(full: string, walk: Walk): string {
  const room = Math.max(0, Math.min(LONGEST_STRING, walk.charactersLeft));
  const clean = walk.redact(full.slice(0, room));
  walk.charactersLeft -= clean.length;
  return full.length > room ? `${clean}… [${full.length - room} characters cut]` : clean;
}

function guarded(value: object, walk: Walk): unknown {
  if (walk.ancestors.has(value)) return "[cyclic]";
  if (walk.ancestors.size >= DEEPEST) return "[too deep]";
  walk.ancestors.add(value);
  try {
    return copyObject(value, walk);
  } catch {
    return "[unreadable]";
  } finally {
    walk.ancestors.delete(value);
  }
}

function copyObject(value: object, walk: Walk): unknown {
  if (value instanceof Error) return fields(errorFacts(value), walk);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map)
    return fields(
      [...value].map(([key, entry]) => [String(key), entry]),
      walk,
    );
  if (value instanceof Set) return list([...value], walk);
  if (Array.isArray(value)) return list(value, walk);
  if (speaksJson(value)) return copy(value.toJSON(), walk);
  return fields(readable(value), walk);
}

/** Dates, addresses and whatever else knows its own JSON. */
function speaksJson(value: object): value is { toJSON(): unknown } {
  return "toJSON" in value && typeof value.toJSON === "function";
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** The stack repeats name and message, but only their state at creation; all three are kept. */
function errorFacts(error: Error): Entries {
  const { name, message, stack, cause, code, details, errors } = error as Error & Record<string, unknown>;
  return Object.entries({ name, code, message, details, stack, errors, cause });
}

/** One getter that throws must not take its neighbours along. */
function readable(value: object): Entries {
  return Object.keys(value).map((name) => {
    try {
      return [name, (value as Record<string, unknown>)[name]];
    } catch {
      return [name, "[unreadable]"];
    }
  });
}

/** No prototype, so a field named `__proto__` is a field like any other. */
function fields(entries: Entries, walk: Walk): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    if (walk.valuesLeft <= 0) {
      result["…"] = "[more values cut]";
      break;
    }
    result[text(name, walk)] = isSecretName(name) && isTelling(value) ? REDACTED : copy(value, walk);
  }
  return result;
}

/** Whether a secret is set at all may be said. */
function isTelling(value: unknown): boolean {
  return value !== null && typeof value !== "boolean";
}

function list(values: readonly unknown[], walk: Walk): readonly unknown[] {
  const result: unknown[] = [];
  for (const value of values) {
    if (walk.valuesLeft <= 0) return [...result, "[more values cut]"];
    result.push(copy(value, walk) ?? null);
  }
  return result;
}
