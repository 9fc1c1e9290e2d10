/**
 * Changes one setting in a settings file, and nothing else in it: comments, order and layout stay.
 *
 *   key, text -> definition -> value -> file as yaml document -> set or delete -> read again -> whole file at once
 *
 * A file that is wrong already is not touched: the change could hide what is wrong with it.
 */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isMap, isScalar, parseDocument, stringify } from "yaml";
import { suggestion } from "../nearest-name.ts";
import { problemWith, valueFromText } from "./check-value.ts";
import { InvalidSettings } from "./invalid-settings.ts";
import { parseSettingsYaml } from "./parse-settings-yaml.ts";
import { isSettingKey, settingDefinitions, type SettingKey, settingKeys, type SettingScope } from "./settings.ts";

/** "daemon" is the user's own file, which may hold everything. */
type FileTerms = { readonly file: string; readonly scope: SettingScope };

/** The key of a setting as it is typed; the nearest is named when it is none. */
export function settingKeyOf(typed: string): SettingKey {
  if (isSettingKey(typed)) return typed;
  const message = `unknown setting ${JSON.stringify(typed)}${suggestion(typed, settingKeys)}`;
  throw new InvalidSettings([{ where: "<key>", message, allowed: settingKeys.join(", ") }]);
}

/** The text as the setting's own kind of value, or an error that says what it may be. */
export function settingValueOf(key: SettingKey, text: string): unknown {
  const value = valueFromText(key, text);
  const problem = problemWith(key, value, "<value>");
  if (problem !== undefined) throw new InvalidSettings([problem]);
  return value;
}

/** Undefined removes the setting. Returns the value from before, where the file had one. */
export function editSettingsFile(
  key: SettingKey,
  value: unknown,
  { file, scope }: FileTerms,
): { readonly before: unknown } {
  if (scope === "project" && settingDefinitions[key].scope === "daemon") throw notForProject(key, file);
  const text = textOf(file);
  refuseBroken(text, file, scope);
  const document = parseDocument(text);
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  const path = key.split(".");
  const before: unknown = document.getIn(path);
  const changed = value === undefined ? without(document, path) : withValue(text, document, path, value);
  refuseBroken(changed, file, scope);
  if (changed !== text) replace(file, changed);
  return { before };
}

type YamlDocument = ReturnType<typeof parseDocument>;

/** A value that is there is replaced in the text itself; around a new one the library writes. */
function withValue(text: string, document: YamlDocument, path: readonly string[], value: unknown): string {
  const node: unknown = document.getIn(path, true);
  if (isScalar(node) && node.range !== undefined && node.range !== null) {
    const [start, end] = node.range;
    return text.slice(0, start) + stringify(value).trimEnd() + text.slice(end);
  }
  document.setIn(path, value);
  return document.toString({ lineWidth: 0 });
}

/** A group without settings would stay as an empty map. */
function without(document: YamlDocument, path: readonly string[]): string {
  removeKeepingComment(document, path);
  const group: unknown = document.getIn(path.slice(0, -1));
  if (isMap(group) && group.items.length === 0) removeKeepingComment(document, path.slice(0, -1));
  const { contents, commentBefore } = document;
  const isEmpty = isMap(contents) && contents.items.length === 0 && (contents.comment ?? undefined) === undefined;
  if (!isEmpty) return document.toString({ lineWidth: 0 });
  return (commentBefore ?? undefined) === undefined ? "" : `#${commentBefore}\n`;
}

/** A comment above it stays, above what follows. */
function removeKeepingComment(document: YamlDocument, path: readonly string[]): void {
  const map: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1));
  if (!isMap(map)) return;
  const at = map.items.findIndex(({ key }) => isScalar(key) && key.value === path.at(-1));
  const removed = map.items[at]?.key;
  if (at < 0) return;
  map.items.splice(at, 1);
  const comment = isScalar(removed) ? removed.commentBefore : undefined;
  if (comment === undefined || comment === null) return;
  const next = map.items[at]?.key;
  if (isScalar(next)) next.commentBefore = [comment, next.commentBefore].filter(Boolean).join("\n");
  else document.comment = [comment, document.comment].filter(Boolean).join("\n");
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function refuseBroken(text: string, file: string, scope: SettingScope): void {
  const { problems } = parseSettingsYaml(text, file, scope);
  if (problems.length > 0) throw new InvalidSettings(problems);
}

function notForProject(key: SettingKey, file: string): InvalidSettings {
  const message = `${key} is a setting of the daemon, which a project's file cannot hold; use --user`;
  return new InvalidSettings([{ where: file, key, message, allowed: "a project setting" }]);
}

/** Whole or not at all, with the mode of the file that was there; a link stays a link. */
function replace(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const known = statSync(file, { throwIfNoEntry: false });
  const target = known === undefined ? file : realpathSync(file);
  const fresh = `${target}.${process.pid}.new`;
  try {
    writeFileSync(fresh, text, { mode: known === undefined ? 0o644 : known.mode & 0o777, flag: "wx" });
    renameSync(fresh, target);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
