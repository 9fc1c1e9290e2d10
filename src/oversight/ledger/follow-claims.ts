/** Under whose claim of a work item a call was made: claims as the event log tells of them, in its order. */
import type { AgentId, LogEvent } from "../../contract/index.ts";
import type { UsageRecord } from "./usage-record.ts";

export type WorkItemOf = (record: Pick<UsageRecord, "session" | "at">) => string | undefined;
type Claim = { readonly item: string; readonly from: number; readonly until: number };

export const claimEvents = ["claimed", "released", "claim-expired", "closed"].map((what) => `work-item.${what}`);

export function followClaims(sessionOf: ReadonlyMap<AgentId, string>) {
  const open = new Map<string, { readonly session: string | undefined; readonly from: number }>();
  const claims = new Map<string, Claim[]>();
  const end = (item: string, until: number): void => {
    const { session, from } = open.get(item) ?? {};
    open.delete(item);
    if (session === undefined) return;
    const own = claims.get(session) ?? [];
    own.push({ item, from: from!, until });
    claims.set(session, own);
  };
  return {
    /** One of `claimEvents`. A claim of an item ends the claim before it. */
    take({ type, subject, at, data }: Pick<LogEvent, "type" | "subject" | "at" | "data">): void {
      end(subject, at);
      if (type !== "work-item.claimed") return;
      const { owner } = data as { readonly owner: { readonly id: AgentId } };
      open.set(subject, { session: sessionOf.get(owner.id), from: at });
    },
    /** After the last event: what is still claimed is so without end. Of several claims at once the latest counts. */
    workItemOf(): WorkItemOf {
      for (const item of open.keys()) end(item, Number.POSITIVE_INFINITY);
      for (const own of claims.values()) own.sort((one, other) => one.from - other.from);
      return ({ session, at }) =>
        at === undefined
          ? undefined
          : claims.get(session)?.findLast(({ from, until }) => from <= at && at < until)?.item;
    },
  };
}
