/** The reference of settings. */
import { envNameOf, settingDefinitions, settingKeys } from "../../src/platform/config/index.ts";
import { page, table } from "./page.ts";

export function settingPage(): string {
  const rows = settingKeys.map((key) => {
    const { default: value, scope, description } = settingDefinitions[key];
    return [
      `\`${key}\``,
      `\`${String(value)}\``,
      `\`${envNameOf(key)}\``,
      scope === "project" ? "user and project file" : "user file",
      description,
    ];
  });
  const intro =
    "Order: defaults < `config.yaml` in SYLK_HOME < `.sylk/config.yaml` of the project < environment < flags. " +
    "`sylk config show` names the origin of each value; a wrong one is refused with file, line and what is allowed.";
  return page("Settings", intro, [table(["setting", "default", "variable", "may stand in", "meaning"], rows)]);
}
