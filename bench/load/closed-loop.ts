/** Load generator: as many claims over HTTP as the connections carry, each waiting for its own answer. */
import { claimRate, type ClaimLoop } from "./claim-rate.ts";
import { claimRequests } from "./claim-requests.ts";
import { openConnection, type Address } from "./wire-connection.ts";

type Plan = ClaimLoop & { readonly address: Address; readonly fleet: string; readonly keyed: boolean };

export async function closedLoop(plan: Plan): Promise<number> {
  const { request } = claimRequests(plan.fleet, plan);
  const connections = await Promise.all(Array.from({ length: plan.loops }, () => openConnection(plan.address)));
  const rate = await claimRate(plan, async (index, loop) => {
    const { status, body } = await connections[loop]!.send(request(index));
    if (status !== 200) throw new Error(`claim ${index} was answered with ${status}: ${body}`);
  });
  for (const connection of connections) connection.close();
  return rate;
}
