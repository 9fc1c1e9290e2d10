/** Completion candidates for the words typed so far; the last one may be half a word. */
import { commandTable, findCommand } from "./command-table.ts";
import { commonFlags } from "./command.ts";

export async function complete(typed: readonly string[]): Promise<readonly string[]> {
  const words = typed[0] === "--" ? typed.slice(1) : typed;
  const current = words.at(-1) ?? "";
  const before = withoutFolder(words.slice(0, -1));
  if (before[0] === "help" && before.length < 3) return complete([...before.slice(1), current]);
  const found = findCommand(before);
  if (found !== undefined)
    return (await flagsOf(found.row.load, current, before.at(-1))).filter((candidate) => candidate.startsWith(current));
  const next = commandTable.filter(({ words: own }) => before.every((word, index) => own.split(" ")[index] === word));
  // What hooks and scripts type is offered only after its own first word.
  const listed = next.filter(({ group }) => group !== "Plumbing" || before.length > 0);
  const candidates = listed.map(({ words: own }) => own.split(" ")[before.length]).filter((word) => word !== undefined);
  if (before.length === 0) candidates.push("help");
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(current)).sort();
}

/** Without flags that came before the command. */
function withoutFolder(words: readonly string[]): readonly string[] {
  return ["-C", "--folder", "--project", "--as"].includes(words[0] ?? "") ? withoutFolder(words.slice(2)) : words;
}

async function flagsOf(
  load: (typeof commandTable)[number]["load"],
  current: string,
  previous: string | undefined,
): Promise<readonly string[]> {
  const { flags = {} } = await load();
  const all = { ...commonFlags, ...flags };
  const choices = previous?.startsWith("--") ? all[previous.slice(2)]?.choices : undefined;
  if (choices !== undefined) return choices;
  const shown = Object.entries(all).filter(([, { hidden }]) => hidden !== true);
  return current.startsWith("-") ? [...shown.map(([name]) => `--${name}`), "--help"].sort() : [];
}
