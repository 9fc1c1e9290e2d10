/** For `sylk doctor`: what of an installation is not as it should be. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InstallableClientV1 } from "../../contract/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import { clientLibrary, libraryName, libraryRecord, libraryRecordName } from "../client-library/index.ts";
import { gateHooksOf, hasGate } from "./git-hook.ts";
import { readRecords } from "./install-record.ts";
import { clientPlaces, type Env } from "./install-terms.ts";
import { readText } from "./kept-file.ts";
import { launcherName, launcherScript } from "./launcher-script.ts";
import { isOurs, shellPrefixIn } from "./shell-prefix-setting.ts";
import { ownFiles } from "./own-parts.ts";

type Terms = {
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

export function installTroubles({ paths, clients, env }: Terms): Examined {
  const records = readRecords(paths);
  const troubles = records.length === 0 ? [] : [...launcherTroubles(paths)];
  const obstacles: string[] = [];
  const prefixed = new Set<string>();
  for (const { client: name, settings, preCommit, tree = "/" } of records) {
    const client = clients.find((candidate) => candidate.name === name);
    if (client === undefined) continue;
    const variable = client.shellPrefixVariable;
    if (variable !== undefined && isOurs(shellPrefixIn(readText(settings.file) ?? "", variable))) prefixed.add(name);
    const missing = ownFiles(client, settings.file, { launch: "", home: undefined }).filter(
      ({ file, part }) => !part.isIn(readText(file) ?? ""),
    );
    for (const { file, part } of missing) troubles.push(`${file} has none of our ${nounOf(part.what)}`);
    if (preCommit !== undefined) troubles.push(...gateTroubles(preCommit.file));
    if (missing.length === 0) obstacles.push(...(client.obstacles?.(settings.file, clientPlaces(tree, env)) ?? []));
  }
  const names = [...new Set(records.map(({ client }) => client))];
  const unprefixed = names.filter((name) => !prefixed.has(name));
  return { installed: records.length, troubles, obstacles, prefixed: [...prefixed], unprefixed };
}

function gateTroubles(preCommit: string): readonly string[] {
  if (!existsSync(dirname(preCommit))) return [];
  return gateHooksOf(preCommit)
    .filter((hook) => !hasGate(readText(hook) ?? ""))
    .map((hook) => `${hook} has no commit gate`);
}

function nounOf(what: string): string {
  return what.startsWith("hooks") ? "hooks" : what.replace(/^our /, "");
}

function launcherTroubles(paths: HomePaths): readonly string[] {
  const file = join(paths.home, "hooks", launcherName);
  const found = readText(file);
  if (found === undefined) return [`${file} is missing`];
  const isOurs = withoutNode(found) === withoutNode(launcherScript({ paths, node: "" }));
  return [...(isOurs ? [] : [`${file} is not this version's`]), ...libraryTroubles(paths)];
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
