/** Reads what clients wrote: any field may be missing, of another kind, or nonsense. Nothing here throws. */
export type Loose = { readonly [key: string]: unknown };

export function parseLoose(line: string): Loose | undefined {
  try {
    return asLoose(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function asLoose(value: unknown): Loose | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, 200) : undefined;
}

/** Above this no call can be; such a number would spoil every sum it is in. */
const mostTokens = 1_000_000_000;

export function asCount(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= mostTokens
    ? (value as number)
    : undefined;
}

/** Milliseconds, from a number of them or from a date text. */
export function asTime(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  return Number.isSafeInteger(ms) && (ms as number) > 0 && (ms as number) < 8.64e15 ? (ms as number) : undefined;
}
