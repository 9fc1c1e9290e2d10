/** The claims of a run, in order: item n by agent n modulo the number of agents. Every side makes the same ones. */
import { readFleet } from "../store/fleet.ts";
import { hostOf, type Address } from "./wire-connection.ts";

export type ClaimRequests = { request(index: number): string };

/** `keyed` adds an Idempotency-Key as our own clients do. */
export function claimRequests(
  fleetFile: string,
  { keyed, address }: { readonly keyed: boolean; readonly address: Address },
): ClaimRequests {
  const { agents, items } = readFleet(fleetFile);
  return {
    request(index) {
      const item = items[index];
      const agent = agents[index % agents.length];
      if (item === undefined || agent === undefined) throw new Error(`the prepared store has no item ${index}`);
      const key = keyed ? `idempotency-key: bench-${index}\r\n` : "";
      return `POST /v1/work-items/${item}/claim HTTP/1.1\r\nhost: ${hostOf(address)}\r\nauthorization: Bearer ${agent.token}\r\n${key}content-length: 0\r\n\r\n`;
    },
  };
}
