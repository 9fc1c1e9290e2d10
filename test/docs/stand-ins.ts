/**
 * What a page says against what a command printed: ids, times and places differ from run to run, nothing else may.
 *
 *   wrk_01m7gc4atgrpkvd1j6vwsb    any id of that kind; the same one wherever the page repeats it, in commands too
 *   287 s, 80969 MB, pid 14015    any number; a port, a date, a version and a commit likewise
 *   active now                    or some time ago
 *   /home/ada/.sylk, /home/ada    the scratch home; "ada" is whoever runs the suite
 *   …                             the rest of a word or line; alone on a line, any lines
 *   two or more spaces            any: the columns of a table are as wide as their content
 */
export type StandIns = {
  readonly home: string;
  readonly userHome: string;
  readonly user: string;
  /** Ids of the page and the real ones, as the commands of the page make them. */
  readonly ids: Map<string, string>;
};
type Terms = { readonly unordered: boolean; readonly names: readonly string[] };
type Pattern = { readonly source: string; readonly bound: readonly string[] };

const number = String.raw`[\d.,]+`;
const rules: readonly [RegExp, (found: string, standIns: StandIns) => string][] = [
  [/\/home\/ada\/\.sylk/, (_, { home }) => literal(home)],
  [/\/home\/ada/, (_, { userHome }) => literal(userHome)],
  [/\bada\b/, (_, { user }) => literal(user)],
  [/…/, () => ".*"],
  [/\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?/, () => String.raw`\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?`],
  [/\b\d\d:\d\d:\d\d\b/, () => String.raw`\d\d:\d\d:\d\d`],
  [/\b127\.0\.0\.1:\d+/, () => String.raw`127\.0\.0\.1:\d+`],
  [/\bpid \d+/, () => String.raw`pid \d+`],
  [/\b\d+\.\d+\.\d+\b/, () => String.raw`\d+\.\d+\.\d+`],
  [/\b1\d{12}\b/, () => String.raw`\d{13}`],
  [/\bactive now\b/, () => `active (?:now|${number} (?:s|min) ago)`],
  [/\b[\d.,]+ (?:ms|s|min|h|d|days?)\b/, () => `${number} (?:ms|s|min|h|d|days?)`],
  [/\b[\d.,]+ (?:bytes|[KMG]B)\b/, () => `${number} (?:bytes|[KMG]B)`],
  [/\b(?=[a-f]*\d)[\da-f]{7,40}\b/, () => String.raw`[\da-f]{7,40}`],
  [/ {2,}/, () => " +"],
];
const id = /\b[a-z]{3}_[\da-z]{22}\b/;

/** Why the output is not what the page says, or undefined. Ids seen for the first time are remembered. */
export function difference(
  expected: readonly string[],
  printed: string,
  { unordered, names }: Terms,
  standIns: StandIns,
): string | undefined {
  const left = printed.replace(/\n$/, "").split("\n");
  const rest = printed === "" ? [] : left;
  let skipping = unordered;
  for (const line of expected) {
    if (line.trim() === "…") {
      skipping = true;
      continue;
    }
    const index = skipping ? rest.findIndex((real) => accepts(line, real, names, standIns)) : 0;
    const real = rest[index];
    if (real === undefined) return `it never prints "${line}"; after what fits comes "${rest[0] ?? "nothing"}"`;
    if (!skipping && !accepts(line, real, names, standIns)) return `the page says "${line}", it prints "${real}"`;
    if (unordered) rest.splice(index, 1);
    else rest.splice(0, index + 1);
    skipping = unordered;
  }
  const ended = unordered || expected.at(-1)?.trim() === "…" || rest.length === 0;
  return ended ? undefined : `it also prints "${rest[0]}"`;
}

/** A command of the page with the ids that its earlier commands really made. */
export function withRealIds(command: string, { ids }: StandIns): string {
  return command.replaceAll(new RegExp(id, "g"), (named) => ids.get(named) ?? named);
}

function accepts(line: string, real: string, names: readonly string[], standIns: StandIns): boolean {
  const { source, bound } = patternOf(line.trimEnd(), names, standIns);
  const match = new RegExp(`^${source}$`).exec(real.trimEnd());
  match?.slice(1).forEach((found, index) => standIns.ids.set(bound[index]!, found));
  return match !== null;
}

function patternOf(line: string, names: readonly string[], standIns: StandIns): Pattern {
  const bound: string[] = [];
  const word = names.length === 0 ? [] : [new RegExp(String.raw`\b(?:${names.join("|")})\b`)];
  const any = new RegExp([id, ...word, ...rules.map(([rule]) => rule)].map(({ source }) => source).join("|"), "g");
  let source = "";
  let done = 0;
  for (const { 0: found, index } of line.matchAll(any)) {
    source += literal(line.slice(done, index)) + sourceFor(found, bound, names, standIns);
    done = index + found.length;
  }
  return { source: source + literal(line.slice(done)), bound };
}

function sourceFor(found: string, bound: string[], names: readonly string[], standIns: StandIns): string {
  if (names.includes(found)) return String.raw`\S+`;
  if (new RegExp(`^${id.source}$`).test(found)) {
    const known = standIns.ids.get(found);
    if (known !== undefined) return literal(known);
    const again = bound.indexOf(found);
    if (again >= 0) return `\\${again + 1}`;
    bound.push(found);
    return String.raw`(${found.slice(0, 4)}[\da-z]{22})`;
  }
  return rules.find(([rule]) => new RegExp(`^(?:${rule.source})$`).test(found))![1](found, standIns);
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
