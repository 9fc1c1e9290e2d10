/**
 * The dashboard and the way to it.
 *
 *   /signin?code=…  a one-time code for a cookie, then to /
 *   /session        what a signed-in page needs to begin: its CSRF token and the log's newest cursor
 *   /, /runs/…      the dashboard: files without any data in them, readable by everyone
 */
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { dashboardPages, DomainError } from "../../contract/index.ts";
import { browserSessionOf, type BrowserPorts } from "./browser-credentials.ts";
import { type PageFile, readPageFiles } from "./page-files.ts";
import { sessionCookie } from "./session-cookie.ts";

export type PagePorts = BrowserPorts & {
  /** Cursor of the newest event. */
  readonly newestEvent: () => Promise<number>;
};

/** Names of assets change with their content. */
const forever = "public, max-age=31536000, immutable";
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export function addPageRoutes(app: FastifyInstance, ports: PagePorts): void {
  const files = readPageFiles();
  addSignIn(app, ports, files.get("/signin-refused.html")!.content);
  const addFile = (path: string, { type, content }: PageFile, cache: Sent["cache"]): void => {
    app.get(path, async (_, reply) => sendFile(reply, { type, content, cache }));
  };
  for (const [path, file] of files) {
    if (path === "/signin-refused.html") continue;
    addFile(path, file, path.startsWith("/assets/") ? forever : path === "/" ? "no-store" : "no-cache");
  }
  // An address of the dashboard opens the page, and the page reads the address.
  for (const page of dashboardPages)
    for (const path of [`/${page}`, `/${page}/*`]) addFile(path, files.get("/")!, "no-store");
}

function addSignIn(app: FastifyInstance, ports: PagePorts, refusal: Buffer): void {
  app.route({
    method: "GET",
    url: "/signin",
    exposeHeadRoute: false, // a preview of the link must not use it up
    async handler({ query, headers }, reply) {
      const { code } = query as { code?: unknown };
      const secret = typeof code === "string" && isOpened(headers) ? ports.browserSessions.signIn(code) : undefined;
      if (secret === undefined)
        return sendFile(reply.code(401), { type: "text/html; charset=utf-8", content: refusal, cache: "no-store" });
      return reply
        .header("set-cookie", sessionCookie(secret))
        .header("cache-control", "no-store")
        .header("referrer-policy", "no-referrer")
        .redirect("/", 303);
    },
  });
  app.get("/session", async (request, reply) => {
    const session = browserSessionOf(request, ports);
    if (session === undefined)
      throw new DomainError(
        "token.missing",
        'This browser is not signed in; open the link that "sylk dashboard" prints',
      );
    reply.header("cache-control", "no-store");
    return { ...session, cursor: await ports.newestEvent() };
  });
}

/** By a person, as a page: a frame, an image or a look ahead must neither sign in nor use up the link. */
function isOpened({ "sec-fetch-dest": dest = "document", "sec-purpose": purpose }: IncomingHttpHeaders): boolean {
  return dest === "document" && purpose === undefined;
}

type Sent = {
  readonly type: string;
  readonly content: Buffer;
  readonly cache: "no-store" | "no-cache" | typeof forever;
};

function sendFile(reply: FastifyReply, { type, content, cache }: Sent): FastifyReply {
  return reply
    .headers({
      "content-type": type,
      "cache-control": cache,
      "content-security-policy": contentPolicy,
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    .send(content);
}
