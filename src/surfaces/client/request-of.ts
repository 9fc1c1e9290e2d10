/** An operation and its input -> the request: path fields into the path, the rest into query or body. */
import type { Operation } from "../../contract/index.ts";
import type { WireRequest } from "../transport/index.ts";

export type RequestTerms = Pick<Operation, "method" | "path" | "kind">;

export function requestOf(
  operation: RequestTerms,
  input: Readonly<Record<string, unknown>>,
): Pick<WireRequest, "method" | "path" | "body"> {
  const rest = { ...input };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const value = encodeURIComponent(rest[field] as string);
    delete rest[field];
    return value;
  });
  if (operation.kind === "change") return { method: operation.method, path, body: JSON.stringify(rest) };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(rest)) {
    for (const entry of Array.isArray(value) ? value : [value])
      if (entry !== undefined) query.append(field, String(entry));
  }
  const text = query.toString();
  return { method: operation.method, path: text === "" ? path : `${path}?${text}` };
}
