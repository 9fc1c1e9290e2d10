import { invalidInput } from "../../../contract/errors.ts";
import type { WrittenCommand } from "../command.ts";

export const completion: WrittenCommand = {
  summary: "Print a completion script for bash, zsh or fish",
  example: "sylk completion bash > ~/.local/share/bash-completion/completions/sylk",
  arguments: [{ name: "shell", describe: "bash, zsh or fish", required: true }],
  async run({ args: [shell], out, json }) {
    const script = typeof shell === "string" ? scripts[shell] : undefined;
    if (script === undefined)
      throw invalidInput("shell", "must be bash, zsh or fish", {
        sentence: `There is no completion for "${String(shell)}"; choose bash, zsh or fish`,
      });
    if (json) out.json({ shell, script });
    else out.line(script);
  },
};

const scripts: Readonly<Record<string, string>> = {
  bash: `_sylk() {
  local IFS=$'\\n'
  COMPREPLY=($(sylk __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _sylk sylk`,
  zsh: `#compdef sylk
_sylk() {
  local -a candidates
  candidates=("\${(@f)$(sylk __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [ -n "\${candidates[1]}" ]; then compadd -- $candidates; else _files; fi
}
compdef _sylk sylk`,
  fish: `complete -c sylk -f -a '(sylk __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};
