/**
 * Tokens: random, prefixed so that a leaked one is recognised and redacted, stored as a hash.
 * The library for it is loaded on first use: commands that make no token do not pay for it.
 */
import type * as NodeCrypto from "node:crypto";

export function newToken(kind: "usr" | "agt"): string {
  return `sylk_${kind}_${crypto().randomBytes(32).toString("base64url")}`;
}

/**
 * The key in the address of MCP over HTTP, for clients that can set no header. It follows from the user's token, so that
 * it outlives restarts and ends with that token; the token does not follow from it.
 */
export function mcpKeyOf(userToken: string): string {
  return `${mcpKeyPrefix}${crypto().hash("sha256", `mcp ${userToken}`, "base64url")}`;
}

export const mcpKeyPrefix = "sylk_mcp_";

/** A handle names an agent by one of its tokens. It is the beginning of the kept hash, so it is not a credential. */
export function handleOf(token: string): string {
  return `${handlePrefix}${hashToken(token).slice(0, handleDigits)}`;
}

/** Undefined: the text is not a handle. */
export function hashStartOf(handle: string): string | undefined {
  const start = handle.slice(handlePrefix.length);
  return handle.startsWith(handlePrefix) && /^[0-9a-f]+$/.test(start) && start.length === handleDigits
    ? start
    : undefined;
}

const handlePrefix = "hdl_";
const handleDigits = 24;

export function hashToken(token: string): string {
  return crypto().hash("sha256", token, "hex");
}

function crypto(): typeof NodeCrypto {
  return process.getBuiltinModule("node:crypto");
}
