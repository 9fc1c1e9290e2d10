/**
 * The default tool list, computed once: the operations every agent needs, and `sylk_more` for the rest.
 *
 * Output schemas stay out: the protocol allows structured results without them, and they would cost more than the rest
 * of the list together.
 */
import type { Tool } from "@modelcontextprotocol/server";
import { allOperations } from "../../contract/index.ts";
import { moreTool } from "./more-tool.ts";
import { toolNameOf, type NamedOperation } from "./tool-names.ts";
import { toolSchema } from "./tool-schema.ts";

export const toolList: readonly Tool[] = [
  ...allOperations()
    .filter(({ mcp }) => mcp?.listed === true)
    .map(toolOf),
  moreTool,
];

/** For an address that carries the identity of no agent: each call names its agent. */
export const toolListWithHandles: readonly Tool[] = toolList.map((tool) => ({
  ...tool,
  inputSchema: {
    ...tool.inputSchema,
    properties: { as: { type: "string", description: "Your handle" }, ...tool.inputSchema.properties },
  },
}));

function toolOf(operation: NamedOperation): Tool {
  return {
    name: toolNameOf(operation),
    description: operation.summary,
    inputSchema: toolSchema(operation) as Tool["inputSchema"],
    ...(operation.kind === "read" ? { annotations: { readOnlyHint: true } } : {}),
  };
}
