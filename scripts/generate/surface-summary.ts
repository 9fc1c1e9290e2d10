/** The golden surface: all of what callers can rely on, in one file, so that a change of it shows in review. */
import { errorTable, eventDefinitions } from "../../src/contract/index.ts";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { openApiDocument } from "../../src/surfaces/http/index.ts";
import { toolList } from "../../src/surfaces/mcp/index.ts";
import * as z from "zod";

export async function surfaceSummary(): Promise<string> {
  const commands = await Promise.all(
    commandTable.map(async ({ words, load }) => {
      const { arguments: args = [], flags = {} } = await load();
      return { command: words, arguments: args.map(({ name }) => name), flags: Object.keys(flags) };
    }),
  );
  const { info: _info, ...openapi } = openApiDocument();
  const events = eventDefinitions.map(({ type, version, data }) => ({ type, version, data: z.toJSONSchema(data) }));
  return `${JSON.stringify({ errors: errorTable, events, commands, tools: toolList, openapi }, undefined, 1)}\n`;
}
