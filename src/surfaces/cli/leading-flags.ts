/** `sylk -C dir who`: flags that every command has may come before its words, too. */
import { resolve } from "node:path";
import { invalidInput } from "../../contract/errors.ts";

type Typed = { readonly argv: readonly string[]; readonly cwd: string };

/** Folders add up as with git: each is meant from the one before. The others follow the words of the command. */
export function withoutLeadingFlags({ argv, cwd }: Typed, wordsIn: (argv: readonly string[]) => number): Typed {
  if (!(argv[0] ?? "").startsWith("-")) return { argv, cwd };
  const rest = [...argv];
  const moved: string[] = [];
  let folder = cwd;
  for (let flag = rest[0]; flag !== undefined; flag = rest[0]) {
    const [name, value] = splitFlag(flag);
    if (name === "--json") moved.push(rest.shift()!);
    else if (["-C", "--folder", "--project", "--as"].includes(name)) {
      rest.shift();
      const given = value ?? rest.shift();
      if (given === undefined) throw missingValue(name);
      if (name === "--as" || name === "--project") moved.push(name, given);
      else folder = resolve(folder, given);
    } else break;
  }
  const words = wordsIn(rest);
  return { argv: [...rest.slice(0, words), ...moved, ...rest.slice(words)], cwd: folder };
}

function splitFlag(flag: string): readonly [name: string, value: string | undefined] {
  if (flag.startsWith("-C") && flag.length > 2) return ["-C", flag.slice(2)];
  const at = flag.indexOf("=");
  return flag.startsWith("--") && at > 0 ? [flag.slice(0, at), flag.slice(at + 1)] : [flag, undefined];
}

function missingValue(flag: string) {
  const what = flag === "--as" ? "an agent" : "a folder";
  return invalidInput(flag, "needs a value", {
    sentence: `${flag} needs ${what} after it, for example: sylk ${flag} ${flag === "--as" ? "heron" : "../shop"} who`,
  });
}
