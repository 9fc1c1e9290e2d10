/** The terms of an installation: client, scope, files, and the record of an earlier one. */
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { InstallableClientV1, InstallPlaces, InstallScope } from "../../contract/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { gitPlaces, type GitPlaces } from "./git-hook.ts";
import { type Installed, readRecords } from "./install-record.ts";
import { launchCommand } from "./launcher-acts.ts";
import { readText } from "./kept-file.ts";
import { type OwnFile, ownFiles } from "./own-parts.ts";
import { shellPrefixName, shellPrefixScript } from "./shell-prefix-script.ts";
import { isOurs, shellPrefixIn } from "./shell-prefix-setting.ts";
import { hasStatusline, withoutStatusline } from "./statusline-setting.ts";

export type Env = Readonly<Record<string, string | undefined>>;
export type InstallTerms = {
  readonly client: InstallableClientV1;
  readonly scope: InstallScope;
  readonly cwd: string;
  readonly env: Env;
  readonly paths: HomePaths;
  /** What hooks start stays as it was written down, whatever the environment says today. */
  readonly keepsLaunch?: boolean;
  /** AGENTS.md becomes the one instructions file; "where-found": only if there is a text to share. */
  readonly agentsMd?: "always" | "where-found";
  /** The user saw where links lead, and wants that. */
  readonly followLinks?: boolean;
};
export type Situation = {
  /** Undefined outside of a repository. */
  readonly places: GitPlaces | undefined;
  /** The one by which this installation is known; `files` begins with it. */
  readonly settings: string;
  readonly files: readonly OwnFile[];
  readonly launch: string;
  /** Whether the client's status line becomes ours. */
  readonly statusline: boolean;
  /** Why its shell prefix is not ours; empty where it is, and where the client has none. */
  readonly whyNoPrefix: string;
  readonly record: Installed | undefined;
  /** Of other clients and other places. */
  readonly others: readonly Installed[];
};

export function situationOf(terms: InstallTerms): Situation {
  const { client, scope, cwd, env, paths, keepsLaunch = false } = terms;
  const places = gitPlaces(cwd);
  const clientsPlaces = clientPlaces(places?.tree ?? cwd, env);
  const settings = client.settingsFile(scope, clientsPlaces);
  const statusline = takesStatusline(client, scope, clientsPlaces);
  const records = readRecords(paths);
  const record = records.find((item) => item.client === client.name && item.settings.file === settings);
  const lookedUp = launchCommand(paths, { lookUp: true });
  // Settings that are committed name no place of this machine.
  const fresh = scope === "project" || !env.SYLK_HOME ? lookedUp : launchCommand(paths, { lookUp: false });
  const launch = (keepsLaunch ? record?.launch : undefined) ?? fresh;
  const home = launch === lookedUp ? undefined : paths.home;
  const whyNoPrefix = whyNotPrefixed(client, scope, clientsPlaces);
  const launches = [true, false].map((lookUp) => launchCommand(paths, { lookUp }));
  const shellPrefix = {
    file: join(dirname(settings), shellPrefixName),
    text: shellPrefixScript(paths, launches),
    isOn: whyNoPrefix === undefined,
  };
  const files = ownFiles(client, settings, { launch, home, statusline, shellPrefix });
  const others = records.filter((item) => item !== record);
  return { places, settings, files, launch, statusline, whyNoPrefix: whyNoPrefix ?? "", record, others };
}

/**
 * Only where there is none: a project's or a person's own status line hides or is hidden by the others', so one found
 * anywhere is left as it is. Committed settings would set it for every user.
 */
function takesStatusline(client: InstallableClientV1, scope: InstallScope, places: InstallPlaces): boolean {
  if (client.hasStatusline !== true || scope === "project") return false;
  return (["user", "project", "local"] as const).every((one) => {
    const text = readText(client.settingsFile(one, places));
    return text === undefined || !hasStatusline(withoutStatusline(text));
  });
}

/** Undefined: it becomes ours. A prefix is a file of this machine, so committed settings get none. */
function whyNotPrefixed(client: InstallableClientV1, scope: InstallScope, places: InstallPlaces): string | undefined {
  const variable = client.shellPrefixVariable;
  if (variable === undefined) return "";
  if (scope === "project") return "the shell prefix is a file of this machine; without --project it is installed, too";
  const found = [
    places.env[variable],
    ...(["user", "project", "local"] as const).map((one) =>
      shellPrefixIn(readText(client.settingsFile(one, places)) ?? "", variable),
    ),
  ].find((prefix) => prefix !== undefined && prefix !== "" && !isOurs(prefix));
  return found === undefined ? undefined : `${variable} is ${found} already and stays`;
}

export function clientPlaces(tree: string, env: Env): InstallPlaces {
  return { tree, userHome: env.HOME || homedir(), env };
}

export function keptOf(record: Installed | undefined, file: string): Installed["settings"] | undefined {
  return record === undefined ? undefined : [record.settings, ...record.more].find((kept) => kept.file === file);
}
