/**
 * Finds the write targets of a shell command before it runs. Looks at files only by `read`: scripts, lists and patches.
 *
 *   text -> grammar -> walk (folder, variables, functions) -> programs read their arguments -> targets, git commands, and what is unknown
 *
 * Nothing is guessed: a path that depends on the outside (a variable, a command's output) is reported as unknown, and so is
 * a program that is in no table. The caller lets it pass and looks afterwards. It never throws, and its time grows with the length of the text.
 */
import { createReport, type GitCommand, type KindOf, type Unknown, type WriteTarget } from "./report.ts";
import { openScope } from "./scope.ts";
import { walkText } from "./walk.ts";

export type { WriteTarget } from "./report.ts";
export type ShellWrites = {
  readonly targets: readonly WriteTarget[];
  readonly unknown: readonly Unknown[];
  readonly programs: readonly string[];
  readonly gitCommands: readonly GitCommand[];
};

const longestCommand = 200_000;

type Surroundings = {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Text of a small file: scripts that the command runs, and lists and patches that it reads. */
  readonly read?: (path: string) => string | undefined;
  /** The names in a small archive. */
  readonly packed?: (path: string) => readonly string[] | undefined;
  /** What a path is now: for conditions, and for commands that leave a file alone which is there. */
  readonly kindOf?: KindOf;
};

export function writeTargets(
  command: string,
  { cwd, env = {}, read = () => undefined, packed = () => undefined, kindOf = () => undefined }: Surroundings,
): ShellWrites {
  const report = createReport(kindOf);
  if (command.length > longestCommand) report.doubt("the command", `it is longer than ${longestCommand} characters`);
  else walkText(command, openScope(cwd, env, { read, packed, kindOf }), report);
  return {
    targets: report.targets(),
    unknown: report.unknown(),
    programs: report.programs(),
    gitCommands: report.gitCommands(),
  };
}
