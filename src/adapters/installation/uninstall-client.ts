/**
 * Taking everything out again: files that nobody changed since get back the bytes they had, others lose only what is ours.
 * What another client or place still uses stays.
 */
import { join, relative } from "node:path";
import { type Plan, shown } from "./act.ts";
import { takeActs } from "./file-acts.ts";
import { ungateActs } from "./gate-acts.ts";
import { gateHooksOf } from "./git-hook.ts";
import { type Installed, writeRecords } from "./install-record.ts";
import { type InstallTerms, type Situation, situationOf } from "./install-terms.ts";
import { removeFile } from "./kept-file.ts";
import { unlaunchActs } from "./launcher-acts.ts";
import { hooksIn, ignored } from "./own-parts.ts";

export function planUninstall(terms: InstallTerms): Plan {
  const { client, paths } = terms;
  const situation = situationOf(terms);
  const { places, settings, record, others } = situation;
  const exclude = record?.exclude;
  const gate = gateOf(terms, situation);
  const acts = [
    ...takeActs(settings, hooksIn(settings, client, ""), record?.settings),
    ...(exclude === undefined ? [] : takeActs(exclude.file, ignored(relative(places?.tree ?? "/", settings)), exclude)),
    ...(gate === undefined
      ? []
      : // Folders of ours go with the last file in them.
        [...gateHooksOf(gate.file)]
          .reverse()
          .flatMap((hook) => ungateActs(hook, hook === gate.file ? gate.folders : []))),
    ...(others.length === 0 ? unlaunchActs(paths) : []),
  ];
  return {
    steps: shown(acts),
    notes: [],
    apply() {
      for (const act of acts) act.do();
      const folders = record?.settings.folders ?? [];
      writeRecords(
        paths,
        others.map((other) => inheriting(other, folders)),
      );
      if (others.length === 0) removeFile(join(paths.home, "hooks", "installed.json"), [join(paths.home, "hooks")]);
    },
  };
}

/** Undefined where there is none, or somebody else still needs it. */
function gateOf({ scope }: InstallTerms, { places, record, others }: Situation): Installed["preCommit"] {
  const found =
    scope === "user" || places?.preCommit === undefined ? undefined : { file: places.preCommit, folders: [] };
  const gate = record?.preCommit ?? found;
  return others.some(({ preCommit }) => preCommit !== undefined && preCommit.file === gate?.file) ? undefined : gate;
}

/** A folder that we made, and in which another file of ours still stands, goes with that one. */
function inheriting(other: Installed, folders: readonly string[]): Installed {
  const inherited = folders.filter((folder) => other.settings.file.startsWith(`${folder}/`));
  const all = [...new Set([...inherited, ...other.settings.folders])];
  return { ...other, settings: { ...other.settings, folders: all } };
}
