/** Load generator: one HTTP client on one keep-alive connection, one GET after the other; the latency of each. */
import { Agent } from "node:http";
import { exchange } from "./mcp-calls.ts";

type Plan = {
  readonly port: number;
  readonly warmUp: number;
  readonly gets: readonly { readonly path: string; readonly token: string }[];
};

export async function httpGets({ port, warmUp, gets }: Plan): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const latencies: number[] = [];
  for (const { path, token } of gets) {
    const startedAt = performance.now();
    await exchange({ port, agent, path, method: "GET", headers: { authorization: `Bearer ${token}` }, body: "" });
    latencies.push(performance.now() - startedAt);
  }
  agent.destroy();
  return latencies.slice(warmUp);
}
