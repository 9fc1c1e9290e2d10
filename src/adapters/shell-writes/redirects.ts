/** `>`, `>>`, `>|`, `&>`, `<>`, `>&file` write; heredocs and here-strings are input. */
import type { Redirection } from "unbash";
import { expandText } from "./expand-word.ts";
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
      if (redirect.operator === "<") input = {};
      else if (redirect.operator !== "<&" && !isDescriptor(redirect.operator, field.text))
        report.write(field, "redirect", scope.cwd);
    }
  }
  return input;
}

/** `2>&1`, `>&-`, `>&3-` */
function isDescriptor(operator: string, text: string): boolean {
  return operator === ">&" && /^(?:\d+-?|-)$/.test(text);
}
