/**
 * Our entries in a client's settings file. Nothing else in it is changed by a byte.
 *
 *   {"hooks": {"<event>": [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}
 *
 * Ours are known by the launcher's name in their command.
 */
import type { HookEntry } from "../../contract/index.ts";
import { isObject, type Json, memberOf, pretty, readSettings, refused } from "./json-settings.ts";
import { appended, insideOf, type SpanNode, spansOf, without } from "./json-spans.ts";
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

/** Groups that hold nothing but ours go; lists that became empty by that go too. */
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
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", ...handler }] };
  const root = spansOf(text);
  const hooks = memberOf(root, "hooks");
  if (hooks === undefined) return appended(text, root, `"hooks": ${pretty({ [event]: [group] })}`);
  const list = memberOf(hooks, event);
  if (list === undefined) return appended(text, hooks, `${JSON.stringify(event)}: ${pretty([group])}`);
  return appended(text, list, pretty(group));
}

function withoutOne(text: string): string | undefined {
  const root = spansOf(text);
  const hooks = memberOf(root, "hooks");
  if (hooks?.kind !== "object") return undefined;
  for (const [place, { value: list }] of hooks.members.entries()) {
    if (list.kind !== "array") continue;
    for (const [index, group] of list.items.entries()) {
      const handlers = memberOf(group, "hooks");
      const ours = handlers?.kind === "array" ? handlers.items.findIndex((one) => isHandlerOfOurs(text, one)) : -1;
      if (handlers === undefined || ours === -1) continue;
      if (insideOf(handlers).length > 1) return without(text, handlers, ours);
      if (list.items.length > 1) return without(text, list, index);
      if (hooks.members.length > 1) return without(text, hooks, place);
      return without(
        text,
        root,
        (root as Extract<SpanNode, { kind: "object" }>).members.findIndex((one) => one.value === hooks),
      );
    }
  }
  return undefined;
}

function isHandlerOfOurs(text: string, { start, end }: SpanNode): boolean {
  const handler = JSON.parse(text.slice(start, end)) as Json | null;
  return typeof handler?.command === "string" && isOurs.test(handler.command);
}

function checkSettings(text: string, file: string): void {
  const { hooks = {} } = readSettings(text, file);
  if (!isObject(hooks)) throw refused(file, 'has something else than an object under "hooks"');
  const odd = Object.entries(hooks).find(([, list]) => !Array.isArray(list));
  if (odd !== undefined) throw refused(file, `has something else than a list under "hooks.${odd[0]}"`);
}
