/**
 * An operation's input as a tool's JSON schema, without what costs tokens and does not help to choose or call: the daemon
 * checks every limit anyway and names the field it refuses.
 */
import * as z from "zod";
import { forUser, type Operation } from "../../contract/index.ts";

export type ToolSchema = { readonly type: "object"; readonly properties?: Readonly<Record<string, object>> };

export function toolSchema({ input }: Pick<Operation, "input">): ToolSchema {
  return trimmed(z.toJSONSchema(input, { io: "input" })) as ToolSchema;
}

const costlyKeywords = new Set([
  "$schema",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "propertyNames",
]);

/** Walks schemas only: a field that happens to be called "pattern" stays. */
function trimmed(schema: z.core.JSONSchema.BaseSchema): object {
  const kept = Object.entries(schema).filter(([keyword, value]) => !costlyKeywords.has(keyword) && !saysNothing(value));
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, trimmedPart(keyword, value)]));
}

function trimmedPart(keyword: string, value: unknown): unknown {
  if (keyword === "properties" || keyword === "$defs") {
    const fields = Object.entries(value as Record<string, z.core.JSONSchema.BaseSchema>);
    const forAgents = fields.filter(([, field]) => field[forUser] !== true);
    return Object.fromEntries(forAgents.map(([name, field]) => [name, trimmed(field)]));
  }
  if (keyword === "anyOf" || keyword === "oneOf" || keyword === "allOf") {
    return (value as z.core.JSONSchema.BaseSchema[]).map(trimmed);
  }
  const isSchema = keyword === "items" || keyword === "additionalProperties";
  return isSchema && typeof value === "object" ? trimmed(value as z.core.JSONSchema.BaseSchema) : value;
}

/** zod bounds every integer by what a double holds; empty lists and objects are what absence means anyway. */
function saysNothing(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER;
}
