/**
 * Before a write: the first one reserves the file, each further one renews it.
 *
 *   files -> paths in the tree -> lost to somebody since? told once -> the agent's own, or free: reserved -> go on
 *                                                                  -> somebody else's: refused, with who and how long
 *
 * A sub-agent may write what its parent holds: the parent gave it the work.
 */
import { DomainError, type AgentCaller, type InputOf, type OutputOf } from "../../contract/index.ts";
import type { Call } from "../../platform/operations/index.ts";
import { acquireReservation, checkPaths, lostTo } from "../reservations/index.ts";
import { ancestorsOf } from "./family.ts";
import type { GuardPorts, GuardRepositories } from "./ports.ts";
import { canBeHeld, treePath } from "./tree-path.ts";

type AgentCall = Call<GuardRepositories> & { readonly caller: AgentCaller };
type Item = OutputOf<"guard.write">["items"][number];
type Located = { readonly file: string; readonly path: string | undefined; readonly state?: Item["state"] };

export async function guardWrite(
  { paths: files }: InputOf<"guard.write">,
  call: AgentCall,
  ports: GuardPorts,
): Promise<OutputOf<"guard.write">> {
  const located = await locate(files, call.caller, ports);
  const wanted = [...new Set(located.flatMap(({ path, state }) => (state === undefined && path ? [path] : [])))];
  const { reservation, warning } = wanted.length === 0 ? {} : await reserve(wanted, call, ports);
  const granted = reservation && { reservation: reservation.id, fencingToken: reservation.fencingToken };
  return {
    items: located.map(({ file, path, state }): Item => {
      if (state !== undefined || granted === undefined) return { path: path ?? file, state: state ?? "unguarded" };
      return { path: path ?? file, state: "reserved", ...granted };
    }),
    ...(warning === undefined ? {} : { warning }),
  };
}

type Reserved = {
  readonly reservation?: OutputOf<"reservation.acquire">["reservation"];
  readonly warning?: string;
};

async function reserve(paths: readonly string[], call: AgentCall, ports: GuardPorts): Promise<Reserved> {
  try {
    await refuseLost(paths, call.caller, ports);
    const wanted = { paths: [...paths], patterns: [], mode: "exclusive" as const, scope: "tree" as const, waitMs: 0 };
    return { reservation: (await acquireReservation(wanted, call, ports)).reservation };
  } catch (error) {
    const inTheWay = error instanceof DomainError && (error.family === "conflict" || error.code === "lease.lost");
    if (!inTheWay || (await ports.policyFor(call.caller.tree)) !== "warn") throw error;
    return { warning: error.message };
  }
}

async function locate(files: readonly string[], caller: AgentCaller, ports: GuardPorts): Promise<readonly Located[]> {
  const above = await ancestorsOf(caller.agent.id, ports.store.reader.agents);
  const located: Located[] = [];
  for (const file of files) {
    const path = await treePath(file, caller.tree);
    if (path === undefined) located.push({ file, path, state: "outside" });
    else if (!canBeHeld(path)) located.push({ file, path, state: "unguarded" });
    else if (above.length > 0 && (await isHeldBy(above, path, caller, ports)))
      located.push({ file, path, state: "parents" });
    else located.push({ file, path });
  }
  return located;
}

async function isHeldBy(
  holders: readonly string[],
  path: string,
  caller: AgentCaller,
  ports: GuardPorts,
): Promise<boolean> {
  const [item] = (await checkPaths({ paths: [path] }, caller, ports)).items;
  return item?.state === "taken" && holders.includes(item.holder!.id);
}

async function refuseLost(paths: readonly string[], caller: AgentCaller, ports: GuardPorts): Promise<void> {
  for (const { path, to } of await lostTo(paths, caller, ports)) {
    if (!ports.told.tell(caller.agent.id, path, to.fencingToken)) continue;
    throw new DomainError(
      "lease.lost",
      `Your hold on "${path}" ended, and ${to.holder.name} (${to.holder.client}) had it since; read the file again, then repeat the edit`,
      { details: { id: to.id, path, holder: to.holder, fencingToken: to.fencingToken } },
    );
  }
}
