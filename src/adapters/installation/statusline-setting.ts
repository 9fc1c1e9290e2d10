/**
 * Our status line in a client's settings: {"statusLine": {"type": "command", "command": …}}. Only where there is none: a
 * status line is the user's own. Ours is known by its script's name.
 */
import { appended, type SpanNode, spansOf, without } from "./json-spans.ts";
import { statuslineName } from "./statusline-script.ts";

const key = "statusLine";
const isOurs = new RegExp(`/hooks/${statuslineName}\\\\?["']`);

export function withStatusline(text: string, command: string): string {
  if (hasStatusline(text)) return text;
  return appended(text, spansOf(text), `"${key}": ${JSON.stringify({ type: "command", command }, undefined, 2)}`);
}

export function withoutStatusline(text: string): string {
  if (!isOurs.test(text)) return text;
  const root = spansOf(text);
  const members = root.kind === "object" ? root.members : [];
  const ours = members.findIndex(({ name, value }) => name === key && isOurs.test(slice(text, value)));
  return ours === -1 ? text : without(text, root, ours);
}

/** Anybody's. */
export function hasStatusline(text: string): boolean {
  try {
    const settings = JSON.parse(text) as unknown;
    return typeof settings === "object" && settings !== null && Object.hasOwn(settings, key);
  } catch {
    return false;
  }
}

function slice(text: string, { start, end }: SpanNode): string {
  return text.slice(start, end);
}
