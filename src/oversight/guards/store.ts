/** What is kept of guards: the overrides of now. */
import type { GuardName } from "../../contract/index.ts";

export type GuardOverride = { readonly guard: GuardName; readonly why: string; readonly until: number };

export type GuardRepository = {
  overrides(): Promise<readonly GuardOverride[]>;
  /** In place of an earlier one. */
  setOverride(override: GuardOverride): Promise<void>;
};
