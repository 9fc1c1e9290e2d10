/**
 * Resolves all settings once, at start, and remembers where each value came from.
 *
 *   defaults < user file < project file < environment < flags  ->  settings + origins + warnings
 *
 * A project's file tightens guards by itself; its looser values count only with the user's consent.
 * Invariant: a wrong value in any layer is an error, also where a higher layer would hide it;
 * else it would come into force on the day a flag is dropped.
 */
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Consents } from "./consents.ts";
import { problemWith, type SettingLayer, type SettingValue, valueFromText } from "./check-value.ts";
import { InvalidSettings, type SettingProblem } from "./invalid-settings.ts";
import { suggestion } from "../nearest-name.ts";
import { isLooser, type Loosening } from "./strictness.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import {
  envNameOf,
  flagOf,
  isSettingKey,
  settingDefinitions,
  type SettingKey,
  settingKeys,
  type Settings,
} from "./settings.ts";

export interface SettingSources {
  /** The user's own file, trusted with every setting. */
  readonly userFile?: string | undefined;
  /** A repository's `.sylk/config.yaml`, trusted with project settings only. */
  readonly projectFile?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: SettingFlags;
  /** Whose looser values are believed; without it no repository's. */
  readonly consents?: Pick<Consents, "of"> | undefined;
  /** SYLK_ variables that are not settings and need no warning. */
  readonly otherVariables?: RegExp;
}

/** Values of the command line, by setting; text is read like a variable's, undefined means not given. */
export type SettingFlags = { readonly [Key in SettingKey]?: string | number | boolean | undefined };

export type LayerName = "default" | "user" | "project" | "environment" | "flag";

export interface SettingOrigin {
  readonly layer: LayerName;
  /** `<file>:<line>`, a variable or a flag; absent for a default. */
  readonly where?: string;
}

export type SettingOrigins = { readonly [Key in SettingKey]: SettingOrigin };

export interface SettingWarning {
  readonly where: string;
  readonly message: string;
}

/** A repository's file, as far as it wants to loosen what the user has. */
export interface ProjectFile {
  readonly file: string;
  readonly digest: string;
  /** The user has agreed to this very text. */
  readonly isTrusted: boolean;
  readonly loosenings: readonly Loosening[];
}

export interface ResolvedSettings {
  readonly settings: Settings;
  readonly origins: SettingOrigins;
  readonly warnings: readonly SettingWarning[];
  /** Absent without a file of the project. */
  readonly project?: ProjectFile;
}

const OTHER_VARIABLES = /^SYLK_(HOME|AGENT|TOKEN|DATABASE_URL|SESSION|PROJECT|SOCKET|URL|TEST_.*)$/;

export async function resolveSettings({
  userFile,
  projectFile,
  env,
  flags,
  consents,
  otherVariables = OTHER_VARIABLES,
}: SettingSources): Promise<ResolvedSettings> {
  const layers: [LayerName, SettingLayer][] = [];
  if (userFile !== undefined) layers.push(["user", await readSettingsFile(userFile, "daemon")]);
  if (projectFile !== undefined) layers.push(["project", await readSettingsFile(projectFile, "project")]);
  layers.push(["environment", textLayer((key) => env[envNameOf(key)] || undefined, envNameOf)]);
  layers.push([
    "flag",
    withUnknownFlags(
      textLayer((key) => flags[key], flagOf),
      flags,
    ),
  ]);

  const problems = layers.flatMap(([, layer]) => layer.problems);
  if (problems.length > 0) throw new InvalidSettings(problems);
  const { project, believed } = judgeProject(layers, projectFile, consents);
  const warnings = [...unknownVariables(env, otherVariables), ...withheld(project)];
  return { ...highestWins(believed), warnings, ...(project && { project }) };
}

type Layers = readonly [LayerName, SettingLayer][];

