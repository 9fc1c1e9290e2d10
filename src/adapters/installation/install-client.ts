/**
 * Installing into a client: a plan that can be shown, then the same plan carried out.
 *
 *   launcher into the home -> commit gate into the repository -> our parts into the client's files -> record
 */
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join, relative } from "node:path";
import { defined } from "../../platform/defined.ts";
import { type Act, type Plan, shown, type Step } from "./act.ts";
import { addActs, takeActs } from "./file-acts.ts";
import { gateActs } from "./gate-acts.ts";
import { gateHooksOf, isIgnored, isTracked } from "./git-hook.ts";
import { type Installed, type KeptFile, writeRecords } from "./install-record.ts";
import { clientPlaces, type Env, type InstallTerms, keptOf, type Situation, situationOf } from "./install-terms.ts";
import { hasInstructions, instructionActs, type Instructions } from "./instructions.ts";
import { type FollowedLink, linkRefusal, linksAmong } from "./links.ts";
import { launchCommand, launcherActs } from "./launcher-acts.ts";
import { ignored } from "./own-parts.ts";
import { shellPrefixName } from "./shell-prefix-script.ts";

export function planInstall(terms: InstallTerms): Plan {
  const { client, paths, scope, cwd } = terms;
  const situation = situationOf(terms);
  const { record, files, others, places, launch } = situation;
  let next: Partial<Installed> = { ...record };
  const kept = new Map<string, KeptFile>();
  const instructions = instructionsOf(terms, situation, (file) => {
    const others = (next.instructions ?? []).filter((one) => one.file !== file.file);
    next = { ...next, instructions: [...others, file] };
  });
  const acts = [
    ...launcherActs(paths),
    ...gate(terms, situation, (preCommit) => (next = { ...next, preCommit })),
    ...exclusion(terms, situation, (exclude) => (next = { ...next, exclude })),
    ...files.flatMap(({ file, part }) =>
      addActs(file, part, keptOf(record, file), (written) => void kept.set(file, written)),
    ),
    ...instructions.acts,
  ];
  const links = linksAmong(
    acts.map(({ file }) => file).filter((file) => !file.startsWith(`${paths.home}/`)),
    [places?.tree ?? cwd, clientPlaces(cwd, terms.env).userHome],
  );
  const refusal = terms.followLinks === true ? undefined : linkRefusal(links);
  return {
    steps: shown(acts).map((step) => ({ ...step, what: withLink(step, links) })),
    notes: [...notesFor(terms, situation), ...instructions.notes],
    refusal,
    pending: client.obstacles?.(situation.settings, clientPlaces(places?.tree ?? cwd, terms.env)) ?? [],
    apply() {
      if (refusal !== undefined) throw refusal;
      for (const act of acts) act.do();
      const [settings, ...more] = files.flatMap(({ file }) => kept.get(file) ?? []);
      const own = {
        client: client.name,
        settings: settings!,
        more,
        scope,
        tree: places?.tree ?? cwd,
        launch,
        ...defined({ followLinks: terms.followLinks }),
      };
      writeRecords(paths, [...others, { ...next, ...own }]);
    },
  };
}

function instructionsOf(
  { client, scope, cwd, agentsMd }: InstallTerms,
  { places, record }: Situation,
  kept: (file: KeptFile) => void,
): Instructions {
  if (agentsMd === undefined || client.instructions === undefined) return { acts: [], notes: [] };
  if (scope === "user")
    return {
      acts: [],
      notes: ["AGENTS.md is a repository's: install without --user to make it the one instructions file"],
    };
  const tree = places?.tree ?? cwd;
  if (agentsMd === "where-found" && !hasInstructions(tree, client.instructions)) return { acts: [], notes: [] };
  return instructionActs(tree, client.instructions, record?.instructions ?? [], kept);
}

function withLink({ file, what }: Step, links: readonly FollowedLink[]): string {
  const link = links.find((one) => one.file === file);
  return link === undefined ? what : `${what}; by a link into ${link.leadsTo}`;
}

type Gate = NonNullable<Installed["preCommit"]>;

function gate(
  { scope, env, paths }: InstallTerms,
  { places, record, launch }: Situation,
  kept: (gate: Gate) => void,
): Act[] {
  const file = places?.preCommit;
  if (scope === "user" || file === undefined) return [];
  const folders = record?.preCommit?.folders ?? [];
  kept({ file, folders });
  // Not committed, whatever the settings are.
  const own = scope === "local" ? launch : launchCommand(paths, { lookUp: !env.SYLK_HOME });
  const made = [...folders];
  const keep = (more: readonly string[]): void => {
    made.push(...more);
    kept({ file, folders: [...made] });
  };
  return gateHooksOf(file).flatMap((hook) => gateActs(hook, own, keep));
}

type Exclude = Installed["exclude"];

/** Clients without settings of one's own for a project: then git must not see those of the project that we made. */
function exclusion(
  { scope }: InstallTerms,
  { places, files, record }: Situation,
  kept: (file: Exclude) => void,
): Act[] {
  if (places === undefined) return [];
  const { tree, exclude } = places;
  const own = files.map(({ file }) => file);
  if (scope === "local") {
    const paths = own.filter((file) => !isIgnored(file, tree) && !isTracked(file, tree));
    return paths.length === 0 ? [] : addActs(exclude, ignoredIn(tree, paths), record?.exclude, kept);
  }
  if (record?.exclude === undefined) return [];
  return takeActs(exclude, ignoredIn(tree, own), record.exclude).map((act) => ({
    ...act,
    do() {
      act.do();
      kept(undefined);
    },
  }));
}

export function ignoredIn(tree: string, files: readonly string[]): ReturnType<typeof ignored> {
  return ignored(files.map((file) => relative(tree, file)));
}

const ownStatusline =
  'The status line is left as it is; to have ours: "statusLine": {"type": "command", "command": "sylk statusline"}';

function notesFor({ client, scope, env }: InstallTerms, situation: Situation): readonly string[] {
  const { places, files, statusline, whyNoPrefix } = situation;
  const notes = client.hasStatusline === true && !statusline ? [ownStatusline] : [];
  if (whyNoPrefix !== "") notes.push(prefixNote(whyNoPrefix, join(dirname(situation.settings), shellPrefixName)));
  if (scope === "project" && env.SYLK_HOME)
    notes.push("Your SYLK_HOME must also be set where the client runs: it is not named");
  if (client.furtherParts !== undefined && !isOnPath("sylk", env))
    notes.push('"sylk" is not on your PATH, where the client looks for our MCP server; hooks need no PATH');
  if (scope === "local" && places !== undefined)
    for (const { file } of files)
      if (isTracked(file, places.tree)) notes.push(`${file} is committed; --user keeps our part out of the repository`);
  if (places === undefined) notes.push("This folder is not a git repository, so no commit gate is installed");
  else if (scope === "user")
    notes.push('The commit gate is per repository: "sylk install" without --user adds it there');
  else if (places.preCommit === undefined)
    notes.push(
      "core.hooksPath is set for all repositories, so the commit gate was left out; set it for this one to have it",
    );
  return notes;
}

function prefixNote(why: string, program: string): string {
  return `Files of others are not read-only for shell commands: ${why}; "sylk install" after you took it out makes ${program} the prefix, and SYLK_SHELL_PREFIX in "env" names yours`;
}

function isOnPath(program: string, { PATH = "" }: Env): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
