/**
 * A web page must not reach us by DNS rebinding or from another site: on TCP the Host must be a loopback name, and an
 * Origin, where a browser sends one, must be our own. The unix socket is reached by no browser.
 */
import type { FastifyRequest } from "fastify";
import { DomainError } from "../../contract/index.ts";

const loopbackHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

export async function checkOrigin({ headers, raw }: FastifyRequest): Promise<void> {
  const port = raw.socket.localPort;
  if (port === undefined) return;
  const host = headers.host ?? "";
  if (!isOwnHost(host, port)) {
    throw new DomainError(
      "host.denied",
      `The Host "${host}" is not this daemon's; use 127.0.0.1:${port} or localhost:${port}`,
      { details: { host } },
    );
  }
  const { origin } = headers;
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new DomainError("host.denied", `Requests from the origin "${origin}" are not allowed`, {
      details: { origin },
    });
  }
}

function isOwnHost(host: string, port: number): boolean {
  const [, name, given] = /^(\[[0-9a-f:]+\]|[^:]+)(?::(\d+))?$/i.exec(host.toLowerCase()) ?? [];
  return name !== undefined && loopbackHosts.has(name) && (given === undefined || Number(given) === port);
}
