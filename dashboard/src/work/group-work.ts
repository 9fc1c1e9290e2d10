/**
 * The board: which column an item is in, which items are asked for, and in which order.
 *
 * Invariant: each item is in exactly one column.
 */
import type { OutputOf } from "../daemon/contract.ts";

export type ListedWork = OutputOf<"work-item.list">["items"][number];

export const columns = ["ready", "blocked", "in_progress", "stuck", "closed"] as const;
export type Column = (typeof columns)[number];
export const columnNames: Readonly<Record<Column, string>> = {
  ready: "Ready",
  blocked: "Blocked",
  in_progress: "In progress",
  stuck: "Stuck",
  closed: "Closed",
};

/** `unclosed`: ids of all items that are not closed. A dependency that is not among them is closed. */
export function columnOf(item: ListedWork, unclosed: ReadonlySet<string>): Column {
  if (item.status === "closed") return "closed";
  if (item.stuck !== undefined) return "stuck";
  if (item.status === "in_progress") return "in_progress";
  if (item.status === "blocked") return "blocked";
  return item.dependsOn.some((id) => unclosed.has(id)) ? "blocked" : "ready";
}

export function unclosedIds(items: readonly ListedWork[]): ReadonlySet<string> {
  return new Set(items.filter(({ status }) => status !== "closed").map(({ id }) => id));
}

export function groupWork(
  items: readonly ListedWork[],
  unclosed: ReadonlySet<string>,
): Readonly<Record<Column, readonly ListedWork[]>> {
  const groups: Record<Column, ListedWork[]> = { ready: [], blocked: [], in_progress: [], stuck: [], closed: [] };
  for (const item of items) groups[columnOf(item, unclosed)].push(item);
  for (const column of columns) groups[column].sort(column === "closed" ? byNewestChange : byUrgency);
  return groups;
}

function byNewestChange(a: ListedWork, b: ListedWork): number {
  return b.updatedAt - a.updatedAt || compareText(a.id, b.id);
}

/** The most urgent first; of two equally urgent ones the older. */
function byUrgency(a: ListedWork, b: ListedWork): number {
  return a.priority - b.priority || a.createdAt - b.createdAt || compareText(a.id, b.id);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const priorities = ["urgent", "high", "normal", "low", "someday"] as const;

export function priorityWord(priority: number): string {
  return priorities[priority] ?? String(priority);
}

export type WorkFilter = {
  readonly text?: string | undefined;
  readonly label?: string | undefined;
  readonly owner?: string | undefined;
  readonly priority?: string | undefined;
};

/** All words of the text occur in title, body, id, type or labels. The owner "none" finds items without one. */
export function filterWork(items: readonly ListedWork[], filter: WorkFilter): readonly ListedWork[] {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(
    (item) =>
      (!filter.label || item.labels.includes(filter.label)) &&
      (!filter.priority || String(item.priority) === filter.priority) &&
      (!filter.owner || (item.owner?.name ?? "none") === filter.owner) &&
      hasWords(item, words),
  );
}

function hasWords({ title, body = "", id, type, labels }: ListedWork, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const whole = [title, body, id, type, ...labels].join("\n").toLowerCase();
  return words.every((word) => whole.includes(word));
}

export const sortKeys = ["priority", "title", "state", "owner", "age", "changed"] as const;
export type SortKey = (typeof sortKeys)[number];

/** `sort` as the address has it: a key, with a minus before it for the other direction. */
export function orderWork(
  items: readonly ListedWork[],
  sort: string,
  unclosed: ReadonlySet<string>,
): readonly ListedWork[] {
  const isBackwards = sort.startsWith("-");
  const key = sortKeys.find((one) => one === sort.replace("-", "")) ?? "priority";
  const compare = comparisonBy(key, unclosed);
  const ordered = [...items].sort((a, b) => compare(a, b) || byUrgency(a, b));
  return isBackwards ? ordered.reverse() : ordered;
}

function comparisonBy(key: SortKey, unclosed: ReadonlySet<string>): (a: ListedWork, b: ListedWork) => number {
  switch (key) {
    case "priority":
      return (a, b) => a.priority - b.priority;
    case "title":
      return (a, b) => a.title.localeCompare(b.title, "en");
    case "state":
      return (a, b) => columns.indexOf(columnOf(a, unclosed)) - columns.indexOf(columnOf(b, unclosed));
    case "owner":
      return (a, b) => compareText(a.owner?.name ?? "\uffff", b.owner?.name ?? "\uffff");
    case "age":
      return (a, b) => a.createdAt - b.createdAt;
    case "changed":
      return (a, b) => b.updatedAt - a.updatedAt;
  }
}
