/** The OpenAPI document: made once, on the first request, and sent from the same bytes to everyone. */
import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { Authenticate } from "../../contract/index.ts";
import { credentialsOf } from "./credentials.ts";

type Document = { readonly bytes: Buffer; readonly etag: string };

export function addDocumentRoute(app: FastifyInstance, ports: { readonly authenticate: Authenticate }): void {
  let document: Promise<Document> | undefined;
  app.get("/openapi.json", async (request, reply) => {
    await ports.authenticate(credentialsOf(request), "anyone");
    document ??= makeDocument();
    const { bytes, etag } = await document;
    reply.header("etag", etag).header("cache-control", "no-cache");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.type("application/json; charset=utf-8").send(bytes);
  });
}

async function makeDocument(): Promise<Document> {
  const { openApiDocument } = await import("./openapi.ts");
  const bytes = Buffer.from(JSON.stringify(openApiDocument()));
  return { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
}
