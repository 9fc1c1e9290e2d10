/** Floor: the claim's route in a fastify that does nothing but answer, with a body as long as a claim's. */
import fastify from "fastify";

const answer = { workItem: { id: "", title: "x".repeat(460) }, lease: { fencingToken: 1, expiresAt: 0 } };

export async function bareFastify({ socket }: { readonly socket: string }): Promise<never> {
  const app = fastify({ logger: false, forceCloseConnections: true });
  app.get("/healthz", async () => ({ ok: true }));
  app.post("/v1/work-items/:id/claim", async () => answer);
  await app.listen({ path: socket });
  return new Promise<never>(() => {});
}
