/** Completion candidates for the words typed so far; the last one may be half a word. */
import { commandTable, findCommand } from "./command-table.ts";
import { commonFlags } from "./command.ts";

export async function complete(typed: readonly string[]): Promise<readonly string[]> {
  const words = typed[0] === "--" ? typed.slice(1) : typed;
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const found = findCommand(before);
  if (found !== undefined)
    return (await flagsOf(found.row.load, current, before.at(-1))).filter((candidate) => candidate.startsWith(current));
  const next = commandTable
    .map((row) => row.words.split(" "))
    .filter((parts) => before.every((word, index) => parts[index] === word));
  const candidates = next.map((parts) => parts[before.length]).filter((word) => word !== undefined);
  return [...new Set(candidates)].filter((candidate) => candidate.startsWith(current)).sort();
}

async function flagsOf(
  load: (typeof commandTable)[number]["load"],
  current: string,
  previous: string | undefined,
): Promise<readonly string[]> {
  const { flags = {} } = await load();
  const all = { ...flags, ...commonFlags };
  const choices = previous?.startsWith("--") ? all[previous.slice(2)]?.choices : undefined;
  if (choices !== undefined) return choices;
  return current.startsWith("-") ? [...Object.keys(all).map((name) => `--${name}`), "--help"].sort() : [];
}
