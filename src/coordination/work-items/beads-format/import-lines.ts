/**
 * Taking over work items from another tracker, some lines of its file at a time.
 *
 *   line -> known by its id? -> no: a new item that keeps the line
 *                            -> yes: what the file changed since the kept line is taken over; what was changed here stays
 *   links -> the other end is here: made; not yet: kept open until its line comes
 */
import {
  workItem as contract,
  type AgentCaller,
  type InputOf,
  type OutputOf,
  type WorkItemId,
} from "../../../contract/index.ts";
import type { Clock } from "../../../platform/clock/index.ts";
import type { IdSource } from "../../../platform/ids/index.ts";
import type { AgentCall } from "../../../platform/operations/index.ts";
import type { Transaction } from "../../../platform/store/index.ts";
import { requireLiveAgent } from "../../registry/index.ts";
import type { WorkItemRepositories } from "../ports.ts";
import { closesCycle } from "../resolve-links.ts";
import type { WorkItemRecord } from "../store.ts";
import { viewWorkItem } from "../work-item-view.ts";
import { linksOfIssue, textOfIssue, type IssueLink, type ItemText } from "./issue.ts";
import { issueOfLine, readLines, type ReadLine } from "./read-lines.ts";
import type { ImportRepository } from "./store.ts";

export type BeadsRepositories = WorkItemRepositories & { readonly imports: ImportRepository };
type Tx = BeadsRepositories & Transaction;
type Ports = { readonly clock: Clock; readonly ids: IdSource };
type Import = { readonly caller: AgentCaller; readonly tx: Tx; readonly ports: Ports; readonly refused: string[] };

export function importLines(
  { lines, firstLine }: InputOf<"work-item.import">,
  { caller, transact }: AgentCall<BeadsRepositories>,
  ports: Ports,
): Promise<OutputOf<"work-item.import">> {
  const read = readLines(lines, firstLine);
  return transact(caller.project.id, async (tx) => {
    await requireLiveAgent(caller, tx);
    const counts = { added: 0, changed: 0, unchanged: 0 };
    const taken: Import = { caller, tx, ports, refused: [] };
    for (const each of read) counts[await importLine(each, taken)]++;
    const openLinks = await tx.imports.countOpenLinks(caller.project.id);
    return { ...counts, openLinks, refusedLinks: taken.refused };
  });
}

async function importLine({ line, issue }: ReadLine, taken: Import): Promise<"added" | "changed" | "unchanged"> {
  const { caller, tx } = taken;
  const known = await findItem(issue.id, caller, tx);
  if (known === undefined) {
    await addItem({ line, issue }, taken);
    return "added";
  }
  const keptLine = await tx.imports.lineOf(known.id);
  if (keptLine === line) return "unchanged";
  const base = keptLine === undefined ? undefined : issueOfLine(keptLine);
  await changeItem(known, base && textOfIssue(base), textOfIssue(issue), taken);
  await relink(known.id, base === undefined ? [] : linksOfIssue(base), linksOfIssue(issue), taken);
  await tx.imports.setLine(known.id, line);
  return "changed";
}

async function findItem(id: string, { project }: AgentCaller, { workItems }: Tx): Promise<WorkItemRecord | undefined> {
  const own = await workItems.find(id as WorkItemId);
  return own?.project === project.id ? own : workItems.findByExternalId(project.id, id);
}

async function addItem({ line, issue }: ReadLine, taken: Import): Promise<void> {
  const { caller, tx, ports } = taken;
  const now = ports.clock.now();
  const { body, blockedReason, closedReason, labels, ...text } = textOfIssue(issue);
  const createdAt = Date.parse(issue.created_at ?? "");
  const record: WorkItemRecord = {
    ...text,
    ...reasons({ body, blockedReason, closedReason }),
    id: ports.ids.next("wrk"),
    externalId: issue.id,
    project: caller.project.id,
    labels: [...labels],
    dependsOn: [],
    relatesTo: [],
    discoveredFrom: [],
    claimTtlMs: undefined,
    fencingToken: 0,
    version: 1,
    createdAt: Number.isSafeInteger(createdAt) ? createdAt : now,
    updatedAt: now,
  };
  await tx.workItems.insert(record);
  await tx.imports.setLine(record.id, line);
  await relink(record.id, [], linksOfIssue(issue), taken);
  for (const { item, kind } of await tx.imports.takeOpenLinks(record.project, issue.id))
    await link(item, { kind, other: issue.id }, record.id, taken);
  const workItem = viewWorkItem((await tx.workItems.find(record.id))!);
  await tx.events.append(record.project, contract.WorkItemCreated.of(record.id, { workItem }));
}

/** Three-way: the kept line is what both sides started from. A live claim is not ended by a file. */
async function changeItem(
  record: WorkItemRecord,
  base: ItemText | undefined,
  theirs: ItemText,
  { tx, ports }: Import,
): Promise<void> {
  const taken = <Field extends keyof ItemText>(field: Field, ours: ItemText[Field]): ItemText[Field] =>
    JSON.stringify(base?.[field]) === JSON.stringify(theirs[field]) ? ours : theirs[field];
  const { body: _body, blockedReason: _blocked, closedReason: _closed, ...rest } = record;
  const status = record.owner === undefined ? taken("status", record.status) : record.status;
  const isTheirs = status !== record.status || status === theirs.status;
  const changed: WorkItemRecord = {
    ...rest,
    title: taken("title", record.title),
    type: taken("type", record.type),
    priority: taken("priority", record.priority),
    labels: [...taken("labels", record.labels)],
    status,
    ...reasons({
      body: taken("body", record.body),
      blockedReason: isTheirs ? taken("blockedReason", record.blockedReason) : record.blockedReason,
      closedReason: isTheirs ? taken("closedReason", record.closedReason) : record.closedReason,
    }),
    version: record.version + 1,
    updatedAt: ports.clock.now(),
  };
  await tx.workItems.rewrite(changed);
  await tx.workItems.update(changed);
  await tx.events.append(record.project, contract.WorkItemUpdated.of(record.id, { workItem: viewWorkItem(changed) }));
}

async function relink(item: WorkItemId, base: readonly IssueLink[], theirs: readonly IssueLink[], taken: Import) {
  const { caller, tx } = taken;
  const isIn = (links: readonly IssueLink[], { kind, other }: IssueLink) =>
    links.some((each) => each.kind === kind && each.other === other);
  await tx.imports.dropOpenLinks(item);
  for (const gone of base.filter((each) => !isIn(theirs, each))) {
    const other = await findItem(gone.other, caller, tx);
    if (other !== undefined) await tx.imports.removeLink(item, gone.kind, other.id);
  }
  for (const wanted of theirs) {
    const other = await findItem(wanted.other, caller, tx);
    if (other === undefined) await tx.imports.keepOpenLink(caller.project.id, item, wanted.kind, wanted.other);
    else if (!isIn(base, wanted)) await link(item, wanted, other.id, taken);
  }
}

async function link(
  item: WorkItemId,
  { kind, other: named }: IssueLink,
  other: WorkItemId,
  taken: Import,
): Promise<void> {
  const { tx, refused } = taken;
  const leads = kind === "blocks" || kind === "parent";
  if (leads ? await closesCycle(kind, item, other, tx.workItems) : item === other) {
    const record = await tx.workItems.find(item);
    refused.push(`${record?.externalId ?? item} ${kind} ${named}`);
  } else await tx.imports.addLink(item, kind, other);
}

function reasons(fields: Readonly<Record<"body" | "blockedReason" | "closedReason", string | undefined>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
