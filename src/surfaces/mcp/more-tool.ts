/**
 * `sylk_more`: the door to the operations that are not in the default list.
 *
 *   {query} -> matching operations with their input schemas      {} -> all of them, names and summaries
 *   {call, input} -> runs that operation, listed or not, and answers as its own tool would
 */
import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import { allOperations, DomainError, isOperationName, operations, parseInput } from "../../contract/index.ts";
import { nearToolNames, searchOperations } from "./search-operations.ts";
import { operationOfTool, toolNameOf, type NamedOperation } from "./tool-names.ts";
import { toolSchema } from "./tool-schema.ts";

export const moreToolName = "sylk_more";
const mostMatches = 8;

const MoreInput = z.strictObject({
  query: z.string().optional().describe("Words; empty lists all"),
  call: z.string().optional().describe("Operation to run"),
  input: z.record(z.string(), z.unknown()).optional().describe("Its input"),
});

export const moreTool: Tool = {
  name: moreToolName,
  description: "Find more operations by query, or run one by call and input",
  inputSchema: toolSchema({ input: MoreInput }) as Tool["inputSchema"],
};

export type MoreRequest =
  | { readonly kind: "find"; readonly query: string }
  | {
      readonly kind: "call";
      readonly operation: NamedOperation;
      readonly input: Readonly<Record<string, unknown>>;
    };

export function readMoreRequest(raw: unknown): MoreRequest {
  const { query, call, input } = parseInput({ name: moreToolName, input: MoreInput }, raw);
  if (call === undefined) {
    if (input !== undefined) throw invalid([{ path: "input", message: "needs call: the operation it is for" }]);
    return { kind: "find", query: query ?? "" };
  }
  if (query !== undefined)
    throw invalid([{ path: "query", message: "cannot be sent with call; find first, then call" }]);
  return { kind: "call", operation: operationCalled(call), input: input ?? {} };
}

export function findMore(query: string): object {
  const rest = allOperations().filter(({ mcp }) => mcp?.listed !== true);
  if (query.trim() === "") return { operations: rest.map(briefly) };
  const found = searchOperations(query, rest);
  if (found.length === 0) return { operations: [], hint: `Nothing matches "${query}"; an empty query lists all` };
  const shown = found
    .slice(0, mostMatches)
    .map((operation) => ({ ...briefly(operation), input: toolSchema(operation) }));
  return {
    operations: shown,
    ...(found.length > mostMatches ? { further: found.slice(mostMatches).map(toolNameOf) } : {}),
  };
}

function briefly(operation: NamedOperation) {
  return { name: toolNameOf(operation), summary: operation.summary };
}

/** Both of an operation's names will do: the tool's, and the one in the reference. */
function operationCalled(name: string): NamedOperation {
  const operation = operationOfTool(name) ?? (isOperationName(name) ? operations[name] : undefined);
  if (operation !== undefined) return operation;
  const near = nearToolNames(name);
  throw new DomainError(
    "operation.unknown",
    `There is no operation "${name}"; find it with ${moreToolName} and a query`,
    {
      details: { near },
    },
  );
}

type Problem = { readonly path: string; readonly message: string };

function invalid(problems: readonly Problem[]): DomainError {
  const said = problems.map(({ path, message }) => (path === "" ? message : `${path} ${message}`));
  return new DomainError("input.invalid", `${moreToolName}: ${said.join("; ")}`, { details: { problems } });
}
