/** Rules of functions that start another program: a text of the shell, or a list of arguments. */
import type { Rule } from "./reader.ts";
import { listOf } from "./value.ts";
import { isOptions } from "./write-rules.ts";

export const shell: Rule = ({ args, named }, { startShell, startProgram }) => {
  const [first, second] = args;
  const options = args.find((one) => one.named !== undefined && one.named.size > 0)?.named ?? named;
  const cwd = options.get("cwd") ?? options.get("chdir");
  const words = args.filter((one) => !isOptions(one));
  if (first?.items !== undefined) return startProgram(first, cwd);
  if (second?.items !== undefined && !isOptions(second)) return startProgram(listOf([first!, ...second.items]), cwd);
  const others = words.slice(1).filter((one) => one.isKnown && one.fields.length === 1);
  if (others.length > 0 && first?.fields[0] !== undefined && !/\s/.test(first.fields[0].text))
    return startProgram(listOf(words), cwd);
  startShell(first, cwd);
};
export const argvList: Rule = ({ args }, { startProgram }) =>
  startProgram(listOf([args[0]!, ...(args[1]?.items ?? args.slice(1))]));
