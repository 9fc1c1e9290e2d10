/**
 * Settings while the daemon runs: the user's, and those of a project as its file says now. A project's file is read
 * again when it has changed; reading costs one `stat` otherwise. That one is synchronous: some microseconds here, where
 * the thread pool would cost every call a hundred and leave an error object with its stack for each absent file.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../contract/errors.ts";
import { InvalidSettings } from "./invalid-settings.ts";
import { resolveSettings, type SettingSources } from "./resolve-settings.ts";
import type { Settings } from "./settings.ts";

export type SettingsOfTree = (tree: string | undefined) => Promise<Settings>;

export function createSettingsOfTree(sources: Omit<SettingSources, "projectFile">): SettingsOfTree {
  const known = new Map<string, { readonly stamp: string; readonly settings: Promise<Settings> }>();
  return async (tree) => {
    const projectFile = tree === undefined ? undefined : join(tree, ".sylk", "config.yaml");
    const stamp = projectFile === undefined ? "" : stampOf(projectFile);
    const key = projectFile ?? "";
    const cached = known.get(key);
    if (cached?.stamp === stamp) return cached.settings;
    const settings = resolved({ ...sources, projectFile: stamp === "" ? undefined : projectFile });
    known.set(key, { stamp, settings });
    return settings;
  };
}

/** The caller may be an agent on any surface: a wrong file is its project's error to show, not a defect of ours. */
async function resolved(sources: SettingSources): Promise<Settings> {
  try {
    return (await resolveSettings(sources)).settings;
  } catch (error) {
    throw asDomainError(error);
  }
}

export function asDomainError(error: unknown): unknown {
  if (!(error instanceof InvalidSettings)) return error;
  return new DomainError("settings.invalid", error.message, { details: { problems: error.problems }, cause: error });
}

function stampOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeMs}`;
  } catch {
    return "";
  }
}
