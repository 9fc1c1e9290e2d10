/** The bound by size: the oldest versions go first, until the packs that are left are well below it. */
import type { Store } from "../../platform/store/index.ts";
import type { FileHistoryRepositories } from "./ports.ts";

/** So that the next version does not meet the bound again at once. */
const leftShare = 0.9;

export async function evictOldest(
  maxBytes: number,
  store: Pick<Store<FileHistoryRepositories>, "transact">,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const isDone = await store.transact("file-history", async ({ fileVersions }) => {
      const bytes = (await fileVersions.packs()).reduce((sum, pack) => sum + pack.bytes, 0);
      if (bytes <= (isFirst ? maxBytes : maxBytes * leftShare)) return true;
      // Half of what seems too much: versions differ in size, and an old content may be needed by a new version.
      const share = (1 - (maxBytes * leftShare) / bytes) / 2;
      return (await fileVersions.removeOldest(Math.ceil((await fileVersions.count()) * share))) === 0;
    });
    if (isDone) return;
  }
}
