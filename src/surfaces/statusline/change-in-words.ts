/** An event in a few words: who did what. Undefined for an event that is not worth a line. */
import type { LogEvent } from "../../contract/index.ts";

type Change = { readonly who: string; readonly did: string; readonly what: readonly string[] };
type Named = { readonly name?: unknown };
type Data = {
  readonly reservation?: {
    readonly holder?: Named;
    readonly paths?: readonly string[];
    readonly patterns?: readonly string[];
  };
  readonly workItem?: { readonly title?: unknown };
  readonly owner?: Named;
  readonly formerOwner?: Named;
  readonly agent?: Named;
  readonly by?: Named;
  readonly paths?: readonly string[];
};

export function changeIn({ type, data }: LogEvent): Change | undefined {
  const { reservation, workItem, owner, formerOwner, agent, by, paths } = data as Data;
  switch (type) {
    case "reservation.acquired":
    case "reservation.widened":
      return said(reservation?.holder, "reserved", filesIn(reservation));
    case "reservation.released":
      return said(reservation?.holder, "freed", filesIn(reservation));
    case "reservation.expired":
      return said(reservation?.holder, "lost", filesIn(reservation));
    case "work-item.claimed":
      return said(owner, "claimed", titleOf(workItem));
    case "work-item.released":
      return said(formerOwner, "gave up", titleOf(workItem));
    case "agent.registered":
      return said(agent, "joined");
    case "agent.offline":
    case "agent.ended":
      return said(agent, "left");
    case "commit.announced":
      return said(by, "committed", counted(paths?.length ?? 0));
    default:
      return undefined;
  }
}

function said(who: Named | undefined, did: string, ...what: string[]): Change | undefined {
  return typeof who?.name === "string" ? { who: who.name, did, what } : undefined;
}

function filesIn(reservation: Data["reservation"]): string {
  return counted((reservation?.paths?.length ?? 0) + (reservation?.patterns?.length ?? 0));
}

function counted(files: number): string {
  return `${files} ${files === 1 ? "file" : "files"}`;
}

function titleOf(workItem: Data["workItem"]): string {
  return typeof workItem?.title === "string" ? workItem.title.slice(0, 30) : "a work item";
}
