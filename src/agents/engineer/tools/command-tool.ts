/**
 * Commands for the model: argv without a shell. A short list of harmless ones runs at once; everything else is asked of a
 * person, and runs only when approved.
 */
import * as z from "zod";
import type { ModelTool } from "../../../orchestration/models/index.ts";
import type { RunContext } from "../../../orchestration/runs/index.ts";

type Ports = Pick<RunContext, "workspace" | "command"> & {
  /** Resolves to a person's decision about exactly this command. */
  readonly approve: (argv: readonly string[], signal: AbortSignal) => Promise<boolean>;
};

const CommandInput = z.object({
  argv: z.array(z.string().max(2000)).min(1).max(50).describe("Program and arguments; no shell"),
});
const timeoutMs = 5 * 60_000;

export function commandTool({ workspace, command, approve }: Ports): ModelTool {
  return {
    name: "run_command",
    description: "Run a program in the repository, without a shell",
    input: CommandInput,
    async run(input, { signal }) {
      const { argv } = CommandInput.parse(input);
      if (!isHarmless(argv) && !(await approve(argv, signal)))
        throw new Error(`"${argv.join(" ")}" was not approved; do without it`);
      const [program, ...rest] = argv as [string, ...string[]];
      const { end, exitCode, output, truncated } = await command({
        argv: [program, ...rest],
        cwd: workspace.tree,
        timeoutMs,
        signal,
      });
      return { end, exitCode, output, truncated };
    },
  };
}

/** By program, the sub-commands or arguments that only look, or that run the project's own checks. */
const harmless: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  ls: (args) => args.every((argument) => argument.startsWith("-") || isInside(argument)),
  git: ([sub = "", ...args]) =>
    ["status", "log", "show", "blame"].includes(sub) &&
    !args.some((argument) => /^(--output|-o|--ext-diff|--textconv|-c|--exec|--no-index)/.test(argument)),
  npm: ([sub = "", ...args]) => (sub === "test" || sub === "t") && args.length === 0,
  node: ([first, ...args]) =>
    first === "--test" && args.every((argument) => !argument.startsWith("-") && isInside(argument)),
};

export function isHarmless([program = "", ...args]: readonly string[]): boolean {
  return Object.hasOwn(harmless, program) && harmless[program]!(args);
}

function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.startsWith("~") && !path.split("/").includes("..");
}
