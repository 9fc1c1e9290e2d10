/** OpenAPI 3.1 from the registry: draft 2020-12 JSON schema is its dialect, so zod's output is used as it is. */
import * as z from "zod";
import {
  allOperations,
  ErrorBodySchema,
  errorTable,
  type ErrorCode,
  errorFamilies,
  type Operation,
} from "../../contract/index.ts";
import { version } from "../../platform/version.ts";

type Json = Record<string, unknown>;

export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const operation of allOperations())
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  return {
    openapi: "3.1.0",
    info: { title: "Sylk", version, description: "Local-first control plane for coding agents" },
    servers: [{ url: "http://127.0.0.1:7373" }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { Error: schemaOf(ErrorBodySchema, "output") },
    },
  };
}

function describe(operation: Operation): Json {
  const {
    properties = {},
    required = [],
    ...input
  } = schemaOf(operation.input, "input") as { properties?: Record<string, Json>; required?: string[] };
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const rest = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const query = rest.map(([name, schema]) => ({ name, in: "query", required: required.includes(name), schema }));
  const parameters = [
    ...inPath.map((name) => ({ name, in: "path", required: true, schema: properties[name] })),
    ...(operation.kind === "read" ? query : [idempotencyKey]),
  ];
  const body = {
    ...input,
    properties: Object.fromEntries(rest),
    required: required.filter((name) => !inPath.includes(name)),
  };
  return {
    operationId: operation.name,
    summary: operation.summary,
    parameters,
    ...(operation.kind === "change"
      ? { requestBody: { required: body.required.length > 0, content: { "application/json": { schema: body } } } }
      : {}),
    responses: {
      "200": { description: "Done", content: { "application/json": { schema: schemaOf(operation.output, "output") } } },
      ...errorResponses(operation),
    },
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 200 },
};

/** What any request may be answered, before its operation is asked. */
const always: readonly ErrorCode[] = [
  "input.invalid",
  "input.malformed",
  "input.headers-too-large",
  "token.missing",
  "token.unknown",
  "host.denied",
  "store.unavailable",
  "daemon.busy",
  // By the headers that name a project or an agent.
  "project.not-found",
  "agent.not-found",
  "agent.ended",
  "caller.denied",
];
const toAnyChange: readonly ErrorCode[] = ["input.too-large", "input.unsupported-type", "idempotency.mismatch"];

function errorResponses({ errors, kind }: Operation): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...errors, ...always, ...(kind === "change" ? toAnyChange : [])])) {
    const row: { family: keyof typeof errorFamilies; http?: number } = errorTable[code];
    const status = row.http ?? errorFamilies[row.family].http;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    entries.map(([status, names]) => [
      String(status),
      {
        description: names.join(", "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
