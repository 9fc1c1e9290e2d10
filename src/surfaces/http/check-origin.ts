/**
 * A web page must not reach us by DNS rebinding or from another site.
 *
 *   request -> no header that decides anything twice, a path for a target
 *           -> on TCP: our own Host -> our own Origin, if any -> fetched by our own page, if a browser says by whom
 *
 * The unix socket is reached by no browser. A host that the user allowed (http.allowedHosts, for a tunnel of their own) is
 * for a signed-in browser: its page, its cookie, and nothing that takes a token.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import { DomainError } from "../../contract/index.ts";

const loopbackHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);
const portOfHttp = 80;
/** The parser keeps the first of two and drops the other; a proxy in between may believe the second. */
const onceOnly = new Set(["host", "authorization", "content-type"]);
const mostHeaders = 200;

export function checkOrigin({ headers, method, raw }: FastifyRequest, allowedHosts: ReadonlySet<string>): void {
  refuseAmbiguous(raw);
  const port = raw.socket.localPort;
  if (port === undefined) return;
  const host = headers.host?.toLowerCase() ?? "";
  const isTunnel = allowedHosts.has(host);
  if (!isTunnel && !isOwnHost(host, port)) {
    throw new DomainError(
      "host.denied",
      `The Host "${host}" is not this daemon's; use 127.0.0.1:${port} or localhost:${port}`,
      { details: { host } },
    );
  }
  const { origin } = headers;
  const isOwnOrigin = origin === `http://${host}` || (isTunnel && origin === `https://${host}`);
  if (origin !== undefined && !isOwnOrigin) {
    throw new DomainError("host.denied", `Requests from the origin "${origin}" are not allowed`, {
      details: { origin },
    });
  }
  if (isTunnel) refuseTokens(headers, raw.url ?? "", host);
  refuseForeignFetch(headers, method);
}

/** From afar only a browser that a person signed in: a stolen token is of no use there, and agents are on this machine. */
function refuseTokens({ authorization }: IncomingHttpHeaders, url: string, host: string): void {
  if (authorization === undefined && !/^\/(mcp|v1\/hooks)(\/|\?|$)/.test(url)) return;
  throw new DomainError(
    "host.denied",
    `"${host}" is for the dashboard in a signed-in browser; tokens, hooks and MCP work on this machine only`,
    { details: { host } },
  );
}

export function readAllowedHosts(setting: string): ReadonlySet<string> {
  return new Set(
    setting
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ""),
  );
}

function refuseAmbiguous({ headers, rawHeaders, url = "" }: IncomingMessage): void {
  if (rawHeaders.length > 2 * mostHeaders)
    throw new DomainError("input.headers-too-large", `There are more than ${mostHeaders} headers; send fewer`, {
      details: { limit: mostHeaders },
    });
  let seen = "";
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!onceOnly.has(name)) continue;
    if (seen.includes(name)) throw malformed(`the header ${name} is given twice`);
    seen += `${name} `;
  }
  const { "transfer-encoding": coding = "chunked", upgrade = "" } = headers;
  if (coding.toLowerCase() !== "chunked") throw malformed("its body has a transfer encoding; send it without one");
  if (upgrade.toLowerCase() === "websocket") throw malformed("there are no websockets; GET /v1/events is a stream");
  // With a whole URL for a target the Host would say one thing and the target another.
  if (!url.startsWith("/")) throw malformed("its target is not a path that begins with /");
}

function isOwnHost(host: string, port: number): boolean {
  const [, name, given = portOfHttp] = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d{1,5}))?$/i.exec(host.toLowerCase()) ?? [];
  return name !== undefined && loopbackHosts.has(name) && Number(given) === port;
}

/** A link on another page may lead to ours, as a page of its own; nothing else of ours is for other pages. */
function refuseForeignFetch(headers: IncomingHttpHeaders, method: string): void {
  const { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": dest } = headers;
  if (site === undefined || site === "same-origin" || site === "none") return;
  if (method === "GET" && mode === "navigate" && dest === "document") return;
  throw new DomainError("host.denied", "A page of another origin may not use this daemon; open its own page", {
    details: { site },
  });
}

function malformed(reason: string): DomainError {
  return new DomainError("input.malformed", `The request was refused: ${reason}`, { details: { reason } });
}
