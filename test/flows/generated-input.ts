/** The smallest input that a JSON schema takes: what must be there, and no more of it than needed. */
export type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
};

export function generatedInput({ type, enum: choices, ...schema }: Schema): unknown {
  if (choices !== undefined) return choices[0];
  if (type === "object")
    return Object.fromEntries((schema.required ?? []).map((name) => [name, generatedInput(schema.properties![name]!)]));
  if (type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => generatedInput(schema.items!));
  if (type === "integer" || type === "number") return Math.max(1, schema.minimum ?? 1);
  return type === "boolean" ? false : "x".repeat(schema.minLength ?? 1);
}
