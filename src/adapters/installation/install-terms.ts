/** What is installed, for whom and where; and what is known of an earlier time. */
import { homedir } from "node:os";
import type { InstallableClientV1, InstallScope } from "../../contract/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { gitPlaces, type GitPlaces } from "./git-hook.ts";
import { type Installed, readRecords } from "./install-record.ts";

export type InstallTerms = {
  readonly client: InstallableClientV1;
  readonly scope: InstallScope;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: HomePaths;
};
export type Situation = {
  /** Undefined outside of a repository. */
  readonly places: GitPlaces | undefined;
  readonly settings: string;
  readonly record: Installed | undefined;
  /** Of other clients and other places. */
  readonly others: readonly Installed[];
};

export function situationOf({ client, scope, cwd, env, paths }: InstallTerms): Situation {
  const places = gitPlaces(cwd);
  const settings = client.settingsFile(scope, { tree: places?.tree ?? cwd, userHome: env.HOME || homedir(), env });
  const records = readRecords(paths);
  const record = records.find((item) => item.client === client.name && item.settings.file === settings);
  return { places, settings, record, others: records.filter((item) => item !== record) };
}
