/** Paths that a patch changes: unified diffs (`patch`, `git apply`) and Codex's `*** Update File:` form. */
import { patchTargets } from "../../patches/index.ts";
import { inFolder, plain, type Field } from "../field.ts";
import type { Doings, Patch, Program } from "../program.ts";
import { readOptions } from "../read-options.ts";

type Found = (path: Field) => void;

export function writePatched(text: string, strip: number, found: Found): void {
  for (const [, name = ""] of text.matchAll(/^(?:---|\+\+\+|rename (?:from|to)) ([^\t\n\r]+)/gm)) {
    if (name === "/dev/null") continue;
    const isRename = !/^[abciow12]\//.test(name) && strip === 1;
    const path = isRename ? name : name.split("/").slice(strip).join("/");
    if (path !== "") found(plain(path));
  }
}

/** A diff that git makes changes at most the files in which the tree is unlike one of its commits. */
export function askForPatch({ paths, commits }: Patch, ask: Doings["git"]): void {
  for (const commit of commits.length === 0 ? [plain("HEAD")] : commits)
    ask([plain("checkout"), commit, plain("--"), ...(paths.length === 0 ? [plain(":/")] : paths)]);
}

/** An argument, or a heredoc: `apply_patch <<'EOF'`. */
export const applyPatch: Program = ([argument], { input, write, doubt }) => {
  const text = argument === undefined ? input.text : argument.unknown === undefined ? argument.text : undefined;
  if (text === undefined) return doubt("apply_patch", "the patch is not known");
  for (const { path } of patchTargets(text)) write(plain(path), { why: "apply_patch" });
};

export const patch: Program = (args, { input, write, doubt, read, git, kept }) => {
  const { operands, has, value } = readOptions(args, {
    letters: "pidorBDFVYzg",
    words: ["strip", "input", "directory", "output", "reject-file"],
  });
  if (has("dry-run", "version", "help")) return;
  const [out, folder] = [value("o", "output"), value("d", "directory")];
  const here = (path: Field): void => write(folder === undefined ? path : inFolder(folder, path));
  if (out !== undefined) return here(out);
  if (operands[0] !== undefined) return here(operands[0]);
  const file = value("i", "input");
  const text = file === undefined ? input.text : read(file);
  const diff = file === undefined ? input.patch : kept(file)?.patch;
  if (text === undefined && diff !== undefined) return askForPatch(diff, git);
  if (text === undefined) return doubt("patch", "the patch is not known");
  writePatched(text, Number(value("p", "strip")?.text ?? 0), here);
};
