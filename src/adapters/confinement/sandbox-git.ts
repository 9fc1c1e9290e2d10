/**
 * Git inside the sandbox: metadata is read-only, so that status, diff and log work, and configuration is a copy without
 * what may hold a credential (addresses of remotes, headers, helpers).
 *
 *   <tree>/.git "gitdir: <repository>/.git/worktrees/run-1" -> <repository>/.git -> its config, and the user's own
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type GitPlaces = {
  /** The repository's own git folder, which the tree's link names. */
  readonly folder: string;
  /** Copies and the places that they cover. */
  readonly masked: readonly (readonly [copy: string, place: string])[];
  /** Clones of submodules, whose configuration names remotes, too. */
  readonly hidden: readonly string[];
  /** What the command has for the user's own configuration. */
  readonly userConfig: string;
};

const harmless = new Set(
  "alias branch color column core diff extensions feature filter index init log merge pack pull safe status user".split(
    " ",
  ),
);

export function gitPlaces(
  { tree, copies }: { readonly tree: string; readonly copies: string },
  homes: readonly string[],
): GitPlaces {
  const folder = gitFolderOf(tree);
  const userConfig = join(copies, "user.gitconfig");
  const own = homes.flatMap((home) => [join(home, ".config", "git", "config"), join(home, ".gitconfig")]);
  put(userConfig, own.map((file) => harmlessConfig(textOf(file))).join(""));
  const config = folder === "" ? "" : join(folder, "config");
  const masked: readonly (readonly [string, string])[] = [[userConfig, userConfig]];
  if (!existsSync(config)) return { folder, masked, hidden: [], userConfig };
  const copy = join(copies, "repository.gitconfig");
  put(copy, harmlessConfig(textOf(config)));
  return { folder, masked: [...masked, [copy, config]], hidden: [join(folder, "modules")], userConfig };
}

/** Another command may be reading it: it is replaced as a whole, and only where it changed. */
function put(file: string, text: string): void {
  if (existsSync(file) && textOf(file) === text) return;
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, text, { mode: 0o600 });
  renameSync(fresh, file);
}

/** The sections that git needs to look at a tree. Unknown ones are left out, with their values. */
export function harmlessConfig(text: string): string {
  let isKept = false;
  return text
    .split("\n")
    .filter((line) => {
      const [, section] = /^\s*\[\s*([A-Za-z0-9.-]+)/.exec(line) ?? [];
      if (section !== undefined) isKept = harmless.has(section.toLowerCase().split(".")[0]!);
      return isKept && line !== "";
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** Empty where the tree is not one of git. */
function gitFolderOf(tree: string): string {
  const own = join(tree, ".git");
  const [, linked] = /^gitdir: (.+)$/m.exec(textOf(own)) ?? [];
  if (linked !== undefined) return dirname(dirname(linked));
  return existsSync(join(own, "config")) ? own : "";
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // there is none
  }
}
