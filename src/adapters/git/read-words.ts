/** The words behind a git subcommand: its options, its operands, and what follows `--`. */
export type Words = {
  /** All options as they were given. */
  readonly given: readonly string[];
  readonly operands: readonly string[];
  /** Undefined where there is no `--`. */
  readonly behind: readonly string[] | undefined;
  /** By letter, or by any beginning of the long name, as git takes it. */
  readonly has: (...names: readonly string[]) => boolean;
  readonly value: (name: string) => string | undefined;
};

export function readWords(args: readonly string[], valued: readonly string[] = []): Words {
  const at = args.indexOf("--");
  const words = at === -1 ? args : args.slice(0, at);
  const given: string[] = [];
  const operands: string[] = [];
  const named: { readonly name: string; readonly value?: string | undefined }[] = [];
  for (let next = 0; next < words.length; next++) {
    const word = words[next]!;
    if (!word.startsWith("-") || word === "-") {
      operands.push(word);
      continue;
    }
    given.push(word);
    const [name, value] = word.startsWith("--") ? splitLong(word) : [word.slice(-1), undefined];
    const takesNext = value === undefined && valued.includes(name);
    if (!word.startsWith("--")) for (const letter of word.slice(1, -1)) named.push({ name: letter });
    if (takesNext && words[next + 1] !== undefined) given.push(words[next + 1]!);
    named.push({ name, value: takesNext ? words[++next] : value });
  }
  return {
    given,
    operands,
    behind: at === -1 ? undefined : args.slice(at + 1),
    has: (...names) => named.some((one) => names.some((name) => isMeant(one.name, name))),
    value: (name) => named.findLast((one) => isMeant(one.name, name))?.value,
  };
}

function splitLong(word: string): readonly [string, string | undefined] {
  const equals = word.indexOf("=");
  return equals === -1 ? [word.slice(2), undefined] : [word.slice(2, equals), word.slice(equals + 1)];
}

function isMeant(given: string, name: string): boolean {
  return given === name || (given.length > 1 && name.length > given.length && name.startsWith(given));
}
