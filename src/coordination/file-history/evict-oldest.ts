/** The bound by size: the oldest versions go first, until the packs that are left are well below it. */
import type { Store } from "../../platform/store/index.ts";
import type { FileHistoryRepositories } from "./ports.ts";

const leftShare = 0.9;
const mostAtOnce = 500;

export async function evictOldest(
  maxBytes: number,
  store: Pick<Store<FileHistoryRepositories>, "transact">,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    const done = await store.transact("file-history", async ({ fileVersions }) => {
      const bytes = (await fileVersions.packs()).reduce((sum, pack) => sum + pack.bytes, 0);
      if (bytes <= (isFirst ? maxBytes : maxBytes * leftShare)) return true;
      return (await fileVersions.removeOldest(mostAtOnce)) === 0;
    });
    if (done) return;
  }
}
