/** Whether hooks of a folder fall under the strict policy. */
import { locateProject } from "../registry/index.ts";
import type { GuardPorts } from "./ports.ts";

/** False for a folder that cannot be read: the daemon's own settings decide there. */
export async function isStrict(folder: string, { policyFor }: Pick<GuardPorts, "policyFor">): Promise<boolean> {
  const place = await locateProject(folder).catch(() => undefined);
  return place !== undefined && (await policyFor(place.tree)) === "strict";
}
