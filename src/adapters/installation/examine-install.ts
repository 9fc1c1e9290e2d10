/** What of an installation is not as it should be: for `sylk doctor`, and for the daemon, which looks at every hook. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstallableClientV1 } from "../../contract/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { clientLibrary, libraryName, libraryRecord, libraryRecordName } from "../client-library/index.ts";
import { gateHooksOf, hasGate } from "./git-hook.ts";
import { type Installed, readRecords } from "./install-record.ts";
import { clientPlaces, type Env } from "./install-terms.ts";
import { readText } from "./kept-file.ts";
import { launcherName, launcherScript } from "./launcher-script.ts";
import { isOurs, shellPrefixIn } from "./shell-prefix-setting.ts";
import { ownFiles } from "./own-parts.ts";

export type ExamineTerms = {
  readonly paths: HomePaths;
  readonly clients: readonly InstallableClientV1[];
  readonly env: Env;
};
export type Examined = {
  readonly installed: number;
  readonly troubles: readonly string[];
  /** Whose hooks are there, and would not run. */
  readonly obstacles: readonly string[];
  /** Clients with hooks of ours whose shell commands start with our prefix, and those without one. */
  readonly prefixed: readonly string[];
  readonly unprefixed: readonly string[];
};
export type InstallTrouble = {
  readonly client: string | undefined;
  /** Undefined: for all trees. */
  readonly tree: string | undefined;
  readonly what: string;
  readonly kind: "missing" | "outdated" | "gate" | "untrusted";
};

export function installTroubles(terms: ExamineTerms): Examined {
  const records = readRecords(terms.paths);
  const troubles = troublesOf(terms);
  const names = [...new Set(records.map(({ client }) => client))];
  const prefixed = names.filter((name) => isPrefixed(name, records, terms.clients));
  const textsOf = (isObstacle: boolean) =>
    troubles.filter(({ kind }) => (kind === "untrusted") === isObstacle).map(({ what }) => what);
  return {
    installed: records.length,
    troubles: textsOf(false),
    obstacles: textsOf(true),
    prefixed: prefixed.map((name) => withShell(name, terms.clients)),
    unprefixed: names.filter((name) => !prefixed.includes(name)),
  };
}

export function troublesOf({ paths, clients, env }: ExamineTerms): readonly InstallTrouble[] {
  const records = readRecords(paths);
  const troubles = records.length === 0 ? [] : [...launcherTroubles(paths)];
  for (const record of records) {
    const client = clients.find((candidate) => candidate.name === record.client);
    if (client !== undefined) troubles.push(...recordTroubles(record, client, env));
  }
  return troubles;
}

function recordTroubles(record: Installed, client: InstallableClientV1, env: Env): readonly InstallTrouble[] {
  const { settings, scope, preCommit, tree = "/" } = record;
  const about = { client: client.name, tree: scope === "user" ? undefined : tree };
  const missing = ownFiles(client, settings.file, { launch: "", home: undefined }).filter(
    ({ file, part }) => !part.isIn(readText(file) ?? ""),
  );
  const obstacles = missing.length === 0 ? (client.obstacles?.(settings.file, clientPlaces(tree, env)) ?? []) : [];
  return [
    ...missing.map(({ file, part }) => ({
      ...about,
      what: `${file} has none of our ${nounOf(part.what)}`,
      kind: file === settings.file ? ("missing" as const) : ("outdated" as const),
    })),
    ...lostPrefix(settings.file, client).map((what) => ({ ...about, what, kind: "missing" as const })),
    ...(preCommit === undefined ? [] : gateTroubles(preCommit.file, tree)).map((what) => ({
      ...about,
      client: undefined,
      what,
      kind: "gate" as const,
    })),
    ...obstacles.map((what) => ({ ...about, what, kind: "untrusted" as const })),
  ];
}

function withShell(name: string, clients: ExamineTerms["clients"]): string {
  const shell = clients.find((client) => client.name === name)?.confinedShell;
  return shell === undefined ? name : `${name} (in ${shell})`;
}

function isPrefixed(name: string, records: readonly Installed[], clients: ExamineTerms["clients"]): boolean {
  const { shellPrefixVariable: variable, confinedShell } = clients.find((client) => client.name === name) ?? {};
  if (confinedShell !== undefined) return true;
  return records.some(
    ({ client, settings }) =>
      client === name && variable !== undefined && isOurs(shellPrefixIn(readText(settings.file) ?? "", variable)),
  );
}

/** The settings name a program that is not there: the client starts neither shell commands nor hooks. */
function lostPrefix(settings: string, { shellPrefixVariable }: InstallableClientV1): readonly string[] {
  if (shellPrefixVariable === undefined) return [];
  const prefix = shellPrefixIn(readText(settings) ?? "", shellPrefixVariable);
  return prefix === undefined || !isOurs(prefix) || existsSync(prefix)
    ? []
    : [`${prefix} is missing, by which the client starts hooks and shell commands`];
}

/** A repository that is gone as a whole is no trouble. */
function gateTroubles(preCommit: string, tree: string): readonly string[] {
  if (!existsSync(tree)) return [];
  return gateHooksOf(preCommit)
    .filter((hook) => !hasGate(readText(hook) ?? ""))
    .map((hook) => `${hook} has no commit gate`);
}

function nounOf(what: string): string {
  return what.startsWith("hooks") ? "hooks" : what.replace(/^our /, "");
}

function launcherTroubles(paths: HomePaths): readonly InstallTrouble[] {
  const about = { client: undefined, tree: undefined };
  const file = join(paths.home, "hooks", launcherName);
  const found = readText(file);
  if (found === undefined) return [{ ...about, what: `${file} is missing`, kind: "missing" }];
  const isOwn = withoutNode(found) === withoutNode(launcherScript({ paths, node: "" }));
  const outdated = [...(isOwn ? [] : [`${file} is not this version's`]), ...libraryTroubles(paths)];
  return outdated.map((what) => ({ ...about, what, kind: "outdated" }));
}

function libraryTroubles({ home }: HomePaths): readonly string[] {
  const text = clientLibrary();
  const wanted = { [libraryName]: text, [libraryRecordName]: libraryRecord(text) };
  return Object.entries(wanted)
    .map(([name, own]) => ({ file: join(home, "hooks", name), own }))
    .filter(({ file, own }) => readText(file) !== own)
    .map(({ file }) => `${file} is not this version's`);
}

/** Which Node stands in for curl differs from one start to the next, and does no harm. */
function withoutNode(script: string): string {
  return script.replace(/^node=.*$/m, "");
}
