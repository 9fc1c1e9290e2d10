/**
 * Browsers that may see the page: each came by a one-time link.
 *
 *   makeLink -> code (one minute, one use) -> signIn -> cookie value (12 hours) -> find, on every request
 *
 * Both secrets are 256 random bits and kept as hashes, in memory only: a restart of the daemon signs every browser out.
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../platform/clock/index.ts";
import { hashToken } from "../../platform/tokens.ts";

export type BrowserSession = {
  /** What the page sends with a change, to show that it is our page and not another one in the same browser. */
  readonly csrf: string;
  readonly expiresAt: number;
};
export type BrowserSessions = {
  makeLink(): { readonly code: string; readonly expiresAt: number };
  /** The secret for the cookie; undefined for a code that is wrong, used or too old. */
  signIn(code: string): string | undefined;
  find(secret: string): BrowserSession | undefined;
};

const linkMs = 60_000;
export const sessionMs = 12 * 3_600_000;
/** Far above what a person opens; the oldest goes first. */
const mostKept = 64;

export function createBrowserSessions(clock: Clock): BrowserSessions {
  const links = expiring<true>(clock, linkMs);
  const sessions = expiring<BrowserSession>(clock, sessionMs);
  return {
    makeLink() {
      const code = newSecret();
      links.add(hashToken(code), true);
      return { code, expiresAt: clock.now() + linkMs };
    },
    signIn(code) {
      if (links.take(hashToken(code)) === undefined) return undefined;
      const secret = newSecret();
      sessions.add(hashToken(secret), { csrf: newSecret(), expiresAt: clock.now() + sessionMs });
      return secret;
    },
    find: (secret) => sessions.get(hashToken(secret)),
  };
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** A map whose entries end by the monotonic clock; a Map keeps order of insertion, so the first is the oldest. */
function expiring<Value>(clock: Clock, lifeMs: number) {
  const entries = new Map<string, { readonly value: Value; readonly deadline: number }>();
  const removeOld = (): void => {
    for (const [key, { deadline }] of entries)
      if (deadline <= clock.monotonic() || entries.size > mostKept) entries.delete(key);
  };
  const get = (key: string): Value | undefined => {
    removeOld();
    return entries.get(key)?.value;
  };
  return {
    add(key: string, value: Value) {
      entries.set(key, { value, deadline: clock.monotonic() + lifeMs });
      removeOld();
    },
    get,
    take(key: string): Value | undefined {
      const value = get(key);
      entries.delete(key);
      return value;
    },
  };
}
