/** The claims of a run, in order: item n by agent n modulo the number of agents. Every side makes the same ones. */
import { readFleet } from "../store/fleet.ts";

export type ClaimRequests = { request(index: number): string };

/** `keyed` adds an Idempotency-Key as our own clients do. */
export function claimRequests(fleetFile: string, { keyed }: { readonly keyed: boolean }): ClaimRequests {
  const { agents, items } = readFleet(fleetFile);
  return {
    request(index) {
      const item = items[index];
      const agent = agents[index % agents.length];
      if (item === undefined || agent === undefined) throw new Error(`the prepared store has no item ${index}`);
      const key = keyed ? `idempotency-key: bench-${index}\r\n` : "";
      return `POST /v1/work-items/${item}/claim HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${agent.token}\r\n${key}content-length: 0\r\n\r\n`;
    },
  };
}
