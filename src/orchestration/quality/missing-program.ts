/** The program that a shell did not find, as the shell names it; undefined if it names none. */
const namings: readonly RegExp[] = [
  /(?:command not found|not found): (?<name>\S+)\s*$/, // zsh, npm
  /: (?<name>[^\s:]+): (?:command )?not found\s*$/, // sh, bash
  /(?:execvp|env:) ['‘]?(?<name>[^\s:'’]+)['’]?: No such file or directory\s*$/, // bubblewrap, env
  /: (?<name>[^\s:]+): No such file or directory\s*$/, // make
];

/** Programs that start others, and how they say that there is none. They end with codes of their own, not with 127. */
const launchers: Readonly<Record<string, RegExp>> = {
  npx: /npx canceled due to missing packages[^[]*\["(?<name>@?[^"@]+)/,
  pnpm: /Command "(?<name>[^"]+)" not found/,
  yarn: /(?:Command "|Couldn't find a script named ")(?<name>[^"]+)"/,
  bun: /Script not found "(?<name>[^"]+)"/,
  uv: /Failed to spawn: `(?<name>[^`]+)`/,
  poetry: /Command not found: (?<name>\S+)/,
  pdm: /Command '?(?<name>[^\s']+)'? is not found/,
  cargo: /(?:no such (?:sub)?command: `|error: ')(?<name>[^`']+)(?:`|' is not installed for the toolchain)/,
  mix: /The task "(?<name>[^"]+)" could not be found/,
};

/** The program that a launcher of the project did not find; undefined if it ran. */
export function missingBehind([launcher]: readonly [string, ...string[]], output: string): string | undefined {
  const end = output.slice(-20_000);
  // make ends with 2 whatever its recipe ended with.
  if (launcher === "make") return /Error 127\s*$/m.test(end) ? missingProgram(end) : undefined;
  return launchers[launcher]?.exec(end)?.groups?.name;
}

export function missingProgram(output: string): string | undefined {
  const lines = output.split("\n").slice(-50).toReversed();
  for (const line of lines)
    for (const naming of namings) {
      const name = naming.exec(line.slice(-300))?.groups?.name;
      if (name !== undefined) return name;
    }
  return undefined;
}
