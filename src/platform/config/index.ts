/** Door of the configuration: the list of settings, and the function that resolves them with their origins. */
export { consentsIn, type Consents } from "./consents.ts";
export { InvalidSettings, type SettingProblem } from "./invalid-settings.ts";
export { readSettingsFile, readSettingsText } from "./read-settings-file.ts";
export {
  type ProjectFile,
  type ResolvedSettings,
  resolveSettings,
  type SettingFlags,
  type SettingSources,
  settingsFileOf,
} from "./resolve-settings.ts";
export { envNameOf, flagOf, settingDefinitions, type SettingKey, settingKeys, type Settings } from "./settings.ts";
export { isLooser } from "./strictness.ts";
export { asDomainError, createSettingsOfTree, type SettingsOfTree } from "./settings-of-tree.ts";

/** Apart, because it brings the library that keeps comments and layout. */
export const loadSettingsEditor = async () => import("./edit-settings-file.ts");
