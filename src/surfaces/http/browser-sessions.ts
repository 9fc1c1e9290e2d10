/**
 * Browsers that may see the page: each came by a one-time link.
 *
 *   makeLink -> code (one minute, one use) -> signIn -> cookie value (12 hours) -> find, on every request
 *
 * Both secrets are 256 random bits and kept as hashes. Sign-ins outlive a restart of the daemon, links do not. The header
 * that a page sends with a change follows from the cookie's secret, so that it need not be kept.
 */
import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../platform/clock/index.ts";
import type { BrowsersFile } from "../../platform/home/index.ts";
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

export function createBrowserSessions(clock: Clock, file: BrowsersFile): BrowserSessions {
  const links = expiring<true>(clock);
  const sessions = expiring<{ readonly expiresAt: number }>(clock);
  for (const { hash, expiresAt } of file.read()) {
    // By the wall clock, the only one that outlives a process; never longer than a fresh sign-in.
    const leftMs = Math.min(sessionMs, expiresAt - clock.now());
    if (leftMs > 0) sessions.add(hash, { expiresAt: clock.now() + leftMs }, leftMs);
  }
  return {
    makeLink() {
      const code = newSecret();
      links.add(hashToken(code), true, linkMs);
      return { code, expiresAt: clock.now() + linkMs };
    },
    signIn(code) {
      if (links.take(hashToken(code)) === undefined) return undefined;
      const secret = newSecret();
      sessions.add(hashToken(secret), { expiresAt: clock.now() + sessionMs }, sessionMs);
      file.write([...sessions.entries()].map(([hash, { expiresAt }]) => ({ hash, expiresAt })));
      return secret;
    },
    find(secret) {
      const session = sessions.get(hashToken(secret));
      return session === undefined ? undefined : { ...session, csrf: csrfOf(secret) };
    },
  };
}

function csrfOf(secret: string): string {
  return createHmac("sha256", secret).update("csrf").digest("base64url");
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** A map whose entries end by the monotonic clock; a Map keeps order of insertion, so the first is the oldest. */
function expiring<Value>(clock: Clock) {
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
    add(key: string, value: Value, lifeMs: number) {
      entries.set(key, { value, deadline: clock.monotonic() + lifeMs });
      removeOld();
    },
    get,
    entries: (): readonly (readonly [string, Value])[] => {
      removeOld();
      return [...entries].map(([key, { value }]) => [key, value]);
    },
    take(key: string): Value | undefined {
      const value = get(key);
      entries.delete(key);
      return value;
    },
  };
}
