/**
 * Answers as JSON-RPC wants it the messages that the protocol's library would let pass, drop or report as our failure.
 *
 *   no JSON             -32700
 *   no message, batch   -32600; revisions before 2025-06-18 have batches, later ones do not
 *   initialize without what it must say  -32602
 *
 * Everything else is the library's business.
 */
import { defined } from "../../platform/defined.ts";
export type Refusal = {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
};
type Message = Readonly<Record<string, unknown>>;

const newestRevision = "2026-07-28";
const revisionsWithBatches = new Set(["2024-10-07", "2024-11-05", "2025-03-26"]);

/** `revision` is the one both sides speak; over HTTP none means 2025-03-26. */
export function refusalOf(body: unknown, revision: string | undefined): Refusal | undefined {
  if (Array.isArray(body)) return refusalOfBatch(body, revision ?? "2025-03-26");
  if (!isMessage(body))
    return refusal(body, -32600, 'This is not a message of the protocol; send {"jsonrpc": "2.0", "method", …}');
  // The newest revision has no such method, which the library says.
  if (body["method"] !== "initialize" || revision === newestRevision) return undefined;
  const { protocolVersion } = (body["params"] ?? {}) as { readonly protocolVersion?: unknown };
  if (typeof protocolVersion === "string") return undefined;
  return refusal(body, -32602, "initialize needs params.protocolVersion: the newest revision that the client speaks");
}

/** For text that is no JSON. `data` is our own error's body, where there is one. */
export function parseError(message: string, data?: unknown): Refusal {
  return { jsonrpc: "2.0", id: null, error: { code: -32700, message, ...defined({ data }) } };
}

function refusalOfBatch(batch: readonly unknown[], revision: string): Refusal | undefined {
  if (!revisionsWithBatches.has(revision))
    return refusal(batch, -32600, `Revision ${revision} has no batches; send one message at a time`);
  if (batch.length === 0) return refusal(batch, -32600, "An empty batch has no request; send at least one message");
  const wrong = batch.find((member) => !isMessage(member));
  return wrong === undefined ? undefined : refusalOf(wrong, revision);
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { jsonrpc, method, id } = value as Message;
  if (jsonrpc !== "2.0" || (id !== undefined && !isId(id))) return false;
  return typeof method === "string" || (method === undefined && ("result" in value || "error" in value));
}

function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isInteger(id);
}

function refusal(body: unknown, code: number, message: string): Refusal {
  const { id } = (typeof body === "object" && body !== null ? body : {}) as { readonly id?: unknown };
  return { jsonrpc: "2.0", id: isId(id) ? id : null, error: { code, message } };
}
