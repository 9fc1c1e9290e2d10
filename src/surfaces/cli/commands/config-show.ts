import { join } from "node:path";
import { asDomainError, resolveSettings, settingDefinitions, settingKeys } from "../../../platform/config/index.ts";
import type { WrittenCommand } from "../command.ts";
import { treeRoot } from "../repository-path.ts";
import { settingFlags, settingFlagTerms } from "../setting-flags.ts";

export const configShow: WrittenCommand = {
  summary: "Show every setting with its origin",
  example: "sylk config show",
  details: "Order: defaults < config.yaml in SYLK_HOME < .sylk/config.yaml of the project < SYLK_ variables < flags.",
  flags: settingFlagTerms,
  async run({ paths, cwd, env, flags, out, json }) {
    const { settings, origins, warnings } = await resolveSettings({
      userFile: paths.config,
      projectFile: join(treeRoot(cwd), ".sylk", "config.yaml"),
      env,
      flags: settingFlags(flags),
    }).catch((error: unknown) => {
      throw asDomainError(error);
    });
    const rows = settingKeys.map((key) => ({
      key,
      value: settings[key],
      origin: origins[key].layer,
      where: origins[key].where,
      description: settingDefinitions[key].description,
    }));
    if (json) return out.json({ settings: rows, warnings });
    out.table(
      ["setting", "value", "origin", "meaning"],
      rows.map(({ key, value, origin, where, description }) => [
        key,
        String(value),
        where === undefined ? origin : `${origin} ${where}`,
        description,
      ]),
    );
    for (const { message } of warnings) out.note(`${out.paint("yellow", "warning")} ${message}`);
  },
};
