/** Joins the handlers of all features; an operation has exactly one. */

type Intersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * Refuses an operation that two parts handle: with a spread the later one would win without a word.
 * The result's type holds what the parts hold, so dispatch does not compile without a handler for each operation.
 */
export function mergeHandlers<const Parts extends readonly object[]>(...parts: Parts): Intersection<Parts[number]> {
  const merged = new Map<string, unknown>();
  for (const [name, handler] of parts.flatMap(Object.entries)) {
    if (merged.has(name)) throw new Error(`two handlers are wired for the operation ${name}`);
    merged.set(name, handler);
  }
  return Object.fromEntries(merged) as Intersection<Parts[number]>;
}
