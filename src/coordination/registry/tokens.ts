/** Agents' tokens: several processes of one session each get their own; the oldest gives way. */
import type { AgentId } from "../../contract/index.ts";
import { hashToken, newToken } from "../../platform/tokens.ts";
import type { TokenRepository } from "./store.ts";

const liveTokensPerAgent = 16;

export async function mintAgentToken(tokens: TokenRepository, agent: AgentId, now: number): Promise<string> {
  const token = newToken("agt");
  await tokens.issue(hashToken(token), agent, now);
  await tokens.keepNewest(agent, liveTokensPerAgent);
  return token;
}
