/**
 * Makes the text of other agents safe for a terminal: no control sequence, no second line and no reversed text of theirs
 * is shown as if it were ours. JSON output needs none of this; there they are escaped.
 */
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

const longTexts = new Set(["body", "patch", "evidence", "text", "output", "prompt"]);

/** The same value with every text in it cleaned; only long texts keep their lines. */
export function printable<T>(value: T, keepLines = false): T {
  if (typeof value === "string") return printableText(value, keepLines) as T;
  if (Array.isArray(value)) return value.map((entry: unknown) => printable(entry)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, printable(field, longTexts.has(key))]),
  ) as T;
}

export function printableText(text: string, keepLines = false): string {
  const clean = text.replaceAll(unprintable, "\ufffd");
  return keepLines ? clean : clean.replaceAll(/\s*\n\s*/g, " ");
}
