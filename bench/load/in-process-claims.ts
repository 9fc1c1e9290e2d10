/** The same claims without a surface: the engine in this process, `dispatch` called by concurrent loops. */
import { DomainError } from "../../src/contract/index.ts";
import { readFleet } from "../store/fleet.ts";
import { openEngine } from "../store/open-engine.ts";
import { claimRate, type ClaimLoop } from "./claim-rate.ts";

type Plan = ClaimLoop & { readonly home: string; readonly fleet: string };

export async function inProcessClaims(plan: Plan): Promise<number> {
  const { agents, items } = readFleet(plan.fleet);
  const engine = await openEngine(plan.home);
  const callers = await Promise.all(agents.map(({ token }) => engine.authenticate({ token }, "agent")));
  const rate = await claimRate(plan, async (index) => {
    const caller = callers[index % callers.length]!;
    const { workItem } = await engine.dispatch("work-item.claim", { id: items[index]! }, caller);
    if (workItem.status !== "in_progress") throw new DomainError("internal", `claim ${index} was not won`);
  });
  await engine.close();
  return rate;
}
