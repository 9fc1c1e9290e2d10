/**
 * Tokens: random, prefixed so that a leaked one is recognised and redacted, stored as a hash.
 * The library for it is loaded on first use: commands that make no token do not pay for it.
 */
import type * as NodeCrypto from "node:crypto";

export function newToken(kind: "usr" | "agt"): string {
  return `sylk_${kind}_${crypto().randomBytes(32).toString("base64url")}`;
}

export function hashToken(token: string): string {
  return crypto().hash("sha256", token, "hex");
}

function crypto(): typeof NodeCrypto {
  return process.getBuiltinModule("node:crypto");
}