/** Without consent the project's looser values are left out; all others count. */
function judgeProject(layers: Layers, projectFile: string | undefined, consents: SettingSources["consents"]) {
  const layer = layers.find(([name]) => name === "project")?.[1];
  if (projectFile === undefined || layer?.digest === undefined) return { believed: layers };
  const own = highestWins(layers.filter(([name]) => name === "user")).settings;
  const loosenings = [...layer.values]
    .filter(([key, { value }]) => isLooser(key, value, own[key]))
    .map(([key, { value, where }]) => ({ key, wanted: value, own: own[key], where }));
  const file = settingsFileOf(dirname(dirname(projectFile)));
  const isTrusted = consents?.of(file)?.digest === layer.digest;
  const project: ProjectFile = { file, digest: layer.digest, isTrusted, loosenings };
  if (isTrusted) return { project, believed: layers };
  const left = new Map([...layer.values].filter(([key]) => !loosenings.some((one) => one.key === key)));
  const believed: Layers = layers.map(([name, one]) => [name, name === "project" ? { ...one, values: left } : one]);
  return { project, believed };
}

/** The settings file of a working tree, by its one name. */
export function settingsFileOf(tree: string): string {
  return join(realpathSync(tree), ".sylk", "config.yaml");
}

function withheld(project: ProjectFile | undefined): readonly SettingWarning[] {
  if (project === undefined || project.isTrusted) return [];
  return project.loosenings.map(({ key, wanted, own, where }) => ({
    where,
    message: `${where} wants ${key} to be ${String(wanted)}, which is looser than ${String(own)} and has no effect; "sylk config trust" agrees to this file`,
  }));
}

/** An empty variable counts as not set: `SYLK_HTTP_PORT= sylk up` is how a shell takes one away. */
function textLayer(given: (key: SettingKey) => unknown, nameOf: (key: SettingKey) => string): SettingLayer {
  const values = new Map<SettingKey, SettingValue>();
  const problems: SettingProblem[] = [];
  for (const key of settingKeys) {
    const raw = given(key);
    if (raw === undefined) continue;
    const value = valueFromText(key, raw);
    const problem = problemWith(key, value, nameOf(key));
    if (problem) problems.push(problem);
    else values.set(key, { value, where: nameOf(key) });
  }
  return { values, problems };
}

function withUnknownFlags(layer: SettingLayer, flags: SettingFlags): SettingLayer {
  const unknown = Object.keys(flags).filter((name) => !isSettingKey(name));
  const problems = unknown.map((name) => ({
    where: "flags",
    message: `unknown setting ${JSON.stringify(name)}${suggestion(name, settingKeys)}`,
    allowed: settingKeys.join(", "),
  }));
  return { ...layer, problems: [...layer.problems, ...problems] };
}

/** Every value has passed its own schema by now, which is what the casts rely on. */
function highestWins(layers: Layers): Pick<ResolvedSettings, "settings" | "origins"> {
  const settings: Partial<Record<SettingKey, unknown>> = {};
  const origins: Partial<Record<SettingKey, SettingOrigin>> = {};
  for (const key of settingKeys) {
    settings[key] = settingDefinitions[key].default;
    origins[key] = { layer: "default" };
    for (const [layer, { values }] of layers) {
      const given = values.get(key);
      if (!given) continue;
      settings[key] = given.value;
      origins[key] = { layer, where: given.where };
    }
  }
  return { settings: Object.freeze(settings) as Settings, origins: Object.freeze(origins) as SettingOrigins };
}

/** Only a warning: the variable may belong to a newer version or to a script of the user's. */
function unknownVariables(env: SettingSources["env"], otherVariables: RegExp): readonly SettingWarning[] {
  const names = settingKeys.map(envNameOf);
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith("SYLK_") && !names.includes(name) && !otherVariables.test(name),
  );
  return unknown
    .sort()
    .map((name) => ({ where: name, message: `${name} is not a setting and has no effect${suggestion(name, names)}` }));
}
