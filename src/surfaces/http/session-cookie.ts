/** The browser's cookie: unreadable to scripts, sent to us alone by pages of ours alone. */
import { sessionMs } from "./browser-sessions.ts";

const cookieName = "sylk_session";

export function sessionCookie(secret: string): string {
  return `${cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${sessionMs / 1000}`;
}

export function readSessionCookie(header: string | undefined): string | undefined {
  return new RegExp(`(?:^|;) *${cookieName}=([\\w-]{43})(?:;|$)`).exec(header ?? "")?.[1];
}
