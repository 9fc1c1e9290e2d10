/** What clients have in common: one JSON object on a hook's standard input, which names the session and its folder. */
import { DomainError, type HookHeaders } from "../../contract/index.ts";

export type Sent = Readonly<Record<string, unknown>>;

const longest: Readonly<Record<string, number>> = { cwd: 4096 };
const longestKey = 200;

export function readSent(body: Uint8Array): Sent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw malformed("is no JSON", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("is no JSON object");
  return value as Sent;
}

export function textOf(sent: Sent, field: string): string {
  const value = sent[field];
  if (typeof value === "string" && value !== "" && value.length <= (longest[field] ?? longestKey)) return value;
  throw malformed(`has no usable ${field}`);
}

/** The client's process, as the launcher found it. */
export function processOf(headers: HookHeaders): { readonly pid?: number } {
  const pid = Number(headers["sylk-pid"]);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid } : {};
}

export function malformed(what: string, cause?: unknown): DomainError {
  return new DomainError("input.malformed", `What the client sent ${what}`, { details: { reason: what }, cause });
}
