/**
 * The protocol between a daemon and a run's worker, over the worker's one channel. Provider keys travel only here.
 *
 *   worker ready -> recorded -> "go" with the work -> messages delivered to its roles, one call each -> stop
 *
 * The worker has no token. In the daemon it acts as the Engineer of the node it works on.
 */
import type {
  LoadedFact,
  Message,
  MessageOf,
  MessageType,
  NodeId,
  OperationName,
  RawInputOf,
  RoleName,
  Run,
  SkillBudget,
} from "../../contract/index.ts";
import type { CodeQuestion } from "../../knowledge/code-index/index.ts";
import type { ProcessIdentity } from "../executors/index.ts";
import type { Answer } from "../guide/index.ts";
import type { ModelRetry, ProviderConfig, TokenUsage } from "../models/index.ts";
import type { Frame } from "./channel.ts";
import type { SandboxTerms } from "./sandbox-terms.ts";
import type { RunRecord } from "./store.ts";

/** What a worker needs for any node of its run. */
export type RunWork = {
  readonly run: RunRecord;
  readonly provider: { readonly config: ProviderConfig; readonly apiKey: string | undefined } | undefined;
  /** The effect of a peer's blocking finding on an Engineer: its model is told, or its work ends. */
  readonly onBlockingFinding: "tell" | "end";
  /** Commands of the user's own settings for checks; empty where they name none. */
  readonly ownChecks: { readonly test: string; readonly lint: string };
  /** Interval of the heartbeat. */
  readonly beatMs: number;
  readonly workspaces: string;
  /** Folders of skill files: in the user's tree, because Engineers write to the run's tree. */
  readonly skillPlaces: { readonly tree: string; readonly user: string };
  readonly sandbox: SandboxTerms;
  /** All keys that the daemon knows, so that the worker can redact them. */
  readonly secrets: readonly string[];
};

/** A fact of an attempt. It is recorded when the call has returned. */
export type RunFact =
  | { readonly kind: "model"; readonly model: string; readonly label: string | undefined }
  /** A model call failed and is repeated after a pause. */
  | ({ readonly kind: "retry"; readonly role: string; readonly node: NodeId | undefined } & ModelRetry)
  | { readonly kind: "process"; readonly process: ProcessIdentity; readonly running: boolean }
  | {
      readonly kind: "skills";
      readonly role: string;
      readonly node: NodeId | undefined;
      readonly loaded: readonly LoadedFact[];
      readonly tooLarge: readonly string[];
      readonly budget: SkillBudget;
      readonly problems: readonly string[];
    };

export type Asked = {
  readonly from: RoleName;
  readonly to: RoleName;
  readonly type: MessageType;
  readonly payload: Message["payload"];
  readonly parent: Message["id"] | undefined;
  readonly deadlineMs: number;
};

export type Spent = {
  readonly role: string;
  readonly node: NodeId | undefined;
  readonly model: string;
  readonly usage: TokenUsage | undefined;
};

/** Operations that an Engineer may call through its worker. */
export const engineerOperations = [
  "reservation.acquire",
  "reservation.renew",
  "finding.list",
] as const satisfies readonly OperationName[];
export type EngineerOperation = (typeof engineerOperations)[number];

export type CommandQuestion = {
  readonly argv: readonly string[];
  /** The node whose Engineer asks. */
  readonly node?: NodeId | undefined;
  /** The reason why it would run without a sandbox. */
  readonly unsandboxed?: string | undefined;
};

export type DaemonMethods = {
  /** Sends a message of a role in the worker through the Guide. */
  readonly ask: { readonly input: Asked; readonly output: MessageOf };
  readonly record: { readonly input: RunFact; readonly output: void };
  /** Reports the cost of a model's answer. Before the first answer, it only asks about the budget. */
  readonly spend: {
    readonly input: Spent | undefined;
    /** The reason why the budget allows no further call; undefined within the budget. */
    readonly output: string | undefined;
  };
  /** Asks the user to approve exactly this command. */
  readonly approve: { readonly input: CommandQuestion; readonly output: boolean };
  readonly act: {
    readonly input: { readonly node: NodeId; readonly operation: EngineerOperation; readonly input: unknown };
    readonly output: unknown;
  };
  readonly report: { readonly input: RawInputOf<"health.report">["reports"]; readonly output: void };
  /** Asks the code index about the run's tree. */
  readonly code: { readonly input: { readonly name: CodeQuestion; readonly input: object }; readonly output: object };
  /** Calls a skill of the Librarian on the run's tree. */
  readonly librarian: { readonly input: { readonly skill: string; readonly input: unknown }; readonly output: unknown };
  readonly show: { readonly input: undefined; readonly output: Run };
};

export type WorkerMethods = {
  readonly deliver: { readonly input: MessageOf; readonly output: Answer };
};

export type ToWorker = { readonly kind: "go"; readonly work: RunWork } | { readonly kind: "stop" } | Frame;
export type ToDaemon = { readonly kind: "ready" } | { readonly kind: "beat" } | Frame;
