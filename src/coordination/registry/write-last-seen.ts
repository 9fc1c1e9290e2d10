/** Writes down when agents were last seen. */
import type { AgentId } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { AgentRepository } from "./store.ts";

const atOnce = 50;

/** A few in each transaction, so that hundreds of busy agents never hold the writer for long. */
export async function writeLastSeen(
  seen: ReadonlyMap<AgentId, number>,
  store: Pick<Store<{ readonly agents: AgentRepository }>, "transact">,
): Promise<void> {
  const entries = [...seen];
  for (let start = 0; start < entries.length; start += atOnce) {
    await store.transact("liveness", async (tx) => {
      for (const [agent, at] of entries.slice(start, start + atOnce)) await tx.agents.setLastSeen(agent, at);
    });
  }
}
