/** `>`, `>>`, `>|`, `&>`, `<>`, `>&file` write; heredocs and here-strings are input. */
import { posix } from "node:path";
import type { HereDoc, Redirection } from "unbash";
import { expandText, expandWord } from "./expand-word.ts";
import { type Field, plain } from "./field.ts";
import type { Input } from "./program.ts";
import { descriptorName } from "./report.ts";
import type { Scope } from "./scope.ts";
import type { Shell } from "./shell.ts";

/** The input that the redirects give, if they give any. */
export function readRedirects(redirects: readonly Redirection[], scope: Scope, shell: Shell): Input | undefined {
  const { report, values } = shell;
  let input: Input | undefined;
  for (const redirect of redirects) {
    const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;
    const given = givenBy(redirect, scope, shell);
    if (redirect.type === "Redirect" && redirect.operator === "<" && redirect.target !== undefined)
      report.link(plain(descriptorName(descriptor ?? 0)), expandText(redirect.target, shell.quiet()), scope.cwd);
    if (given !== undefined) {
      if (descriptor === undefined || descriptor === 0) input = given;
      else for (const folder of ["/dev/fd", "/proc/self/fd"]) scope.files.set(`${folder}/${descriptor}`, given);
    } else if (redirect.type === "Redirect" && redirect.target !== undefined) {
      const { operator, target } = redirect;
      if (operator === "<&" || isDescriptor(operator, target.value)) continue;
      // A variable of a loop stands for all its values.
      for (const one of expandWord(target, values)) report.write(one, "redirect", scope.cwd);
    }
  }
  return input;
}

function givenBy(redirect: Redirection, scope: Scope, { values }: Shell): Input | undefined {
  if (redirect.type === "HereDoc") return { text: hereText(redirect, values) };
  if (redirect.target === undefined) return undefined;
  if (redirect.type === "Redirect")
    return redirect.operator === "<" ? fromFile(expandText(redirect.target, values), scope) : undefined;
  const field = expandText(redirect.target, values);
  const isKnown = field.unknown === undefined && field.glob === undefined;
  return { text: isKnown ? field.text : undefined, names: isKnown ? undefined : [field] };
}

/** With its variables where all are known, else as it is written; what it substitutes is walked. */
function hereText({ body, delimiter }: HereDoc, values: Shell["values"]): string {
  if (delimiter?.quoted === true || body.parts === undefined) return body.text;
  const { pos, end, text } = body;
  const quoted = { type: "DoubleQuoted", pos, end, text, parts: body.parts } as never;
  const {
    text: filled,
    unknown,
    glob,
  } = expandText({ type: "Word", text, value: text, pos, end, parts: [quoted] }, values);
  return unknown === undefined && glob === undefined ? filled : text;
}

/** The last plain file that standard output goes to, and whether it is continued. */
export function outputFile(
  redirects: readonly Redirection[],
  { cwd }: Scope,
  { values }: Shell,
): { readonly path: string; readonly isAppended: boolean } | undefined {
  for (const redirect of redirects.toReversed()) {
    if (redirect.type !== "Redirect" || redirect.target === undefined || redirect.operator.startsWith("<")) continue;
    const descriptor = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : 1;
    if (descriptor !== 1 || cwd === undefined) continue;
    // A name with `$$` in it is a glob; the same words name the same file again.
    const { text, unknown } = expandText(redirect.target, values);
    if (unknown !== undefined || isDescriptor(redirect.operator, text)) return undefined;
    return { path: posix.resolve(cwd, text), isAppended: redirect.operator.includes(">>") };
  }
  return undefined;
}

function fromFile(field: Field, { cwd, read, files }: Scope): Input {
  if (field.unknown !== undefined || field.glob !== undefined || cwd === undefined) return {};
  const path = posix.resolve(cwd, field.text);
  return files.get(path) ?? { text: read(path) };
}

/** `2>&1`, `>&-`, `>&3-` */
function isDescriptor(operator: string, text: string): boolean {
  return operator === ">&" && /^(?:\d+-?|-)$/.test(text);
}
