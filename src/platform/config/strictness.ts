/**
 * Whether a value of a repository's file is looser than the user's own. A repository may tighten a guard by itself; to loosen
 * one needs the user's consent, because a clone of a stranger's repository must not take protection away.
 */
import { type SettingDefinition, settingDefinitions, type SettingKey } from "./settings.ts";

/** A setting that a repository's file wants looser than the user has it. */
export interface Loosening {
  readonly key: SettingKey;
  /** What the file says. */
  readonly wanted: unknown;
  /** The user's own value, or the default. */
  readonly own: unknown;
  readonly where: string;
}

export function isLooser(key: SettingKey, wanted: unknown, own: unknown): boolean {
  const { strictness = "free" }: SettingDefinition = settingDefinitions[key];
  if (strictness === "free") return false;
  if (strictness === "less is looser") return (wanted as number) < (own as number);
  if (strictness === "more is looser") return (wanted as number) > (own as number);
  return strictness.indexOf(wanted as string) > strictness.indexOf(own as string);
}
