/** What changes a repository beside its files: settings, and names of commits. Later commands of the line mean other things then. */
import { type Field, mapped } from "../field.ts";
import type { Doings } from "../program.ts";
import { readOptions } from "../read-options.ts";

/** Commands that leave the tree alone, but not the commits that later ones mean. A commit's files are asked for by the guard. */
export function movesNames(name: string, args: readonly Field[]): boolean {
  if (["fetch", "fetch-pack", "update-ref", "update-index", "replace", "mktree"].includes(name)) return true;
  const { operands, has } = readOptions(args, { letters: "umtsF", words: ["set-upstream-to", "format", "sort"] });
  if (name === "remote") return ["update", "add", "set-url"].includes(operands[0]?.text ?? "");
  if (name === "symbolic-ref") return operands.length > 1;
  if (name === "branch")
    return has("f", "force", "M", "C", "m", "c", "move", "copy", "u", "set-upstream-to") || operands.length > 1;
  return name === "tag" && has("f", "force", "d", "delete");
}

/** `git -c diff.external='…' diff`: settings whose value is a program. */
export function startConfigured(settings: readonly Field[], { shell, doubt }: Doings): void {
  for (const { text, unknown } of settings) {
    if (unknown !== undefined) doubt("git", `its setting ${unknown} is not known`);
    const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (
      /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass)|sequence\.editor|diff\.external|pager\..+|.+\.(?:textconv|cmd|clean|smudge|process|driver|helper|program|command))$/i.test(
        key,
      ) &&
      !/^(?:true|false|)$/.test(value)
    )
      shell(value.replace(/^!/, ""));
    if (/^(?:core\.hookspath|include\.path|includeif\..+|core\.worktree)$/i.test(key))
      doubt("git", `its setting ${key} is not looked into`);
  }
}

/** Settings by which a later command writes other files, or others into them. */
const treeSetting = /^(?:core|filter|merge|remote|branch|include|includeif|extensions|submodule|url)\./i;

/** `git config alias.x …` makes an alias for the commands behind it. */
export function config(args: readonly Field[], doings: Doings): void {
  const { aliases } = doings;
  const { operands, has } = readOptions(args, { letters: "f", words: ["file", "type", "default"] });
  const [key, value] = operands.slice(/^(?:set|unset)$/.test(operands[0]?.text ?? "") ? 1 : 0);
  const isSet = value !== undefined || has("unset", "unset-all") || operands[0]?.text === "unset";
  if (isSet && (key?.unknown !== undefined || treeSetting.test(key?.text ?? ""))) doings.changeRepository("git config");
  if (key !== undefined && value !== undefined)
    startConfigured([mapped(value, (text) => `${key.text}=${text}`)], doings);
  if (key?.text.startsWith("alias.") && value !== undefined && value.unknown === undefined)
    aliases.set(`git ${key.text.slice("alias.".length)}`, value.text);
}
