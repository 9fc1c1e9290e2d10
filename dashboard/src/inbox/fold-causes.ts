/** Items of the inbox that one decision settles, or that have one cause, together: the oldest of each group speaks. */
import type { InboxItem } from "../daemon/contract.ts";

export type InboxGroup = { readonly key: string; readonly items: readonly InboxItem[] };

/**
 * Same kind, same run and same question: asked again by another node, or by several agents. Holds that one agent asks for
 * with one reason have one cause too.
 */
export function foldCauses(items: readonly InboxItem[]): readonly InboxGroup[] {
  const groups = new Map<string, InboxItem[]>();
  for (const item of items) {
    const key = [item.kind, item.project, item.run ?? "", ...causeOf(item)].join("\0");
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const oldest = ({ createdAt }: InboxItem, other: InboxItem): number => createdAt - other.createdAt;
  return [...groups.values()]
    .map((group) => group.toSorted(oldest))
    .toSorted(([a], [b]) => oldest(a!, b!))
    .map((group) => ({ key: group[0]!.id, items: group }));
}

function causeOf({ kind, question, by, details }: InboxItem): readonly string[] {
  return kind === "hold" && details.length > 0 ? [by, ...details] : [question];
}
