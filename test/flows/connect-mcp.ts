/** A client of the protocol's own library, connected to a daemon over HTTP. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** As whom the token names, or with the headers given. */
export async function connectMcp(url: string, as: string | Readonly<Record<string, string>>): Promise<Client> {
  const client = new Client({ name: "flows", version: "1" });
  const headers = typeof as === "string" ? { authorization: `Bearer ${as}` } : { ...as };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }));
  return client;
}
