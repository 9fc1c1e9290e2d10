/**
 * Purging: what has ended before a time is removed. Nothing that lives, waits or can still be merged is touched, so that
 * what `ready`, `who`, `reservations` and unfinished runs answer stays the same.
 *
 *   events (a prefix: older cursors then answer "truncated") -> runs -> history -> sources -> mail -> findings -> file versions -> work items
 *     -> reservations -> agents
 */
import { existsSync } from "node:fs";
import { DomainError, type InputOf, type OutputOf } from "../contract/index.ts";
import { actorOf } from "../platform/audit/index.ts";
import type { Call } from "../platform/operations/index.ts";
import { perhapsUndone } from "./dry-run.ts";
import type { RecordPorts, RecordRepositories, Tx } from "./data-ports.ts";

type Answer = OutputOf<"store.purge">;
const everything = Number.MAX_SAFE_INTEGER;

export async function purgeRecords(
  { before, dryRun }: InputOf<"store.purge">,
  { caller, transact }: Call<RecordRepositories>,
  { store, clock, fileHistory }: Pick<RecordPorts, "store" | "clock" | "fileHistory">,
): Promise<Answer> {
  if (before > clock.now())
    throw new DomainError("input.invalid", "store.purge: before: lies in the future; name a time that has passed", {
      details: { problems: [{ path: "before", message: "lies in the future" }] },
    });
  const purge = async (tx: Tx): Promise<Answer> => {
    const removed = await perhapsUndone(tx, dryRun, () => removeBefore(before, tx));
    if (!dryRun)
      await tx.audit.append({
        actor: actorOf(caller),
        action: "store.purged",
        subject: "store",
        project: undefined,
        details: { before, ...removed.removed },
      });
    return { dryRun, before, ...removed };
  };
  const answer = await fileHistory.alone(() => transact("purge", purge));
  if (!dryRun) {
    store.emptyLog();
    await fileHistory.sweep();
  }
  return { ...answer, trees: answer.trees.filter((tree) => existsSync(tree)) };
}

async function removeBefore(at: number, tx: Tx): Promise<Pick<Answer, "removed" | "trees" | "keptOpen">> {
  const events = await tx.events.truncate(at, everything);
  const dags = await tx.dags.removeFinishedBefore(at);
  const { runs, sessions, workspaces, keptOpen } = await tx.runs.removeFinishedBefore(at);
  const history = await tx.archive.removeBefore(at, await tx.runs.idsOf(undefined));
  const sources = await tx.sources.removeBefore(at);
  const messages = await tx.mail.removeOld({ before: at, importantBefore: 0, most: everything });
  const findings = await tx.findings.removeOld(at, everything);
  const fileVersions = await tx.fileVersions.removeBefore(at);
  await tx.health.removeOld(at, at);
  await tx.workItems.removeNoticesBefore(at);
  const workItems = await tx.workItems.removeClosedBefore(at, await tx.findings.workItems());
  const reservations = await tx.reservations.removeEndedBefore(at);
  const inUse = new Set([
    ...(await tx.reservations.holders()),
    ...(await tx.workItems.owned()).map(ownerOf),
    ...(await tx.mail.senders()),
    ...(await tx.findings.agents()),
  ]);
  const ended = await tx.agents.endedBefore(at);
  const agents = await tx.agents.remove(ended.filter((id) => !inUse.has(id)));
  return {
    removed: {
      events,
      agents,
      reservations,
      workItems,
      messages,
      findings,
      sessions,
      runs: runs + dags,
      history,
      sources,
      fileVersions,
    },
    trees: workspaces.map(({ tree }) => tree),
    keptOpen,
  };
}

function ownerOf({ owner }: { readonly owner?: { readonly id: string } | undefined }): string {
  return owner?.id ?? "";
}
