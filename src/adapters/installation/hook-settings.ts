/**
 * Our entries in a client's settings file. No other byte of it changes.
 *
 *   {"hooks": {"<event>": [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}
 *
 * Ours are known by the launcher's name in their command.
 */
import type { HookEntry } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import {
  isObject,
  itemsOf,
  type Json,
  type JsonNode,
  memberOf,
  membersOf,
  parseJsonWithComments,
  readSettings,
  refused,
  treeOf,
  withLastItem,
  withLastMember,
  withoutNode,
} from "./json-settings.ts";
import { launcherName } from "./launcher-script.ts";

const isOurs = new RegExp(`/hooks/${launcherName}\\\\?["']`);

export function withHooks(
  text: string,
  file: string,
  entries: readonly HookEntry[],
  commandFor: (event: string) => string,
  timeoutsPerSecond = 1,
): string {
  let changed = text.trim() === "" ? "{}\n" : text;
  checkSettings(changed, file);
  for (const entry of entries) {
    const handler = { command: commandFor(entry.event), timeout: entry.timeoutSeconds * timeoutsPerSecond };
    changed = withEntry(changed, entry, handler);
  }
  return changed;
}

/** Groups that hold only our handlers go, and so do lists that become empty. */
export function withoutHooks(text: string, file: string): string {
  checkSettings(text, file);
  let changed = text;
  for (;;) {
    const next = withoutOne(changed);
    if (next === undefined) return changed;
    changed = next;
  }
}

export function hasHooks(text: string): boolean {
  return isOurs.test(text);
}

function withEntry(text: string, { event, matcher }: HookEntry, handler: object): string {
  const group = { ...defined({ matcher }), hooks: [{ type: "command", ...handler }] };
  const root = treeOf(text);
  const hooks = memberOf(root, "hooks");
  if (hooks === undefined) return withLastMember(text, root, "hooks", { [event]: [group] });
  const list = memberOf(hooks, event);
  return list === undefined ? withLastMember(text, hooks, event, [group]) : withLastItem(text, list, group);
}

function withoutOne(text: string): string | undefined {
  const lists = membersOf(memberOf(treeOf(text), "hooks"));
  for (const group of lists.flatMap(({ value }) => itemsOf(value))) {
    const handlers = itemsOf(memberOf(group, "hooks"));
    const ours = handlers.find((handler) => isOurHandler(text, handler));
    if (ours !== undefined) return withoutNode(text, handlers.length > 1 ? ours : group);
  }
  return undefined;
}

function isOurHandler(text: string, { offset, length }: JsonNode): boolean {
  const handler = parseJsonWithComments(text.slice(offset, offset + length)) as Json | null;
  return typeof handler?.command === "string" && isOurs.test(handler.command);
}

function checkSettings(text: string, file: string): void {
  const { hooks = {} } = readSettings(text, file);
  if (!isObject(hooks)) throw refused(file, 'needs an object under "hooks"');
  const odd = Object.entries(hooks).find(([, list]) => !Array.isArray(list));
  if (odd !== undefined) throw refused(file, `needs a list under "hooks.${odd[0]}"`);
}
