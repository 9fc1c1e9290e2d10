/**
 * One tool call: name and arguments -> operation -> result.
 *
 *   answer   structuredContent and the same as JSON text, other agents' words fenced
 *   refusal  isError, with the body HTTP would have sent: the model reads it and acts on it
 *   librarian_find_symbol  the tool of a role's skill: the operation skill.call
 *   no such tool  an error of the protocol, which is what clients expect there
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
} from "@modelcontextprotocol/server";
import {
  type CallSessionField,
  DomainError,
  operations,
  toErrorBody,
  type OperationName,
} from "../../contract/index.ts";
import { readCallTerms, readHandle, type CallTerms } from "./call-terms.ts";
import { fenceUntrusted } from "./fence-untrusted.ts";
import { findMore, moreToolName, readMoreRequest } from "./more-tool.ts";
import { nearToolNames } from "./search-operations.ts";
import { operationOfTool, type NamedOperation, roleOfTool } from "./tool-names.ts";

/** Runs an operation for the sender of this call. */
export type RunOperation = (name: OperationName, input: unknown, terms: CallTerms) => Promise<object>;
/** Records a defect and says where it can be looked up. */
export type OnDefect = (error: unknown, where: string) => string;
export type ToolPorts = {
  readonly run: RunOperation;
  readonly onDefect: OnDefect;
  readonly callSessionFields: readonly CallSessionField[];
};

export async function callTool(
  { name, arguments: given = {}, _meta }: CallToolRequest["params"],
  { run, onDefect, callSessionFields }: ToolPorts,
): Promise<CallToolResult> {
  const operation = operationOfTool(name);
  const role = operation === undefined ? roleOfTool(name) : undefined;
  if (operation === undefined && role === undefined && name !== moreToolName) throw unknownTool(name);
  try {
    const { input, ...identity } = readHandle(given);
    const terms = { ...readCallTerms(callSessionFields, _meta), ...identity };
    if (operation !== undefined) return resultOf(await runOperation(operation, input, terms, run));
    if (role === undefined) return resultOf(await runMore(input, terms, run));
    return resultOf(await runOperation(operations["skill.call"], { name, role, input }, terms, run));
  } catch (error) {
    if (role !== undefined && error instanceof DomainError && error.code === "skill.not-found") throw unknownTool(name);
    const refusal = error instanceof DomainError ? error : defect(error, name, onDefect);
    return { ...resultOf(toErrorBody(refusal)), isError: true };
  }
}

async function runMore(raw: unknown, terms: CallTerms, run: RunOperation): Promise<object> {
  const request = readMoreRequest(raw);
  if (request.kind === "find") return findMore(request.query);
  const { input, ...identity } = readHandle(request.input);
  return runOperation(request.operation, input, { ...terms, ...identity }, run);
}

/** A key means something for changes only, as over HTTP. */
async function runOperation(
  { name, kind, mcp }: NamedOperation,
  input: unknown,
  terms: CallTerms,
  run: RunOperation,
): Promise<object> {
  const { idempotencyKey: _unused, ...readTerms } = terms;
  const answer = await run(name, input, kind === "change" ? terms : readTerms);
  const shown = mcp?.hidden === undefined ? answer : without(answer, mcp.hidden);
  return mcp?.untrusted === undefined ? shown : fenceUntrusted(shown, mcp.untrusted);
}

function without(answer: object, hidden: readonly string[]): object {
  return Object.fromEntries(Object.entries(answer).filter(([field]) => !hidden.includes(field)));
}

function resultOf(facts: object): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(facts) }], structuredContent: { ...facts } };
}

function unknownTool(name: string): ProtocolError {
  const near = nearToolNames(name);
  const wayOut = near.length > 0 ? `near: ${near.join(", ")}` : `${moreToolName} finds the others`;
  const error = new DomainError("operation.unknown", `There is no tool "${name}"; ${wayOut}`, { details: { near } });
  return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, toErrorBody(error));
}

function defect(cause: unknown, tool: string, onDefect: OnDefect): DomainError {
  const reference = onDefect(cause, `MCP tool ${tool}`);
  return new DomainError("internal", `A defect in Sylk stopped ${tool}; its log has the details under ${reference}`, {
    details: { reference },
    cause,
  });
}
