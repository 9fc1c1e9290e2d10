/** Tokens: random, prefixed so that a leaked one is recognised and redacted, stored as a hash. */
import { createHash, randomBytes } from "node:crypto";

export function newToken(kind: "usr" | "agt"): string {
  return `sylk_${kind}_${randomBytes(32).toString("base64url")}`;
}

export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
