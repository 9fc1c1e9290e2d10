/**
 * Installing into a client: a plan that can be shown, then the same plan carried out.
 *
 *   launcher into the home -> commit gate into the repository -> entries into the client's settings -> record
 */
import { relative } from "node:path";
import { type Act, type Plan, shown } from "./act.ts";
import { addActs } from "./file-acts.ts";
import { gateActs } from "./gate-acts.ts";
import { gateHooksOf, isIgnored } from "./git-hook.ts";
import { type Installed, writeRecords } from "./install-record.ts";
import { type InstallTerms, type Situation, situationOf } from "./install-terms.ts";
import { launchCommand, launcherActs } from "./launcher-acts.ts";
import { hooksIn, ignored } from "./own-parts.ts";

export function planInstall(terms: InstallTerms): Plan {
  const { client, paths } = terms;
  const situation = situationOf(terms);
  const { record, settings, others } = situation;
  let next: Partial<Installed> = { ...record };
  const acts = [
    ...launcherActs(paths),
    ...gate(terms, situation, (preCommit) => (next = { ...next, preCommit })),
    ...exclusion(terms, situation, (exclude) => (next = { ...next, exclude })),
    ...addActs(settings, hooksIn(settings, client, commandOf(terms)), record?.settings, (kept) => {
      next = { ...next, settings: kept };
    }),
  ];
  return {
    steps: shown(acts),
    notes: notesFor(terms, situation),
    apply() {
      for (const act of acts) act.do();
      writeRecords(paths, [...others, { ...next, settings: next.settings!, client: client.name }]);
    },
  };
}

/** Settings that are committed name no place of this machine. */
function commandOf({ scope, env, paths }: InstallTerms): string {
  return launchCommand(paths, { lookUp: scope === "project" || !env.SYLK_HOME });
}

type Gate = NonNullable<Installed["preCommit"]>;

function gate({ scope, env, paths }: InstallTerms, { places, record }: Situation, kept: (gate: Gate) => void): Act[] {
  const file = places?.preCommit;
  if (scope === "user" || file === undefined) return [];
  const folders = record?.preCommit?.folders ?? [];
  kept({ file, folders });
  const launch = launchCommand(paths, { lookUp: !env.SYLK_HOME });
  const made = [...folders];
  const keep = (more: readonly string[]): void => {
    made.push(...more);
    kept({ file, folders: [...made] });
  };
  return gateHooksOf(file).flatMap((hook) => gateActs(hook, launch, keep));
}

type Exclude = NonNullable<Installed["exclude"]>;

function exclusion(
  { scope }: InstallTerms,
  { places, settings, record }: Situation,
  kept: (file: Exclude) => void,
): Act[] {
  if (scope !== "local" || places === undefined || isIgnored(settings, places.tree)) return [];
  return addActs(places.exclude, ignored(relative(places.tree, settings)), record?.exclude, kept);
}

function notesFor({ scope, env }: InstallTerms, { places }: Situation): readonly string[] {
  const home =
    scope === "project" && env.SYLK_HOME
      ? ["Your SYLK_HOME must also be set where the client runs: it is not named"]
      : [];
  if (places === undefined) return [...home, "This is no git repository: there is no commit gate"];
  if (scope === "user") return ['The commit gate is per repository: "sylk install" without --user adds it there'];
  if (places.preCommit !== undefined) return home;
  const shared =
    "core.hooksPath is set for all repositories, so the commit gate was left out; set it for this one to have it";
  return [...home, shared];
}
