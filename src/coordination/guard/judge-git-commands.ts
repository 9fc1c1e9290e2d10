/**
 * Git commands that rewrite the tree, and the removal of `.git`: refused while they would change files that other live agents
 * hold or have uncommitted changes in.
 *
 *   alone in the tree        -> passes; git is not asked
 *   an alias                 -> the command that it stands for is read in its place
 *   git says which files     -> a file of another live agent among them? refused, with who and which
 *   git does not say in time -> every file is taken to be among them
 *   git cannot say           -> unknown: let pass, remembered, told; refused where the policy is strict
 */
import { isAbsolute } from "node:path";
import { DomainError, type AgentCaller, type InputOf } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { heldBy } from "../reservations/index.ts";
import { locateProject } from "../registry/index.ts";
import type { GuardPorts } from "./ports.ts";
import { type AtStake, changedAmong, heldAmong, othersIn, type TreeOthers } from "./tree-others.ts";
import type { GitCommand, Touched } from "./tree-git.ts";

type Wanted = InputOf<"guard.write">;
export type Judged = Wanted & {
  /** Files of others that the command would change; the policy lets it. */
  readonly atStake: readonly AtStake[];
  readonly warnings: readonly string[];
};

/** An alias may stand for another one; more are not followed. */
const mostCommands = 20;
const mostNamed = 5;
const mostDetailed = 20;

export async function judgeGitCommands(input: Wanted, caller: AgentCaller, ports: GuardPorts): Promise<Judged> {
  const wanted = { ...input, atStake: [] as AtStake[], warnings: [] as string[] };
  const waiting: GitCommand[] = [...input.gitCommands];
  for (let asked = 0; waiting.length > 0; asked++) {
    const command = waiting.shift()!;
    const name = `git ${command.args[0]}`;
    if (asked >= mostCommands) {
      wanted.unknown = [...wanted.unknown, `${name}: too many aliases in each other`];
      break;
    }
    const others = await othersAround(command.folder, caller, ports);
    if (others === undefined) continue;
    const { paths, unknown, stands, isLate } = (await ports.treeGit?.touchedBy(command)) ?? unasked;
    if (stands !== undefined) {
      const read = ports.readCommand(stands.command, stands.folder);
      waiting.push(...(read?.gitCommands ?? []));
      for (const field of ["paths", "patterns", "unknown", "programs"] as const)
        wanted[field] = [...wanted[field], ...(read?.[field] ?? [])];
      continue;
    }
    const added = takesWhatIsAdded(command, input) ? await ports.treeGit?.changed(others.tree) : [];
    const touched = added === undefined || isLate ? undefined : [...paths, ...added];
    const stakes = await judge({ text: `git ${command.args.join(" ")}`, isLate }, touched, others, ports);
    wanted.atStake.push(...stakes.files);
    wanted.warnings.push(...stakes.warnings);
    const doubts = [...(unknown === undefined ? [] : [`${name}: ${unknown}`]), ...stakes.doubts];
    wanted.unknown = [...wanted.unknown, ...doubts.map((doubt) => doubt.slice(0, 200))];
  }
  return wanted;
}

/**
 * `git add . && git stash`, `git commit -am x && git switch main`: git is asked before the first part has run, so its answer
 * leaves out what that part puts into the index or a commit. That is, at most, what differs from HEAD now.
 */
function takesWhatIsAdded({ args: [name = ""] }: GitCommand, { command = "" }: Wanted): boolean {
  const isMoving = ["reset", "stash", "checkout", "switch", "merge", "rebase", "revert", "cherry-pick", "read-tree"];
  return isMoving.includes(name) && /\bgit\b[^;&|\n]*\s(?:add|stage|commit)\b[^;&|\n]*(?:;|&&|\n|\|\|)/.test(command);
}

const unasked: Touched = { paths: [], unknown: "git cannot be asked here" };

/** Of `.git` itself, without which no change can be told from another: whatever others have here is at stake. */
export async function judgeRemovedGit(
  trees: ReadonlySet<string>,
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<Pick<Judged, "atStake" | "warnings">> {
  const judged = { atStake: [] as AtStake[], warnings: [] as string[] };
  for (const tree of trees) {
    const others = await othersIn(tree, caller, ports);
    if (others === undefined) continue;
    const { files, warnings } = await judge({ text: "removing .git" }, undefined, others, ports);
    judged.atStake.push(...files);
    judged.warnings.push(...warnings);
  }
  return judged;
}

/** A folder outside the project is not guarded. */
async function othersAround(folder: string, caller: AgentCaller, ports: GuardPorts): Promise<TreeOthers | undefined> {
  const place = isAbsolute(folder) ? await locateProject(folder).catch(() => undefined) : undefined;
  return place === undefined || place.path !== caller.project.path ? undefined : othersIn(place.tree, caller, ports);
}

type Stakes = {
  readonly files: readonly AtStake[];
  readonly warnings: readonly string[];
  readonly doubts: readonly string[];
};

type JudgedCommand = { readonly text: string; readonly isLate?: true | undefined };

async function judge(
  command: JudgedCommand,
  touched: readonly string[] | undefined,
  others: TreeOthers,
  ports: GuardPorts,
): Promise<Stakes> {
  const held = heldAmong(touched, others);
  const changed = touched?.length === 0 ? [] : await changedAmong(touched, others, ports);
  const doubts = changed === undefined ? [`${command.text}: git did not say which files differ from HEAD`] : [];
  const isHeld = new Set(held.map(({ path }) => path));
  const files = [...held, ...(changed ?? []).filter(({ path }) => !isHeld.has(path))];
  if (files.length === 0) return { files, warnings: [], doubts };
  const refusal = await refusalOf(command, files, ports);
  if ((await ports.policyFor(others.tree)) !== "warn") throw refusal;
  return { files, warnings: [refusal.message], doubts };
}

async function refusalOf(
  { text, isLate }: JudgedCommand,
  files: readonly AtStake[],
  ports: GuardPorts,
): Promise<DomainError> {
  const command = shortened(text);
  const [first] = files as [AtStake, ...AtStake[]];
  const cause = first.held && (await heldBy({ record: first.held, witness: first.path }, ports.store.reader, ports));
  const named = files
    .slice(0, mostNamed)
    .map(({ path, agent, held }) => `"${path}" (${held ? "held by" : "uncommitted changes of"} ${agent.name})`);
  const more = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : "";
  const count = files.length === 1 ? "a file" : `${files.length} files`;
  const what = isLate
    ? `git did not say in time what "${command}" would change. Run it again; it may change`
    : `"${command}" would change`;
  const ask = first.held === undefined ? "" : `; "sylk negotiate ${first.held.id}" asks ${first.agent.name} for it`;
  return new DomainError(
    "write.erases",
    `Stopped: ${what} ${count} that other agents work on: ${named.join(", ")}${more}. Name your own files instead ("git restore <path>", "git stash push -- <path>"), or work in a tree of your own ("sylk worktree add")${ask}`,
    {
      details: {
        command,
        holder: first.agent,
        count: files.length,
        files: files
          .slice(0, mostDetailed)
          .map(({ path, agent, held }) => ({ path, agent: agent.name, why: held ? "held" : "uncommitted" })),
      },
      ...defined({ retryAfterMs: cause?.retryAfterMs, cause }),
    },
  );
}

function shortened(command: string): string {
  return command.length <= 120 ? command : `${command.slice(0, 119)}…`;
}
