/** The browser's cookie: unreadable to scripts, sent to us alone by pages of ours alone. */
import { sessionMs } from "./browser-sessions.ts";

const cookieName = "sylk_session";

/** `isSecure`: a tunnel says that the browser came by HTTPS. */
export function sessionCookie(secret: string, { isSecure }: { readonly isSecure: boolean }): string {
  const secure = isSecure ? "; Secure" : "";
  return `${cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${sessionMs / 1000}${secure}`;
}

export function readSessionCookie(header: string | undefined): string | undefined {
  return new RegExp(`(?:^|;) *${cookieName}=([\\w-]{43})(?:;|$)`).exec(header ?? "")?.[1];
}
