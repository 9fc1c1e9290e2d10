/**
 * Taking everything out again: files without later changes are restored exactly, others lose only what is ours.
 * What another client or place still uses stays.
 */
import { join } from "node:path";
import { type Plan, shown } from "./act.ts";
import { takeActs } from "./file-acts.ts";
import { ungateActs } from "./gate-acts.ts";
import { gateHooksOf } from "./git-hook.ts";
import { ignoredIn } from "./install-client.ts";
import { type Installed, type KeptFile, writeRecords } from "./install-record.ts";
import { type InstallTerms, keptOf, type Situation, situationOf } from "./install-terms.ts";
import { takeInstructionActs } from "./instructions.ts";
import { digest, readText, removeFile } from "./kept-file.ts";
import { unlaunchActs } from "./launcher-acts.ts";

export function planUninstall(terms: InstallTerms): Plan {
  const { paths } = terms;
  const situation = situationOf({ ...terms, keepsLaunch: true });
  const { places, files, record, others } = situation;
  const exclude = record?.exclude;
  const ignoring = ignoredIn(
    places?.tree ?? "/",
    files.map(({ file }) => file),
  );
  const gate = gateOf(terms, situation);
  const told = record?.instructions ?? [];
  const isSharedInUse = others.some(({ tree, instructions = [] }) => tree === record?.tree && instructions.length > 0);
  const instructions = takeInstructionActs(told, isSharedInUse);
  const acts = [
    ...instructions.acts,
    ...files.toReversed().flatMap(({ file, part }) => takeActs(file, part, keptOf(record, file))),
    ...(exclude === undefined ? [] : takeActs(exclude.file, ignoring, exclude)),
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
    notes: instructions.notes,
    apply() {
      const shared = exclude === undefined ? undefined : readText(exclude.file);
      for (const act of acts) act.do();
      const folders = record === undefined ? [] : [record.settings, ...record.more].flatMap((kept) => kept.folders);
      const left = others
        .map((other) => inheriting(other, folders))
        .map((other) =>
          exclude === undefined || other.exclude?.file !== exclude.file
            ? other
            : { ...other, exclude: withoutUs(other.exclude, exclude, shared, ignoring.taken) },
        );
      writeRecords(paths, left);
      if (others.length === 0) removeFile(join(paths.home, "hooks", "installed.json"), [join(paths.home, "hooks")]);
    },
  };
}

/** Undefined where there is none, or another client still needs it. */
function gateOf({ scope }: InstallTerms, { places, record, others }: Situation): Installed["preCommit"] {
  const found =
    scope === "user" || places?.preCommit === undefined ? undefined : { file: places.preCommit, folders: [] };
  const gate = record?.preCommit ?? found;
  return others.some(({ preCommit }) => preCommit !== undefined && preCommit.file === gate?.file) ? undefined : gate;
}

/** A folder that we made, and which still holds another file of ours, goes with that file. */
function inheriting(other: Installed, folders: readonly string[]): Installed {
  const inherited = folders.filter((folder) => other.settings.file.startsWith(`${folder}/`));
  const all = [...new Set([...inherited, ...other.settings.folders])];
  return { ...other, settings: { ...other.settings, folders: all } };
}

/** What another installation remembers of a file that both changed, as if the one that goes had never been. */
function withoutUs(
  other: KeptFile,
  own: KeptFile,
  found: string | undefined,
  taken: (text: string) => string,
): KeptFile {
  const isLast = found !== undefined && digest(found) === other.after;
  const before = other.before !== null && digest(other.before) === own.after ? own.before : other.before;
  const folders = [...new Set([...own.folders, ...other.folders])];
  return { ...other, before, after: isLast ? digest(taken(found)) : other.after, folders };
}
