/** The ports of the gate watch. */
import type { LogEvent } from "../../contract/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Bus } from "../../platform/bus/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { FindingRepositories } from "../findings/index.ts";
import type { GatePasses, ToolCalls } from "../guard/index.ts";
import type { LeaseClock } from "../leases/index.ts";

export type BranchTip = {
  readonly branch: string;
  readonly commit: string;
  /** The working tree that has it checked out; undefined where none has. */
  readonly tree: string | undefined;
};
/** `at` is when it was made. */
export type BroughtCommit = { readonly commit: string; readonly at: number; readonly paths: readonly string[] };
/** off: it was installed, and git does not run it; `why` in a few words. absent: it is not installed. */
export type GateState = { readonly state: "on" | "absent" } | { readonly state: "off"; readonly why: string };

/** What the gate watch asks git; `tree` is any working tree of the repository. `adapters/git` implements it. */
export type BranchHistory = {
  tips(tree: string): Promise<readonly BranchTip[]>;
  /**
   * Commits that a branch got by moving, without merges and without those at the known tips or of a remote; of each the paths
   * that really changed on the branch.
   */
  brought(tree: string, move: BranchMove): Promise<readonly BroughtCommit[]>;
  /** Commits of a branch since a time, likewise. */
  since(tree: string, tip: string, at: number): Promise<readonly BroughtCommit[]>;
  gate(tree: string): Promise<GateState>;
};
export type BranchMove = {
  readonly from: string | undefined;
  readonly to: string;
  readonly known: readonly string[];
};

export type BranchWatcher = {
  /** In place of what was watched before; answers with what cannot be watched, a sentence each. */
  watch(trees: readonly string[]): Promise<readonly string[]>;
  stop(): void;
};

export type GateWatchPorts = {
  readonly store: Store<FindingRepositories & { readonly audit: AuditRepository }>;
  readonly bus: Bus<LogEvent>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly host: string;
  readonly leases: LeaseClock;
  readonly calls: Pick<ToolCalls, "inTree">;
  readonly passes: Pick<GatePasses, "take">;
  readonly branches: BranchHistory;
  /** `onMoved` is told the tree whose repository may have moved a branch or changed its hooks. */
  readonly openWatcher: (onMoved: (tree: string) => void) => BranchWatcher;
  /** Whether guard.watch is on there. */
  readonly isOn: (tree: string) => Promise<boolean>;
  readonly onWatched: (troubles: readonly string[]) => void;
  readonly onFailed: (error: unknown) => void;
};
