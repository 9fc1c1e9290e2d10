/**
 * Checks one value against its setting, and says in one sentence what is wrong with it.
 *
 *   value -> kind's schema -> the value | "http.port must be a whole number from 0 to 65535, not "abc""
 */
import type { SettingProblem } from "./invalid-settings.ts";
import { type SettingDefinition, settingDefinitions, type SettingKey } from "./settings.ts";

/** A value some layer gives a setting, and the place to show as its origin. */
export interface SettingValue {
  readonly value: unknown;
  readonly where: string;
}

/** One layer's values: the valid ones, and every problem of the rest. */
export interface SettingLayer {
  readonly values: ReadonlyMap<SettingKey, SettingValue>;
  readonly problems: readonly SettingProblem[];
  /** SHA-256 of the file's text; absent without a file. */
  readonly digest?: string;
}

/** `where` names the place for the problem; undefined means that the value holds. */
export function problemWith(key: SettingKey, value: unknown, where: string): SettingProblem | undefined {
  const { kind }: SettingDefinition = settingDefinitions[key];
  if (kind.schema.safeParse(value).success) return undefined;
  return { where, key, message: `${key} must be ${kind.allowed}, not ${shown(value)}`, allowed: kind.allowed };
}

/** Environment variables and flags arrive as text; a flag parser may have made a boolean or number of it already. */
export function valueFromText(key: SettingKey, given: unknown): unknown {
  return typeof given === "string" ? settingDefinitions[key].kind.fromText(given.trim()) : given;
}

const LONGEST_SHOWN = 60;

/** Short, because a wrong value may be a whole pasted file. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "empty";
  if (typeof value === "string")
    return JSON.stringify(value.length > LONGEST_SHOWN ? `${value.slice(0, LONGEST_SHOWN)}…` : value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a map" : `${value as number | boolean | bigint}`;
}
