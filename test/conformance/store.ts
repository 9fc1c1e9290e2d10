/**
 * What every store must do, as tests: one suite, run against each implementation of the port.
 *
 *   storeConformance(openStore) -> groups, handles, effects, steps -> stray awaits -> failures -> random histories
 *
 * An implementation brings a scratch store with a `notes` repository and a second client of the same database.
 */
import type { ScratchStore } from "./scratch-store.ts";
import { failureRules } from "./store-failures.ts";
import { groupRules } from "./store-groups.ts";
import { historyRules } from "./store-histories.ts";
import { strayAwaitRules } from "./store-stray-awaits.ts";
import { transactionRules } from "./store-transactions.ts";

export function storeConformance(openStore: () => ScratchStore): void {
  groupRules(openStore);
  transactionRules(openStore);
  strayAwaitRules(openStore);
  failureRules(openStore);
  historyRules(openStore);
}
