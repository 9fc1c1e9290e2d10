/**
 * Commands for the model: argv without a shell. A short list of harmless ones runs at once; everything else is asked of a
 * person, and runs only when approved.
 */
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { ModelTool } from "../../../orchestration/models/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";
import { skillTool } from "../../skills/index.ts";
import { runProgram } from "../skills.ts";

type Ports = Pick<RunContext, "workspace" | "command"> & {
  /** Resolves to a person's decision about exactly this command. */
  readonly approve: (argv: readonly string[], signal: AbortSignal) => Promise<boolean>;
};

const timeoutMs = 5 * 60_000;

export function commandTool({ workspace, command, approve }: Ports): ModelTool {
  return skillTool(runProgram, async ({ argv }, { signal }) => {
    const allowed = isHarmless(argv) && (await staysInside(workspace.tree, argv));
    if (!allowed && !(await approve(argv, signal)))
      throw new Error(`"${argv.join(" ")}" was not approved; do without it`);
    const [program, ...rest] = argv as [string, ...string[]];
    const { end, exitCode, output, truncated } = await command({
      argv: [program, ...rest],
      cwd: workspace.tree,
      timeoutMs,
      signal,
    });
    if (end === "refused") throw new Error(`"${argv.join(" ")}" did not run: ${output}; do without it`);
    return { end, exitCode, output, truncated };
  });
}

/** Whole words only: git takes any beginning of an option for the option, so what is not named here is not harmless. */
const gitOption =
  /^(--|-\d+|-[npsuwz]|-n\d+|--(oneline|stat|numstat|shortstat|patch|no-patch|name-only|name-status|graph|decorate|all|follow|reverse|merges|no-merges|short|branch|no-color)|--porcelain(=v[12])?|--(max-count|since|until|after|before|author|grep|format|pretty|date)=.*)$/s;

/** By program, the sub-commands or arguments that only look, or that run the project's own checks. */
const harmless: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  ls: (args) => args.every((argument) => /^-[a-zA-Z0-9]+$/.test(argument) || isInside(argument)),
  git: ([sub = "", ...args]) =>
    ["status", "log", "show", "blame"].includes(sub) &&
    args.every((argument) => gitOption.test(argument) || isInside(argument)),
  npm: ([sub = "", ...args]) => (sub === "test" || sub === "t") && args.length === 0,
  node: ([first, ...args]) => first === "--test" && args.every(isInside),
};

export function isHarmless([program = "", ...args]: readonly string[]): boolean {
  return Object.hasOwn(harmless, program) && harmless[program]!(args);
}

function isInside(path: string): boolean {
  return !/^[-/~]/.test(path) && !path.split("/").includes("..");
}

/** A link in the tree may lead out of it: arguments that name something are looked at after resolving links. */
async function staysInside(tree: string, argv: readonly string[]): Promise<boolean> {
  const root = await realpath(tree);
  const places = await Promise.all(argv.slice(1).map((argument) => realpath(join(root, argument)).catch(() => root)));
  return places.every((place) => place === root || place.startsWith(root + sep));
}
