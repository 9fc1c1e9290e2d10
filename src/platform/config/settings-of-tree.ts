/**
 * Settings while the daemon runs: the user's, and those of a project as its file says now. A project's file is read
 * again when it has changed; reading costs two `stat` otherwise. Those are synchronous: some microseconds here, where
 * the thread pool would cost every call a hundred and leave an error object with its stack for each absent file.
 *
 *   a file that is wrong     opens nothing: the last good values hold, or the user's own
 *   a file that loosens      without consent its looser values have no effect
 *
 * Both are told: `troubles` is shown at the start of each session and by `sylk status`.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import type { Consents } from "./consents.ts";
import { InvalidSettings } from "./invalid-settings.ts";
import { resolveSettings, type ResolvedSettings, type SettingSources } from "./resolve-settings.ts";
import type { Settings } from "./settings.ts";

export type SettingsOfTree = {
  (tree: string | undefined): Promise<Settings>;
  /** What is wrong with the files of projects, a sentence each. */
  troubles(): readonly string[];
};
type Sources = Omit<SettingSources, "projectFile" | "consents"> & { readonly consents?: Consents };
type Known = { readonly stamp: string; readonly settings: Promise<Settings> };

export function createSettingsOfTree(sources: Sources): SettingsOfTree {
  const known = new Map<string, Known>();
  const troubles = new Map<string, readonly string[]>();

  /** The caller may be an agent on any surface: the user's own wrong file is an error to show, not a defect of ours. */
  async function resolved(projectFile: string | undefined): Promise<ResolvedSettings> {
    return resolveSettings({ ...sources, projectFile }).catch((error: unknown) => {
      throw asDomainError(error);
    });
  }

  async function read(file: string, before: Promise<Settings> | undefined): Promise<Settings> {
    try {
      const { settings, warnings, project } = await resolved(file);
      const about = warnings.filter(({ where }) => where.startsWith(file)).map(({ message }) => message);
      troubles.set(file, project?.isTrusted === false ? about : []);
      return settings;
    } catch (error) {
      const own = (await resolved(undefined)).settings; // throws where the user's own file is wrong, too
      const instead = before === undefined ? "your own settings hold" : "the values from before hold";
      troubles.set(file, [`${(error as Error).message.split("\n")[0]}; until it is right ${instead}`]);
      return before === undefined ? own : before;
    }
  }

  const settingsOf = async (tree: string | undefined): Promise<Settings> => {
    const projectFile = tree === undefined ? undefined : join(tree, ".sylk", "config.yaml");
    const found = projectFile === undefined ? "" : stampOf(projectFile);
    const key = found === "" ? "" : projectFile!;
    if (projectFile !== undefined && key === "") {
      known.delete(projectFile);
      troubles.delete(projectFile);
    }
    const stamp = found === "" ? "" : `${found} ${sources.consents?.stamp() ?? ""}`;
    const cached = known.get(key);
    if (cached?.stamp === stamp) return cached.settings;
    const settings = key === "" ? resolved(undefined).then((own) => own.settings) : read(key, cached?.settings);
    known.set(key, { stamp, settings });
    return settings;
  };
  return Object.assign(settingsOf, { troubles: () => [...troubles.values()].flat() });
}

export function asDomainError(error: unknown): unknown {
  if (!(error instanceof InvalidSettings)) return error;
  return new DomainError("settings.invalid", error.message, { details: { problems: error.problems }, cause: error });
}

/** Empty where there is no file. What cannot be looked at is there, and is found to be wrong when it is read. */
function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`;
  } catch (error) {
    return `unreadable ${(error as NodeJS.ErrnoException).code}`;
  }
}
