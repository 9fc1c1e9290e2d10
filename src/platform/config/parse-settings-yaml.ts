/**
 * Turns the text of a settings file into checked values, each with its line.
 *
 *   text -> yaml document -> walk groups and settings -> file-findings -> values + every problem
 *
 * Loaded only when a file exists: the yaml library is the dear part of this folder.
 * The file may come from a stranger's repository, hence: aliases are refused (no bombs, no cycles, so the
 * walk is finite), and repeated keys are found here because the library's own check is quadratic
 * (9 s for 256 KB of keys).
 */
import { isAlias, isMap, isScalar, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from "yaml";
import { type SettingLayer, shown } from "./check-value.ts";
import { type FileFindings, fileFindings } from "./file-findings.ts";
import { suggestion } from "../nearest-name.ts";
import {
  envNameOf,
  flagOf,
  isSettingKey,
  settingDefinitions,
  type SettingKey,
  settingKeys,
  type SettingScope,
} from "./settings.ts";

type Reading = { readonly findings: FileFindings; readonly scope: SettingScope };

const nested = settingKeys.filter((key) => key.includes("."));
const groups: readonly string[] = [...new Set(nested.map((key) => key.slice(0, key.lastIndexOf("."))))];

/** `scope` is whose file this is: "daemon" the user's own, "project" a repository's. */
export function parseSettingsYaml(text: string, file: string, scope: SettingScope): SettingLayer {
  const lines = new LineCounter();
  const document = parseDocument<Node, false>(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
  const findings = fileFindings(file, lines);
  for (const { pos, code, message } of document.errors) findings.broken(pos[0], syntaxMessage(code, message));
  takeGroup({ findings, scope }, "", document.contents, 0);
  return findings.layer();
}

/** The group "" is the file itself. A group whose settings are all commented out is empty, not wrong. */
function takeGroup({ findings, scope }: Reading, group: string, node: Node | null, parentOffset: number): void {
  if (isEmpty(node)) return;
  const offset = offsetOf(node, parentOffset);
  if (isMap(node)) return takeMembers({ findings, scope }, group, node, offset);
  const instead = isAlias(node) ? "an alias" : shown(isScalar(node) ? node.value : []);
  findings.report(offset, `${group || "the file"} must be a map of settings, not ${instead}`, namesInside(group));
}

function takeMembers(reading: Reading, group: string, map: YAMLMap, mapOffset: number): void {
  const { report } = reading.findings;
  const seen = new Set<string>();
  for (const { key, value } of map.items as Pair<Node | null, Node | null>[]) {
    const offset = offsetOf(key, mapOffset);
    const name = keyText(key);
    const path = group ? `${group}.${name}` : `${name}`;
    if (name === undefined) report(offset, "the name of a setting must be plain text", namesInside(group));
    else if (seen.has(name)) report(offset, `${shown(path)} appears here a second time`, "each name once");
    else if (name.includes(".") && isSettingKey(path))
      report(offset, `${path} must be nested: ${path.replace(".", ": { ")}: … }`, "nested maps", path);
    else if (isSettingKey(path)) takeSetting(reading, path, value, offset);
    else if (groups.includes(path)) takeGroup(reading, path, value, offset);
    else
      report(
        offset,
        `unknown setting ${shown(path)}${suggestion(path, [...settingKeys, ...groups])}`,
        namesInside(group),
      );
    if (name !== undefined) seen.add(name);
  }
}

function takeSetting({ findings, scope }: Reading, key: SettingKey, node: Node | null, keyOffset: number): void {
  const { kind, scope: needed } = settingDefinitions[key];
  const offset = isEmpty(node) ? keyOffset : offsetOf(node, keyOffset);
  if (scope === "project" && needed === "daemon")
    findings.report(keyOffset, notForProjects(key), "settings of scope project", key);
  else if (isAlias(node)) findings.report(offset, `${key} must be ${kind.allowed}, not an alias`, kind.allowed, key);
  else findings.accept(key, plainValue(node), offset);
}

/** Collections stay unread: it is enough to say which kind stood where a single value belongs. */
function plainValue(node: Node | null): unknown {
  if (node === null) return null;
  if (isScalar(node)) return node.value;
  return isMap(node) ? {} : [];
}

function namesInside(group: string): string {
  if (group === "") {
    const single = settingKeys.filter((key) => !key.includes("."));
    return `the groups ${groups.join(", ")} and ${single.join(", ")}`;
  }
  return settingKeys.filter((key) => key.startsWith(`${group}.`)).join(", ");
}

function notForProjects(key: SettingKey): string {
  const ways = `set it in your own config file, by ${envNameOf(key)} or by ${flagOf(key)}`;
  return `${key} is a setting of the daemon, and a repository's file is not trusted with it; ${ways}`;
}

function syntaxMessage(code: string, message: string): string {
  if (code === "RESOURCE_EXHAUSTION") return "is nested too deeply";
  if (code === "MULTIPLE_DOCS") return "holds several documents, and only one is read";
  return message;
}

function isEmpty(node: Node | null): node is null {
  return node === null || (isScalar(node) && node.value === null);
}

function keyText(key: Node | null): string | undefined {
  const name = isScalar(key) ? key.value : undefined;
  return typeof name === "string" || typeof name === "number" || typeof name === "boolean" ? `${name}` : undefined;
}

function offsetOf(node: Node | null, otherwise: number): number {
  return node?.range?.[0] ?? otherwise;
}
