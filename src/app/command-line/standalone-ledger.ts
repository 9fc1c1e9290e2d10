/** The composition root of `sylk cost` where no daemon runs: clients' own records, read for this one answer. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises"; // clock-exempt: takes no time, lets others have their turn
import { clientUsages } from "../../adapters/client-usages/index.ts";
import { usageSources } from "../../adapters/transcripts/index.ts";
import { messageOf } from "../../contract/errors.ts";
import {
  listedPrices,
  memoryLedger,
  readPrices,
  type PriceLists,
  showLedger,
  ingestUsage,
} from "../../oversight/ledger/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import type { StandaloneLedger } from "../../surfaces/cli/index.ts";

const withoutDaemon =
  'no daemon runs: own runs and work items are not taken into account ("sylk up" starts one, which also remembers what clients sweep away)';

export const standaloneLedger: StandaloneLedger = async (input, { paths, env }) => {
  const ledger = memoryLedger();
  const missing = [withoutDaemon];
  const prices = await pricesOf(paths);
  await ingestUsage({
    reader: ledger,
    change: (work) => work(ledger),
    ...usageSources(clientUsages, env),
    now: () => 0, // this ledger is not kept
    onFailed: (source, error) => missing.push(`${source}: ${messageOf(error)}`),
  });
  return showLedger(input, {
    reader: ledger,
    prices,
    workItemOf: () => undefined,
    missing,
    pause: () => setImmediate(),
  });
};

/** The user's prices go first. */
export async function pricesOf({ home }: Pick<HomePaths, "home">): Promise<PriceLists> {
  const file = join(home, "prices.yaml");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return [listedPrices];
  return [await readPrices(text, file), listedPrices];
}
