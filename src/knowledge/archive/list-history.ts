/** History by page and words. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { ArchiveRepository } from "./store.ts";

type Ports = { readonly store: Store<{ readonly archive: ArchiveRepository }> };

export async function listHistory(
  { query = "", cursor, limit }: InputOf<"history.list">,
  caller: Caller,
  { store }: Ports,
): Promise<OutputOf<"history.list">> {
  const words = query.split(/\s+/).filter(Boolean);
  const found = await store.reader.archive.list({
    project: caller.project?.id,
    words,
    before: cursor,
    limit: limit + 1,
  });
  const items = found.slice(0, limit);
  return found.length > limit ? { items: [...items], nextCursor: items.at(-1)!.id } : { items: [...items] };
}
