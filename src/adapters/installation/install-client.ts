/**
 * Installing into a client: a plan that can be shown, then the same plan carried out.
 *
 *   launcher into the home -> commit gate into the repository -> entries into the client's settings
 *
 * Uninstalling gives back the bytes that were there before; what somebody changed meanwhile keeps that change and loses only
 * what is ours.
 */
import { chmodSync, existsSync, renameSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { DomainError, type InstallableClientV1, type InstallScope } from "../../contract/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { gateHook, gitPlaces, type GitPlaces, hasGate, isIgnored, movedSuffix, withoutGate } from "./git-hook.ts";
import { hasHooks, withHooks, withoutHooks } from "./hook-settings.ts";
import { type Installed, type KeptFile, readRecords, writeRecords } from "./install-record.ts";
import { digest, readText, removeFile, writeText } from "./kept-file.ts";
import { exchangeName, exchangeScript, launcherName, launcherScript, quoted } from "./launcher-script.ts";

export type InstallTerms = {
  readonly client: InstallableClientV1;
  readonly scope: InstallScope;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: HomePaths;
};
export type Step = { readonly file: string; readonly action: "create" | "change" | "remove"; readonly what: string };
export type Plan = { readonly steps: readonly Step[]; readonly notes: readonly string[]; apply(): void };
type Act = Step & { do(): void };

export function planInstall(terms: InstallTerms): Plan {
  const { client, scope, paths } = terms;
  const places = placesOf(terms);
  const records = readRecords(paths);
  const settings = settingsFile(terms, places);
  const record = records.find((item) => item.client === client.name && item.settings.file === settings);
  const acts: Act[] = launcherActs(paths);
  const next: { settings?: KeptFile; exclude?: KeptFile | undefined; preCommit?: string | undefined } = {
    exclude: record?.exclude,
    preCommit: record?.preCommit,
  };
  const { preCommit, tree, exclude } = places ?? {};
  if (scope !== "user" && preCommit !== undefined) {
    next.preCommit = preCommit;
    acts.push(...gateActs(preCommit, launchCommand(terms)));
  }
  if (scope === "local" && tree !== undefined && exclude !== undefined && !isIgnored(settings, tree))
    acts.push(excludeAct(exclude, relative(tree, settings), (kept) => (next.exclude = kept)));
  const command = launchCommand(terms);
  acts.push(
    ...fileActs(
      settings,
      { base: baseOf(settings, record?.settings), what: whatOf(client) },
      {
        made: (text) => withHooks(text, settings, client.entries, (event) => `${command} ${client.name} ${event}`),
        kept: (kept) => (next.settings = kept),
        record: record?.settings,
      },
    ),
  );
  return {
    ...shown(acts),
    notes: notesFor(terms, places),
    apply() {
      for (const act of acts) act.do();
      const entry: Installed = {
        client: client.name,
        settings: next.settings ?? record?.settings ?? asFound(settings),
        ...(next.exclude === undefined ? {} : { exclude: next.exclude }),
        ...(next.preCommit === undefined ? {} : { preCommit: next.preCommit }),
      };
      writeRecords(paths, [...records.filter((item) => item !== record), entry]);
    },
  };
}

export function planUninstall(terms: InstallTerms): Plan {
  const { client, paths } = terms;
  const places = placesOf(terms);
  const records = readRecords(paths);
  const settings = settingsFile(terms, places);
  const record = records.find((item) => item.client === client.name && item.settings.file === settings);
  const others = records.filter((item) => item !== record);
  const acts: Act[] = restoreActs(settings, record?.settings, (text) => withoutHooks(text, settings), "our hooks");
  const exclude = record?.exclude;
  if (exclude !== undefined) acts.push(...restoreActs(exclude.file, exclude, withoutExclude, "our line"));
  const preCommit = record?.preCommit ?? (terms.scope === "user" ? undefined : places?.preCommit);
  if (preCommit !== undefined && !others.some((item) => item.preCommit === preCommit))
    acts.push(...ungateActs(preCommit));
  if (others.length === 0) acts.push(...unlaunchActs(paths));
  return {
    ...shown(acts),
    notes: [],
    apply() {
      for (const act of acts) act.do();
      writeRecords(
        paths,
        others.map((other) => inheriting(other, record?.settings.folders ?? [])),
      );
      if (others.length === 0) removeFile(join(paths.home, "hooks", "installed.json"), [join(paths.home, "hooks")]);
    },
  };
}

/** A folder that we made and that somebody else's entry of ours still stands in goes with that one. */
function inheriting(other: Installed, folders: readonly string[]): Installed {
  const inherited = folders.filter((folder) => other.settings.file.startsWith(`${folder}/`));
  const all = [...new Set([...inherited, ...other.settings.folders])];
  return { ...other, settings: { ...other.settings, folders: all } };
}

/** What the client and git are told to start. The home of a user's own choice is named; the usual one is looked up. */
function launchCommand({ scope, env, paths }: InstallTerms): string {
  const usual = env.SYLK_HOME === undefined || env.SYLK_HOME === "" || scope === "project";
  const folder = usual ? '"${SYLK_HOME:-$HOME/.sylk}/hooks/' : quoted(join(paths.home, "hooks")).slice(0, -1) + "/";
  // Missing, it must not be an error: some shells end with 2 then, which reads as a denial.
  return `h=${folder}${launcherName}${usual ? '"' : "'"}; [ ! -r "$h" ] || sh "$h"`;
}

function settingsFile({ client, scope, cwd, env }: InstallTerms, places: GitPlaces | undefined): string {
  return client.settingsFile(scope, { tree: places?.tree ?? cwd, userHome: env.HOME || homedir(), env });
}

function placesOf({ cwd }: InstallTerms): GitPlaces | undefined {
  return gitPlaces(cwd);
}

function whatOf({ entries }: InstallableClientV1): string {
  return `hooks for ${entries.map(({ event }) => event).join(", ")}`;
}

function notesFor({ scope }: InstallTerms, places: GitPlaces | undefined): readonly string[] {
  if (places === undefined) return ["This is no git repository: there is no commit gate"];
  if (scope === "user") return ['The commit gate is per repository: "sylk install" without --user adds it there'];
  if (places.preCommit !== undefined) return [];
  return [
    "core.hooksPath is set for all repositories, so the commit gate was left out; set it for this one to have it",
  ];
}

function launcherActs({ home, ...rest }: HomePaths): Act[] {
  const folder = join(home, "hooks");
  const script = launcherScript({ paths: { home, ...rest }, node: process.execPath });
  return [
    ...ownFileActs(join(folder, launcherName), script, 0o700, "the launcher that hooks start"),
    ...ownFileActs(join(folder, exchangeName), exchangeScript, 0o600, "its stand-in for curl"),
  ];
}

function ownFileActs(file: string, text: string, mode: number, what: string): Act[] {
  const found = readText(file);
  if (found === text) return [];
  return [
    { file, action: found === undefined ? "create" : "change", what, do: () => void writeText(file, text, mode) },
  ];
}

function unlaunchActs({ home }: HomePaths): Act[] {
  return [launcherName, exchangeName]
    .map((name) => join(home, "hooks", name))
    .filter((file) => existsSync(file))
    .map((file) => ({ file, action: "remove", what: "no client uses it any more", do: () => removeFile(file, []) }));
}

function gateActs(file: string, launch: string): Act[] {
  const text = gateHook(launch);
  const found = readText(file);
  if (found === text) return [];
  const moved = `${file}${movedSuffix}`;
  const foreign = found !== undefined && !hasGate(found);
  if (foreign && existsSync(moved))
    throw new DomainError(
      "file.exists",
      `Both ${file} and ${moved} are there, and only one can run after ours; remove one`,
      {
        details: { file: moved },
      },
    );
  const write = (): void => {
    if (foreign) renameSync(file, moved);
    writeText(file, text, 0o755);
    chmodSync(file, 0o755);
  };
  const what = foreign
    ? `the commit gate; the hook that is there moves to ${moved} and runs after it`
    : "the commit gate";
  return [{ file, action: found === undefined ? "create" : "change", what, do: write }];
}

function ungateActs(file: string): Act[] {
  const found = readText(file);
  if (found === undefined || !hasGate(found)) return [];
  const moved = `${file}${movedSuffix}`;
  const rest = withoutGate(found);
  if (rest !== "")
    return [{ file, action: "change", what: "only the commit gate goes", do: () => void writeText(file, rest) }];
  if (existsSync(moved))
    return [{ file, action: "change", what: `back to what ${moved} keeps`, do: () => renameSync(moved, file) }];
  return [{ file, action: "remove", what: "the commit gate", do: () => removeFile(file, []) }];
}

const excludeMark = "# sylk";

function excludeAct(file: string, path: string, kept: (file: KeptFile) => void): Act {
  const before = readText(file);
  const text = `${before === undefined || before === "" || before.endsWith("\n") ? (before ?? "") : `${before}\n`}${excludeMark}\n/${path}\n`;
  return {
    file,
    action: before === undefined ? "create" : "change",
    what: `ignore ${path}, which is of this machine only`,
    do: () => kept({ file, before: before ?? null, after: digest(text), folders: [...writeText(file, text)] }),
  };
}

function withoutExclude(text: string): string {
  return text.replace(new RegExp(`^${excludeMark}\n/.*\n`, "m"), "");
}

/** What the file would be without us: as it was before, or as it is now without ours. */
function baseOf(file: string, record: KeptFile | undefined): string | null {
  const found = readText(file);
  if (found === undefined) return null;
  if (record !== undefined && digest(found) === record.after) return record.before;
  return hasHooks(found) ? withoutHooks(found, file) : found;
}

type Making = {
  made(base: string): string;
  kept(file: KeptFile): void;
  readonly record: KeptFile | undefined;
};

function fileActs(
  file: string,
  { base, what }: { readonly base: string | null; readonly what: string },
  making: Making,
): Act[] {
  const found = readText(file);
  const text = making.made(base ?? "");
  if (found === text) return [];
  const write = (): void => {
    const made = writeText(file, text);
    making.kept({ file, before: base, after: digest(text), folders: [...(making.record?.folders ?? []), ...made] });
  };
  return [{ file, action: found === undefined ? "create" : "change", what, do: write }];
}

function restoreActs(file: string, record: KeptFile | undefined, strip: (text: string) => string, what: string): Act[] {
  const found = readText(file);
  if (found === undefined) return [];
  const untouched = record !== undefined && digest(found) === record.after;
  const text = untouched ? record.before : emptied(strip(found), record);
  if (text === found) return [];
  if (text === null)
    return [
      { file, action: "remove", what: "it was not there before", do: () => removeFile(file, record?.folders ?? []) },
    ];
  const how = untouched ? "back to its bytes of before" : `only ${what} go`;
  return [{ file, action: "change", what: how, do: () => void writeText(file, text) }];
}

/** A file that we made and that holds nothing any more goes, too. */
function emptied(text: string, record: KeptFile | undefined): string | null {
  return record?.before === null && /^\s*(\{\s*\}\s*)?$/.test(text) ? null : text;
}

function asFound(file: string): KeptFile {
  const text = readText(file) ?? "";
  return { file, before: withoutHooks(text, file), after: digest(text), folders: [] };
}

function shown(acts: readonly Act[]): Pick<Plan, "steps"> {
  return { steps: acts.map(({ file, action, what }) => ({ file, action, what })) };
}
