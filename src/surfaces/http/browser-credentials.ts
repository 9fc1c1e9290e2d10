/**
 * The user, as a browser shows itself: by the cookie of a sign-in, and for a change by a header that only our page knows.
 * A bearer token wins over a cookie; what is neither is left to authentication to refuse.
 */
import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { DomainError, type Credentials } from "../../contract/index.ts";
import type { BrowserSession, BrowserSessions } from "./browser-sessions.ts";
import { credentialsOf } from "./credentials.ts";
import { readSessionCookie } from "./session-cookie.ts";

export type BrowserPorts = {
  readonly browserSessions: BrowserSessions;
  /** What a signed-in browser may do: whatever the user may. */
  readonly userCredentials: () => Pick<Credentials, "token">;
};

export function browserCredentialsOf(request: FastifyRequest, ports: BrowserPorts): Credentials {
  const sent = credentialsOf(request);
  if (request.headers.authorization !== undefined) return sent;
  const session = browserSessionOf(request, ports);
  if (session === undefined) return sent;
  if (request.method !== "GET" && request.method !== "HEAD") refuseForeignChange(request, session);
  return { ...sent, ...ports.userCredentials() };
}

export function browserSessionOf(
  { headers }: FastifyRequest,
  { browserSessions }: Pick<BrowserPorts, "browserSessions">,
): BrowserSession | undefined {
  const secret = readSessionCookie(headers.cookie);
  const session = secret === undefined ? undefined : browserSessions.find(secret);
  if (session !== undefined) refuseForeignPage(headers["sec-fetch-site"]);
  return session;
}

/** To a browser all ports of this host are one site: a page of another one would be sent with our cookie. */
function refuseForeignPage(site: string | string[] | undefined): void {
  if (site === undefined || site === "same-origin" || site === "none") return;
  throw new DomainError("host.denied", "A page of another origin may not use this browser's sign-in", {
    details: { site },
  });
}

function refuseForeignChange({ headers }: FastifyRequest, { csrf }: BrowserSession): void {
  const sent = Buffer.from(String(headers["sylk-csrf"] ?? ""));
  const wanted = Buffer.from(csrf);
  if (sent.length === wanted.length && timingSafeEqual(sent, wanted)) return;
  throw new DomainError(
    "caller.denied",
    'A browser\'s change needs the header "sylk-csrf" with the token of its page',
    {
      details: { needed: "sylk-csrf" },
    },
  );
}
