/** `sylk config get|set|unset`: one setting, with the file it is in and the value it had. */
import { join, relative } from "node:path";
import { DomainError } from "../../../contract/errors.ts";
import {
  asDomainError,
  consentsIn,
  isLooser,
  loadSettingsEditor,
  resolveSettings,
  type SettingKey,
  settingDefinitions,
} from "../../../platform/config/index.ts";
import type { CommandContext, FlagTerms, WrittenCommand } from "../command.ts";
import { findDaemon } from "../daemon-link.ts";
import { treeRoot } from "../repository-path.ts";
import { isNamed } from "../surrounding-session.ts";

const where: Readonly<Record<string, FlagTerms>> = {
  user: { describe: "your own file, config.yaml in SYLK_HOME (default)" },
  project: { describe: "the project's file, .sylk/config.yaml, which its team shares" },
};
const key = { name: "key", describe: 'Setting, as "sylk config show" names it', required: true } as const;

export const get: WrittenCommand = {
  summary: "Print one setting and where its value comes from",
  example: "sylk config get guard.policy",
  arguments: [key],
  errors: ["settings.invalid"],
  async run(context) {
    const name = await keyOf(context);
    const { settings, origins } = await resolved(context);
    const { layer, where: place } = origins[name];
    if (context.json) return context.out.json({ key: name, value: settings[name], origin: layer, where: place });
    context.out.line(String(settings[name]));
    context.out.note(place === undefined ? layer : `${layer} ${place}`);
  },
};

export const set: WrittenCommand = {
  summary: "Change one setting in your file or in the project's; comments and layout stay",
  example: "sylk config set guard.policy strict --project",
  details:
    "A project's file tightens guards for everyone. What it loosens counts only after each user's \"sylk config trust\", so it is not written here.",
  arguments: [key, { name: "value", describe: "New value", required: true }],
  flags: where,
  errors: ["settings.invalid", "caller.denied"],
  async run(context) {
    const name = await keyOf(context);
    const { settingValueOf } = await loadSettingsEditor();
    const value = settingsStep(() => settingValueOf(name, String(context.args[1])));
    return change(name, value, context);
  },
};

export const unset: WrittenCommand = {
  summary: "Remove one setting from your file or from the project's",
  example: "sylk config unset guard.policy",
  arguments: [key],
  flags: where,
  errors: ["settings.invalid", "caller.denied"],
  run: async (context) => change(await keyOf(context), undefined, context),
};

async function change(name: SettingKey, value: unknown, context: CommandContext): Promise<void> {
  const { json, out, paths, cwd } = context;
  const isProject = context.flags.project === true;
  if (isProject && context.flags.user === true)
    throw new DomainError("input.invalid", "--user and --project name two files; choose one", {
      details: { problems: [{ path: "--project", message: "is given with --user" }] },
    });
  await refuseLoosening(name, value ?? settingDefinitions[name].default, isProject, context);
  const file = isProject ? projectFileOf(cwd) : paths.config;
  const { editSettingsFile } = await loadSettingsEditor();
  const { before } = settingsStep(() =>
    editSettingsFile(name, value, { file, scope: isProject ? "project" : "daemon" }),
  );
  if (json) return out.json({ key: name, file, before: before ?? null, value: value ?? null });
  const was = before === undefined ? "it was not set there" : `it was ${shown(before)}`;
  out.line(
    value === undefined ? `${name} is removed from ${file}; ${was}` : `${name} is ${shown(value)} in ${file}; ${was}`,
  );
  await sayEffect(name, value, isProject, context);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a project loosens needs each user's consent; what a user loosens is the user's to say, not an agent's. */
async function refuseLoosening(
  name: SettingKey,
  wanted: unknown,
  isProject: boolean,
  context: CommandContext,
): Promise<void> {
  const { env, flags } = context;
  const isAgent = isNamed(env, typeof flags.as === "string" ? flags.as : env.SYLK_AGENT);
  if (!isProject && !isAgent) return;
  const { settings } = await resolved(context, isProject ? { project: false } : {});
  const own = settings[name];
  if (!isLooser(name, wanted, own)) return;
  const looser = `${name} = ${String(wanted)} is looser than ${String(own)}`;
  throw isAgent
    ? new DomainError(
        "caller.denied",
        `${looser}, and an agent cannot loosen a guard; the user types this in a terminal of their own`,
        {
          details: { key: name, needed: "the user" },
        },
      )
    : new DomainError(
        "settings.invalid",
        `${looser}, which a project's file cannot decide for its users; set it for yourself with --user, or write it into the file by hand, and each user agrees with "sylk config trust"`,
        { details: { problems: [{ where: "--project", key: name, message: looser }] } },
      );
}

/** A value that a higher layer hides or that is not committed, a consent that no longer holds, a daemon that read the file already. */
async function sayEffect(name: SettingKey, value: unknown, isProject: boolean, context: CommandContext): Promise<void> {
  const { settings, origins, project } = await resolved(context);
  const { out, paths, cwd } = context;
  if (isProject && name.startsWith("checks.")) {
    const file = relative(cwd, projectFileOf(cwd));
    out.note(`runs read it at the commit they start from, so commit it: git add ${file} && git commit`);
  }
  if (value !== undefined && settings[name] !== value)
    out.note(
      `it has no effect now: ${name} is ${String(settings[name])} by ${origins[name].where ?? origins[name].layer}`,
    );
  if (isProject && project !== undefined && !project.isTrusted && project.loosenings.length > 0)
    out.note('the file changed, so what it loosens needs your consent again: "sylk config trust"');
  if (!isProject && (await findDaemon(paths)) !== "absent")
    out.note('the running daemon uses it after a restart: "sylk down"; the next command starts it');
}

function resolved({ paths, cwd, env }: CommandContext, { project = true } = {}) {
  return resolveSettings({
    userFile: paths.config,
    ...(project ? { projectFile: projectFileOf(cwd) } : {}),
    env,
    flags: {},
    consents: consentsIn(paths.trustedSettings),
  }).catch((error: unknown) => {
    throw asDomainError(error);
  });
}

async function keyOf({ args }: CommandContext): Promise<SettingKey> {
  const { settingKeyOf } = await loadSettingsEditor();
  return settingsStep(() => settingKeyOf(String(args[0])));
}

function settingsStep<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw asDomainError(error);
  }
}

function projectFileOf(cwd: string): string {
  return join(treeRoot(cwd), ".sylk", "config.yaml");
}
