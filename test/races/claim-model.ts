/** One work item as a single thread would see it: at most one owner, and a fencing token that grows with every grant. */
import type { Model, Timed } from "./linearize.ts";

export type ClaimCall = Timed & { readonly agent: string } & (
    | { readonly do: "claim"; readonly said: { readonly token: number } | Refused }
    | { readonly do: "release" | "unclaim"; readonly said: "done" | "lost" }
    | { readonly do: "close"; readonly said: "done" | Refused }
    | { readonly do: "read"; readonly said: Seen }
  );
type Refused = "closed" | { readonly holder: string };
type Status = "open" | "in_progress" | "closed";
type Seen = { readonly status: Status; readonly owner?: string | undefined; readonly token?: number | undefined };

type Item = { readonly status: Status; readonly owner: string | undefined; readonly token: number };

export const claimModel: Model<Item, ClaimCall> = {
  initial: { status: "open", owner: undefined, token: 0 },
  nameOf: ({ status, owner, token }) => `${status} ${owner ?? "nobody"} ${token}`,
  apply(item, call) {
    if (call.do === "read") return isSeen(item, call.said) ? item : undefined;
    if (call.do === "claim") return claimed(item, call.agent, call.said);
    if (call.do === "close") return closed(item, call.agent, call.said);
    const owns = item.owner === call.agent;
    if (call.said === "lost") return owns ? undefined : item;
    if (!owns) return undefined;
    return { ...item, owner: undefined, status: call.do === "release" ? "open" : item.status };
  },
};

function isSeen({ status, owner, token }: Item, seen: Seen): boolean {
  return seen.status === status && seen.owner === owner && (owner === undefined || seen.token === token);
}

function claimed(item: Item, agent: string, said: { readonly token: number } | Refused): Item | undefined {
  if (said === "closed") return item.status === "closed" ? item : undefined;
  if ("holder" in said) return isHeldByOther(item, agent, said.holder) ? item : undefined;
  if (item.status === "closed") return undefined;
  if (item.owner === agent) return said.token === item.token ? item : undefined;
  if (item.owner !== undefined || said.token !== item.token + 1) return undefined;
  return { status: "in_progress", owner: agent, token: said.token };
}

function closed(item: Item, agent: string, said: "done" | Refused): Item | undefined {
  if (said === "closed") return item.status === "closed" ? item : undefined;
  if (said !== "done") return isHeldByOther(item, agent, said.holder) ? item : undefined;
  if (item.status === "closed" || (item.owner !== undefined && item.owner !== agent)) return undefined;
  return { ...item, status: "closed", owner: undefined };
}

function isHeldByOther({ owner }: Item, agent: string, holder: string): boolean {
  return owner === holder && owner !== agent;
}
