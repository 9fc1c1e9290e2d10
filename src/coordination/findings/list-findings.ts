/** Reading findings across agents and sessions. */
import type { Caller, FindingId, InputOf, OutputOf } from "../../contract/index.ts";
import { checkedPath } from "./add-finding.ts";
import { findFinding } from "./find-finding.ts";
import { viewBriefly, viewFinding } from "./finding-view.ts";
import type { FindingPorts } from "./ports.ts";

export async function listFindings(
  { peers, path, cursor, limit, severity, status, category, thread, run, workItem }: InputOf<"finding.list">,
  caller: Caller,
  { store }: Pick<FindingPorts, "store">,
): Promise<OutputOf<"finding.list">> {
  const found = await store.reader.findings.list({
    project: caller.project?.id,
    path: path === undefined ? undefined : checkedPath(path, "path"),
    severity,
    status,
    category,
    thread,
    run,
    workItem,
    notOnlyBy: peers && caller.kind === "agent" ? caller.agent.id : undefined,
    before: cursor,
    limit: limit + 1,
  });
  const items = found.slice(0, limit).map(viewBriefly);
  return found.length > limit ? { items, nextCursor: items.at(-1)!.id } : { items };
}

export async function getFinding(
  id: FindingId,
  caller: Caller,
  { store }: Pick<FindingPorts, "store">,
): Promise<OutputOf<"finding.get">> {
  return { finding: viewFinding(await findFinding(id, caller, store.reader)) };
}
