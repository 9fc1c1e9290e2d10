/**
 * Our status line in a client's settings: {"statusLine": {"type": "command", "command": …}}. Only where there is none: a
 * status line is the user's own. Ours is known by its script's name.
 */
import { membersOf, parseJsonWithComments, treeOf, withLastMember, withoutNode } from "./json-settings.ts";
import { statuslineName } from "./statusline-script.ts";

const key = "statusLine";
const isOurs = new RegExp(`/hooks/${statuslineName}\\\\?["']`);

export function withStatusline(text: string, command: string): string {
  if (hasStatusline(text)) return text;
  return withLastMember(text, treeOf(text), key, { type: "command", command });
}

export function withoutStatusline(text: string): string {
  if (!isOurs.test(text)) return text;
  const found = membersOf(treeOf(text)).find(
    ({ name, value: { offset, length } }) => name === key && isOurs.test(text.slice(offset, offset + length)),
  );
  return found === undefined ? text : withoutNode(text, found.value);
}

/** Ours or the user's. */
export function hasStatusline(text: string): boolean {
  try {
    const settings = parseJsonWithComments(text);
    return typeof settings === "object" && settings !== null && Object.hasOwn(settings, key);
  } catch {
    return false;
  }
}
