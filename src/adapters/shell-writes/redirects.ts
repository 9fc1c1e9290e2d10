/** `>`, `>>`, `>|`, `&>`, `<>`, `>&file` write; heredocs and here-strings are input. */
import { posix } from "node:path";
import type { Redirection } from "unbash";
import { expandText, expandWord } from "./expand-word.ts";
import type { Field } from "./field.ts";
import type { Input } from "./program.ts";
import type { Scope } from "./scope.ts";
import type { Shell } from "./shell.ts";

/** The input that the redirects give, if they give any. */
export function readRedirects(
  redirects: readonly Redirection[],
  scope: Scope,
  { report, values }: Shell,
): Input | undefined {
  let input: Input | undefined;
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") input = { text: redirect.body.text };
    else if (redirect.target === undefined) continue;
    else if (redirect.type === "HereString") {
      const field = expandText(redirect.target, values);
      input = { text: field.unknown === undefined ? field.text : undefined, names: [field] };
    } else {
      const field = expandText(redirect.target, values);
      if (redirect.operator === "<") input = fromFile(field, scope);
      else if (redirect.operator !== "<&" && !isDescriptor(redirect.operator, field.text))
        // A variable of a loop stands for all its values.
        for (const one of expandWord(redirect.target, values)) report.write(one, "redirect", scope.cwd);
    }
  }
  return input;
}

function fromFile(field: Field, { cwd, read }: Scope): Input {
  if (field.unknown !== undefined || field.glob !== undefined || cwd === undefined) return {};
  return { text: read(posix.resolve(cwd, field.text)) };
}

/** `2>&1`, `>&-`, `>&3-` */
function isDescriptor(operator: string, text: string): boolean {
  return operator === ">&" && /^(?:\d+-?|-)$/.test(text);
}
