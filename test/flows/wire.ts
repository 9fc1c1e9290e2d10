/** HTTP by hand over TCP or the unix socket: what a program without our client would send. */
import { request } from "node:http";
import type { Operation } from "../../src/contract/index.ts";

export type Place = { readonly socketPath: string } | { readonly host: string; readonly port: number };
export type WireAnswer = {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};
type Terms = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
};

export function send(place: Place, { method = "GET", path, headers = {}, body }: Terms): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    // Node sends a DELETE's body without its length.
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    // A connection of its own: no test depends on what the one before left open.
    const terms = { ...place, method, path, headers: { ...length, ...headers }, agent: false };
    const outgoing = request(terms, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** A request for an operation as its route says; the typed client has code of its own for this. */
export function requestFor(operation: Operation, input: Readonly<Record<string, unknown>>): Terms {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const fields = Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  if (operation.kind === "change")
    return {
      method: operation.method,
      path,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    };
  const query = Object.entries(fields).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return { method: operation.method, path: query.length === 0 ? path : `${path}?${query.join("&")}` };
}
