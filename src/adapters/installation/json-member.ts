/**
 * One named value of ours in an object of a JSON settings file, such as a server among `mcpServers`. Nothing else is changed
 * by a byte. A value of that name that somebody else put there stays, now and when ours would go.
 */
import { isDeepStrictEqual } from "node:util";
import { isObject, memberOf, pretty, readSettings, refused } from "./json-settings.ts";
import { appended, type SpanNode, spansOf, without } from "./json-spans.ts";

type Member = { readonly path: readonly [string, string]; readonly value: object };

export function withMember(text: string, file: string, { path: [group, name], value }: Member): string {
  const base = text.trim() === "" ? "{}\n" : text;
  const found = readSettings(base, file)[group];
  if (found !== undefined && !isObject(found))
    throw refused(file, `has something else than an object under "${group}"`);
  if (found !== undefined && Object.hasOwn(found, name)) return base;
  const root = spansOf(base);
  const container = memberOf(root, group);
  return container === undefined
    ? appended(base, root, `${JSON.stringify(group)}: ${pretty({ [name]: value })}`)
    : appended(base, container, `${JSON.stringify(name)}: ${pretty(value)}`);
}

/** The group goes with it when nothing else is in it. */
export function withoutMember(text: string, file: string, member: Member): string {
  if (text.trim() === "") return text;
  const found = readSettings(text, file);
  const [group, name] = member.path;
  const values = found[group];
  if (!isObject(values) || !isDeepStrictEqual(values[name], member.value)) return text;
  const root = spansOf(text);
  const container = memberOf(root, group)!;
  const names = namesIn(container);
  return names.length > 1
    ? without(text, container, names.lastIndexOf(name))
    : without(text, root, namesIn(root).lastIndexOf(group));
}

export function hasMember(text: string, { path: [group, name] }: Member): boolean {
  try {
    const values = (JSON.parse(text) as { [group: string]: unknown })[group];
    return isObject(values) && Object.hasOwn(values, name);
  } catch {
    return false;
  }
}

function namesIn(node: SpanNode): readonly string[] {
  return node.kind === "object" ? node.members.map((member) => member.name) : [];
}
