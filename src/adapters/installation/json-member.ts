/**
 * One named value of ours in an object of a JSON settings file, such as a server among `mcpServers`. No other byte changes.
 * A value of that name that the user wrote stays, at the installation and at the removal.
 */
import { isDeepStrictEqual } from "node:util";
import {
  isObject,
  memberOf,
  parseJsonWithComments,
  readSettings,
  refused,
  treeOf,
  withLastMember,
  withoutNode,
} from "./json-settings.ts";

type Member = { readonly path: readonly [string, string]; readonly value: object };

export function withMember(text: string, file: string, { path: [group, name], value }: Member): string {
  const base = text.trim() === "" ? "{}\n" : text;
  const found = readSettings(base, file)[group];
  if (found !== undefined && !isObject(found)) throw refused(file, `needs an object under "${group}"`);
  if (found !== undefined && Object.hasOwn(found, name)) return base;
  const root = treeOf(base);
  const container = memberOf(root, group);
  return container === undefined
    ? withLastMember(base, root, group, { [name]: value })
    : withLastMember(base, container, name, value);
}

/** The group goes with it when nothing else is in it. */
export function withoutMember(text: string, file: string, member: Member): string {
  if (text.trim() === "") return text;
  const [group, name] = member.path;
  const values = readSettings(text, file)[group];
  if (!isObject(values) || !isDeepStrictEqual(values[name], member.value)) return text;
  return withoutNode(text, memberOf(memberOf(treeOf(text), group), name)!);
}

export function hasMember(text: string, { path: [group, name] }: Member): boolean {
  try {
    const values = (parseJsonWithComments(text) as { [group: string]: unknown })[group];
    return isObject(values) && Object.hasOwn(values, name);
  } catch {
    return false;
  }
}
