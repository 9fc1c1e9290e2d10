/** The ports of the run operations. */
import type { Caller, OutputOf } from "../../contract/index.ts";
import type { CheckedChange } from "../../coordination/branches/index.ts";
import type { ProjectRepository } from "../../coordination/registry/index.ts";
import type { AuditRepository } from "../../platform/audit/index.ts";
import type { Clock } from "../../platform/clock/index.ts";
import type { IdSource } from "../../platform/ids/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { GraphHost } from "../graphs/index.ts";
import type { KnownReviewer } from "../guide/index.ts";
import type { SessionRepository, WorkspacePort } from "../sessions/index.ts";
import type { RunTx } from "./store.ts";

export type RunRepositories = RunTx & {
  readonly projects: ProjectRepository;
  readonly sessions: SessionRepository;
  readonly audit: AuditRepository;
};
export type ModelChoice = { readonly provider: string | undefined; readonly rehearse: string | undefined };
export type MergeChange = (
  change: Omit<CheckedChange, "record"> & { readonly record: (commit: string, tx: RunRepositories) => Promise<void> },
  by: { readonly caller: Caller; readonly signal: AbortSignal | undefined },
) => Promise<Pick<OutputOf<"branch.merge">, "commit" | "paths" | "told">>;
export type RunPorts = {
  readonly store: Store<RunRepositories>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Pick<Log, "error">;
  readonly host: GraphHost<RunRepositories>;
  /** Throws when the limit of sessions is reached. */
  readonly sessionRoom?: (tx: RunRepositories) => Promise<void>;
  /** Reviewers from plugins of the project's live agents. */
  readonly reviewersAt?: (projectPath: string) => Promise<readonly KnownReviewer[]>;
  readonly workspaces: WorkspacePort;
  /** Merges a checked commit into the user's tree, in its turn. */
  readonly mergeChange: MergeChange;
  /** What the user has to know about the sandbox of the run's commands; undefined where they are sandboxed. */
  readonly sandboxNotice?: () => Promise<string | undefined>;
  /** Throws when no model is available: no provider, no key, or an unreadable scenario. */
  readonly checkModel: (choice: ModelChoice) => Promise<void>;
  /** Variables that commands of a run get, of those the caller's shell has. */
  readonly commandEnvironment: (given: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
};
