/** Reads the message that all clients send: one JSON object on a hook's standard input, which names the session and its folder. */
import { DomainError, type HookHeaders, type HookSession } from "../../contract/index.ts";

export type Sent = Readonly<Record<string, unknown>>;

const longest: Readonly<Record<string, number>> = { cwd: 4096 };
const longestKey = 200;

export function readSent(body: Uint8Array): Sent {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(body));
  } catch (cause) {
    throw malformed("is not JSON", cause);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("is not a JSON object");
  return value as Sent;
}

export function textOf(sent: Sent, field: string): string {
  const value = sent[field];
  if (typeof value === "string" && value !== "" && value.length <= (longest[field] ?? longestKey)) return value;
  throw malformed(`has no usable ${field}`);
}

/** Of clients whose sub-agents send their parent's session beside their own id: the key of a sub-agent is made of both. */
export function sessionOf(sent: Sent, headers: HookHeaders, client: HookSession["client"]): HookSession {
  const own = textOf(sent, "session_id");
  const child = sent.agent_id;
  if (typeof child !== "string" || child === "") return { key: own, client, ...processOf(headers) };
  const key = `${own}/${child}`;
  if (key.length > longestKey) throw malformed(`names a sub-agent by more than ${longestKey} characters`);
  return { key, client, parent: own };
}

/** The client's process, as the launcher found it. */
export function processOf(headers: HookHeaders): { readonly pid?: number } {
  const pid = Number(headers["sylk-pid"]);
  return Number.isSafeInteger(pid) && pid > 0 ? { pid } : {};
}

export function malformed(what: string, cause?: unknown): DomainError {
  return new DomainError("input.malformed", `The client's message ${what}`, { details: { reason: what }, cause });
}
