/** The operations as the served OpenAPI document tells of them: what each takes, and what it may answer. */
import type { OperationName } from "../../src/contract/index.ts";
import type { FuzzWorld, OpenApiOperation } from "./fuzz-world.ts";
import type { Schema } from "./valid-input.ts";

export type DocumentedOperation = {
  readonly name: OperationName;
  readonly method: string;
  readonly path: string;
  readonly schema: Schema;
  readonly statuses: ReadonlySet<number>;
};

export function operationsOf({ document }: Pick<FuzzWorld, "document">): readonly DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: described.operationId,
      method: method.toUpperCase(),
      path,
      schema: schemaOf(described),
      statuses: new Set(Object.keys(described.responses).map(Number)),
    })),
  );
}

/** Path, query and body fields together are an operation's input. */
function schemaOf({ parameters, requestBody }: OpenApiOperation): Schema {
  const body = (requestBody?.content["application/json"].schema ?? {}) as Schema;
  const fields = parameters.filter((parameter) => parameter.in !== "header");
  return {
    type: "object",
    properties: {
      ...body.properties,
      ...Object.fromEntries(fields.map(({ name, schema }) => [name, schema as Schema])),
    },
    required: [...(body.required ?? []), ...fields.filter(({ required }) => required).map(({ name }) => name)],
  };
}
