/** One sentence for each command: its own, or its operation's. The list of commands reads them without loading a schema. */
import { allOperations } from "../../src/contract/index.ts";
import { commandTable, type CommandRow } from "../../src/surfaces/cli/command-table.ts";

export async function commandSummaries(): Promise<string> {
  const rows = await Promise.all(commandTable.map(async (row) => [row.words, await summaryOf(row)] as const));
  return `${JSON.stringify(Object.fromEntries(rows), undefined, 2)}\n`;
}

async function summaryOf({ words, written }: CommandRow): Promise<string> {
  const { summary, operation } = await written();
  const found = summary ?? allOperations().find(({ name }) => name === operation)?.summary;
  if (found === undefined) throw new TypeError(`"sylk ${words}" has neither a summary nor an operation`);
  return found;
}
