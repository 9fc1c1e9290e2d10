/** The reference of operations. */
import * as z from "zod";
import { allOperations, type Operation } from "../../src/contract/index.ts";
import { commandTable } from "../../src/surfaces/cli/command-table.ts";
import { toolNameOf } from "../../src/surfaces/mcp/tool-names.ts";
import { page, table } from "./page.ts";

type Field = {
  type?: string;
  description?: string;
  enum?: string[];
  default?: unknown;
  items?: Field;
  minimum?: number;
  maximum?: number;
  anyOf?: Field[];
};

export async function operationPage(): Promise<string> {
  const intro =
    "One definition each; the same input, result and error over HTTP, MCP, the command line and `sylk/client`. " +
    "Times are Unix milliseconds; lists answer `{items, nextCursor?}`; unknown fields are refused.";
  const commands = await commandByOperation();
  return page(
    "Operations",
    intro,
    allOperations().map((operation) => describe(operation, commands.get(operation.name))),
  );
}

/** The words of the command that is an operation's own. */
async function commandByOperation(): Promise<ReadonlyMap<string | undefined, string>> {
  return new Map(
    await Promise.all(commandTable.map(async ({ words, written }) => [(await written()).operation, words] as const)),
  );
}

function describe(operation: Operation, command: string | undefined): string {
  const { properties = {}, required = [] } = z.toJSONSchema(operation.input, { io: "input" }) as {
    properties?: Record<string, Field>;
    required?: string[];
  };
  const rows = Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    typeOf(field),
    required.includes(name) ? "yes" : defaultOf(field),
    field.description ?? "",
  ]);
  const output = z.toJSONSchema(operation.output, { io: "output" }) as { properties?: Record<string, Field> };
  return [
    `## ${operation.name}`,
    `${operation.summary}.`,
    table(
      ["HTTP", "MCP tool", "command", "who"],
      [
        [
          `\`${operation.http}\``,
          `\`${toolNameOf(operation)}\`${operation.mcp?.listed ? " (listed)" : ""}`,
          command === undefined ? "none" : `\`sylk ${command}\``,
          operation.actor,
        ],
      ],
    ),
    rows.length === 0 ? "No input." : table(["field", "type", "required", "meaning"], rows),
    `Answer: ${Object.keys(output.properties ?? {})
      .map((name) => `\`${name}\``)
      .join(
        ", ",
      )}. Errors: ${operation.errors.map((code) => `\`${code}\``).join(", ") || "only those every call may get"}.`,
    `\`\`\`json\n${JSON.stringify(operation.example)}\n\`\`\``,
  ].join("\n\n");
}

function typeOf({ type, enum: choices, items, minimum, maximum }: Field): string {
  if (choices !== undefined) return choices.join(", ");
  if (type === "array") return `list of ${typeOf(items ?? {})}`;
  const bounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return bounded ? `${type} ${minimum ?? 0} to ${maximum}` : (type ?? "any");
}

function defaultOf({ default: value }: Field): string {
  return value === undefined ? "no" : `no, default \`${JSON.stringify(value)}\``;
}
