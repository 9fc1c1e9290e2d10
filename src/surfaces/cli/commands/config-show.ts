import { join, resolve } from "node:path";
import {
  asDomainError,
  consentsIn,
  type ProjectFile,
  resolveSettings,
  settingDefinitions,
  settingKeys,
} from "../../../platform/config/index.ts";
import type { WrittenCommand } from "../command.ts";
import { operationCommand } from "../operation-command.ts";
import type { Output } from "../output.ts";
import { treeRoot } from "../repository-path.ts";
import { settingFlags, settingFlagTerms } from "../setting-flags.ts";

export const configShow: WrittenCommand = {
  summary: "Show every setting with its origin",
  example: "sylk config show",
  details:
    'Order: defaults < config.yaml in SYLK_HOME < .sylk/config.yaml of the project < SYLK_ variables < flags.\nThe project\'s file may tighten guards; what it loosens counts only after "sylk config trust".',
  flags: settingFlagTerms,
  async run({ paths, cwd, env, flags, out, json }) {
    const { settings, origins, warnings, project } = await resolveSettings({
      userFile: paths.config,
      projectFile: join(treeRoot(cwd), ".sylk", "config.yaml"),
      env,
      flags: settingFlags(flags),
      consents: consentsIn(paths.trustedSettings),
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
    if (json) return out.json({ settings: rows, warnings, ...(project && { project }) });
    out.table(
      ["setting", "value", "origin", "meaning"],
      rows.map(({ key, value, origin, where, description }) => [
        key,
        String(value),
        where === undefined ? origin : `${origin} ${where}`,
        description,
      ]),
    );
    if (project?.isTrusted === true) out.note(trustedText(project));
    for (const { message } of warnings) out.note(`${out.paint("yellow", "warning")} ${message}`);
  },
};

function trustedText({ file, loosenings }: ProjectFile): string {
  const names = loosenings.map(({ key, wanted }) => `${key} = ${String(wanted)}`).join(", ");
  return `You agreed to ${file}${names === "" ? "" : `, which loosens ${names}`}; "sylk config distrust" takes it back`;
}

export const trust = operationCommand("config.trust", {
  example: "sylk config trust",
  details:
    "Without options it agrees to the file of the repository around this folder. A later change of the file asks again.",
  optional: ["path", "digest"],
  async adjust({ path, digest }, { paths, cwd }) {
    const tree = treeAt(path, cwd);
    return { path: tree, digest: digest ?? (await digestIn(tree, paths.config)) };
  },
  print({ file, loosens }, out: Output) {
    out.line(`You agree to ${file} as it is now`);
    for (const { key, value, own } of loosens) out.line(`  ${key}: ${value} instead of ${own}`);
  },
});

export const distrust = operationCommand("config.distrust", {
  example: "sylk config distrust",
  optional: ["path"],
  adjust: ({ path }, { cwd }) => ({ path: treeAt(path, cwd) }),
  print: ({ file, wasTrusted }, out) =>
    out.line(wasTrusted ? `${file} loosens nothing any more` : `You had not agreed to ${file}`),
});

function treeAt(path: unknown, cwd: string): string {
  return typeof path === "string" ? resolve(cwd, path) : treeRoot(cwd);
}

async function digestIn(tree: string, userFile: string): Promise<string> {
  const projectFile = join(tree, ".sylk", "config.yaml");
  try {
    const { project } = await resolveSettings({ userFile, projectFile, env: {}, flags: {} });
    return project?.digest ?? none;
  } catch (error) {
    throw asDomainError(error);
  }
}

/** Of no file; the daemon says that there is none. */
const none = "0".repeat(64);
