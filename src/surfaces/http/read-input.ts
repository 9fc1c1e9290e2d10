/** A request -> the operation's raw input: path fields, then query (read by the schema's types), then body. */
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { type DomainError, invalidInput, type Operation } from "../../contract/index.ts";

type Fields = Record<string, unknown>;

export function readInput(operation: Operation, request: FastifyRequest): Fields {
  const params = request.params as Fields;
  const given = operation.kind === "read" ? coerced(operation, request.query as Fields) : bodyFields(request.body);
  for (const field of Object.keys(params)) {
    if (Object.hasOwn(given, field)) throw invalid(field, "belongs in the path only");
  }
  return { ...given, ...params };
}

function bodyFields(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  if (typeof body !== "object" || Array.isArray(body)) throw invalid("", "the body must be a JSON object");
  return body as Fields;
}

type FieldSchema = { readonly type?: string };
const fieldTypes = new WeakMap<Operation, Readonly<Record<string, FieldSchema>>>();

function coerced(operation: Operation, query: Fields): Fields {
  let fields = fieldTypes.get(operation);
  if (fields === undefined) {
    fields = (z.toJSONSchema(operation.input, { io: "input" }).properties ?? {}) as Readonly<
      Record<string, FieldSchema>
    >;
    fieldTypes.set(operation, fields);
  }
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, fromText(value, fields[name]?.type)]));
}

/** What does not read as the wanted type stays text, so that validation names the field. */
function fromText(value: unknown, type: string | undefined): unknown {
  if (type === "array") return Array.isArray(value) ? value : [value];
  if (typeof value !== "string") return value;
  if ((type === "integer" || type === "number") && /^-?\d{1,16}(\.\d{1,16})?$/.test(value)) return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

function invalid(path: string, message: string): DomainError {
  return invalidInput(path, message, { sentence: path === "" ? message : `${path} ${message}` });
}
