/** The program that a shell did not find, as the shell names it; undefined if it names none. */
const namings: readonly RegExp[] = [
  /(?:command not found|not found): (?<name>\S+)\s*$/, // zsh, npm
  /: (?<name>[^\s:]+): (?:command )?not found\s*$/, // sh, bash
  /(?:execvp|env:) ['‘]?(?<name>[^\s:'’]+)['’]?: No such file or directory\s*$/, // bubblewrap, env
  /: (?<name>[^\s:]+): No such file or directory\s*$/,
];

export function missingProgram(output: string): string | undefined {
  const lines = output.split("\n").slice(-50).toReversed();
  for (const line of lines)
    for (const naming of namings) {
      const name = naming.exec(line.slice(-300))?.groups?.name;
      if (name !== undefined) return name;
    }
  return undefined;
}
