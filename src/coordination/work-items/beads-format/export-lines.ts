/**
 * Work items as lines of a beads file. An item that is as its line said goes out as that line, byte for byte; of a changed
 * one only the changed fields are written anew. Items made here get a line of their own.
 */
import { DomainError, type Caller, type InputOf, type OutputOf, type WorkItemId } from "../../../contract/index.ts";
import { defined } from "../../../platform/defined.ts";
import type { Store } from "../../../platform/store/index.ts";
import { closesCycle } from "../resolve-links.ts";
import type { WorkItemRecord, WorkItemRepository } from "../store.ts";
import type { BeadsRepositories } from "./import-lines.ts";
import { fieldsOfBody, kindOfDependency, linksOfIssue, textOfIssue, type Issue, type IssueLink } from "./issue.ts";
import { issueOfLine } from "./read-lines.ts";
import type { LinkKind } from "./store.ts";

type Fields = Record<string, unknown>;

export async function exportLines(
  { cursor, limit }: InputOf<"work-item.export">,
  { project }: Caller,
  { store }: { readonly store: Pick<Store<BeadsRepositories>, "reader"> },
): Promise<OutputOf<"work-item.export">> {
  if (project === undefined)
    throw new DomainError(
      "agent.unknown-project",
      'An export is of one project: send its folder in the header "sylk-project"',
      {
        details: { header: "sylk-project" },
      },
    );
  const { imports, workItems } = store.reader;
  const found = await imports.page(project.id, cursor, limit + 1);
  const lines: string[] = [];
  for (const { record, line } of found.slice(0, limit)) lines.push(await lineOf(record, line, workItems));
  return { lines, ...(found.length > limit ? { nextCursor: found[limit - 1]!.record.id } : {}) };
}

async function lineOf(
  record: WorkItemRecord,
  line: string | undefined,
  workItems: WorkItemRepository,
): Promise<string> {
  const links = await linksOf(record, workItems);
  if (line === undefined) return JSON.stringify(newIssue(record, links));
  const issue = issueOfLine(line);
  const changes = { ...changedText(record, issue), ...(await changedLinks(record, issue, links, workItems)) };
  if (Object.keys(changes).length === 0) return line;
  const fields: Fields = { ...issue, ...changes, updated_at: timeText(record.updatedAt) };
  return JSON.stringify(fields);
}

function newIssue(record: WorkItemRecord, links: readonly IssueLink[]): Fields {
  return {
    id: record.externalId ?? record.id,
    title: record.title,
    ...fieldsOfBody(record.body),
    ...statusFields(record),
    priority: record.priority,
    issue_type: record.type,
    ...(record.owner === undefined ? {} : { assignee: record.owner.name }),
    created_at: timeText(record.createdAt),
    updated_at: timeText(record.updatedAt),
    ...(record.labels.length === 0 ? {} : { labels: record.labels }),
    ...(links.length === 0 ? {} : { dependencies: links.map((link) => dependency(record, link)) }),
  };
}

function changedText(record: WorkItemRecord, issue: Issue): Fields {
  const before = textOfIssue(issue);
  const sameStatus =
    record.status === before.status &&
    record.closedReason === before.closedReason &&
    record.blockedReason === before.blockedReason;
  return {
    ...(record.title === before.title ? {} : { title: record.title }),
    ...(record.body === before.body ? {} : fieldsOfBody(record.body)),
    ...(record.type === before.type ? {} : { issue_type: record.type }),
    ...(record.priority === before.priority ? {} : { priority: record.priority }),
    ...(JSON.stringify(record.labels) === JSON.stringify(before.labels) ? {} : { labels: record.labels }),
    ...(sameStatus ? {} : statusFields(record)),
    ...(record.owner === undefined ? {} : { assignee: record.owner.name }),
  };
}

/** undefined takes a field of the old line away. */
function statusFields({ status, closedReason, blockedReason, updatedAt }: WorkItemRecord): Fields {
  const isClosed = status === "closed";
  return {
    status,
    closed_at: isClosed ? timeText(updatedAt) : undefined,
    close_reason: isClosed ? closedReason : undefined,
    deleted_at: undefined,
    ...defined({ blocked_reason: blockedReason }),
  };
}

async function changedLinks(
  record: WorkItemRecord,
  issue: Issue,
  links: readonly IssueLink[],
  workItems: WorkItemRepository,
): Promise<Fields> {
  const present = new Set(links.map(textOfLink));
  const old = new Set<string>();
  for (const link of linksOfIssue(issue))
    if (present.has(textOfLink(link)) || (await couldBeMade(link, record, workItems))) old.add(textOfLink(link));
  if (old.size === present.size && [...old].every((link) => present.has(link))) return {};
  const kept = (issue.dependencies ?? []).filter(({ depends_on_id: other, type }) => {
    const kind = kindOfDependency(type);
    const text = kind && textOfLink({ kind, other });
    return text === undefined || !old.has(text) || present.has(text);
  });
  const added = links.filter((link) => !old.has(textOfLink(link))).map((link) => dependency(record, link));
  return { dependencies: [...kept, ...added] };
}

async function linksOf(record: WorkItemRecord, workItems: WorkItemRepository): Promise<readonly IssueLink[]> {
  const named: [LinkKind, readonly WorkItemId[]][] = [
    ["blocks", record.dependsOn],
    ["relates", record.relatesTo],
    ["discovered-from", record.discoveredFrom],
    ["parent", record.parent === undefined ? [] : [record.parent]],
  ];
  const links: IssueLink[] = [];
  for (const [kind, ids] of named)
    for (const id of ids) links.push({ kind, other: (await workItems.find(id))?.externalId ?? id });
  return links;
}

/** Not one whose other end never came, nor one that was refused because it leads round: those stay in the line. */
async function couldBeMade(
  { kind, other: key }: IssueLink,
  { id, project }: WorkItemRecord,
  workItems: WorkItemRepository,
): Promise<boolean> {
  const own = await workItems.find(key as WorkItemId);
  const other = own?.project === project ? own : await workItems.findByExternalId(project, key);
  if (other === undefined || other.id === id) return false;
  return (kind !== "blocks" && kind !== "parent") || !(await closesCycle(kind, id, other.id, workItems));
}

const typeOf: Readonly<Record<LinkKind, string>> = {
  blocks: "blocks",
  relates: "related",
  "discovered-from": "discovered-from",
  parent: "parent-child",
};

function dependency({ id, externalId, updatedAt }: WorkItemRecord, { kind, other }: IssueLink): Fields {
  return {
    issue_id: externalId ?? id,
    depends_on_id: other,
    type: typeOf[kind],
    created_at: timeText(updatedAt),
    created_by: "sylk",
  };
}

function textOfLink({ kind, other }: IssueLink): string {
  return `${kind} ${other}`;
}

function timeText(at: number): string {
  return new Date(at).toISOString(); // clock-exempt: writes a recorded time as text
}
