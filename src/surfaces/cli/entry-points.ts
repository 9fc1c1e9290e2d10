/** How commands reach the composition roots: main.ts plugs them in, so that no surface imports them. */
import type { DomainError } from "../../contract/errors.ts";
import type { SettingFlags } from "../../platform/config/index.ts";
import type { HomePaths } from "../../platform/home/index.ts";
import type {
  CallSessionField,
  Comparison,
  InputOf,
  InstallScope,
  LedgerReport,
  OperationName,
  OutputOf,
  Rhythm,
  SessionVariable,
  SimulationReport,
  SimulationTerms,
  ToolReport,
} from "../../contract/index.ts";

export type ServeTerms = {
  readonly paths: HomePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: SettingFlags;
  /** Runs as soon as the home is locked, and may refuse to continue. */
  readonly onLocked?: () => void;
  /** The program that a hook starts when this daemon is gone; undefined where a service manager does. */
  readonly startedBy?: { readonly node: string; readonly script: string };
};
export type RunningDaemon = { readonly url: string | null; readonly stopped: Promise<void>; stop(): void };

export type EntryPoints = {
  /** A daemon's life. */
  serve(terms: ServeTerms): Promise<RunningDaemon>;
  /** A worker's life; started by the daemon, never by a person. */
  work(): Promise<void>;
  /** How a command knows the client session it runs in. */
  readonly sessionVariables: readonly SessionVariable[];
  readonly callSessionFields: readonly CallSessionField[];
  /** What can be installed into clients. */
  clients(): Promise<ClientInstaller>;
  /** The store of a home without a daemon. */
  store(): Promise<StoppedStore>;
  /** What clients wrote down themselves; needs no daemon. */
  ledger: StandaloneLedger;
  /** The tools of a folder; needs no daemon and no home. */
  tools: StandaloneTools;
  /** Questions about code, answered by this process. */
  codeIndex: StandaloneCodeIndex;
  /** When a process started, as the kernel tells it; undefined when none has this pid. */
  startTimeOf(pid: number): Promise<string | undefined>;
  /** The load model; needs no daemon and no home. */
  simulation(): Promise<Simulation>;
};

export type StandaloneCodeIndex = <Name extends Extract<OperationName, `code.${string}`>>(
  name: Name,
  input: InputOf<Name>,
  terms: { readonly paths: HomePaths; readonly env: Readonly<Record<string, string | undefined>> },
) => Promise<OutputOf<Name>>;

export type StandaloneLedger = (
  input: InputOf<"ledger.show">,
  terms: { readonly paths: HomePaths; readonly env: Readonly<Record<string, string | undefined>> },
) => Promise<LedgerReport>;

export type StandaloneTools = (
  input: InputOf<"tool.discover">,
  terms: { readonly paths: HomePaths; readonly env: Readonly<Record<string, string | undefined>> },
) => Promise<ToolReport>;

export type Simulation = {
  readonly rhythms: Readonly<Record<string, Rhythm>>;
  simulate(terms: SimulationTerms, watching: Watching): Promise<SimulationReport>;
  compare(terms: SimulationTerms, watching: Watching): Promise<Comparison>;
};
type Watching = { readonly onProgress: (share: number) => void; readonly signal: AbortSignal };
export type InstallTerms = {
  readonly scope: InstallScope;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: HomePaths;
  readonly followLinks?: boolean;
  readonly agentsMd?: "always" | "where-found";
};
export type InstallPlan = {
  readonly steps: readonly {
    readonly file: string;
    readonly action: "create" | "change" | "remove";
    readonly what: string;
  }[];
  readonly notes: readonly string[];
  /** What its user must still do before it guards. */
  readonly pending?: readonly string[];
  /** Why it may not be applied. */
  readonly refusal?: DomainError | undefined;
  apply(): void;
};
export type ClientInstaller = {
  readonly names: readonly string[];
  /** Undefined for a client that is not known. */
  plan(kind: "install" | "uninstall", client: string, terms: InstallTerms): InstallPlan | undefined;
  /** Everything that was installed from this home, brought up to this version. */
  planUpgrade(terms: Pick<InstallTerms, "env" | "paths">): InstallPlan;
  examine(terms: Pick<InstallTerms, "env" | "paths">): {
    readonly installed: number;
    readonly troubles: readonly string[];
    readonly obstacles: readonly string[];
    /** Clients whose shell commands start with our prefix, and those without one. */
    readonly prefixed: readonly string[];
    readonly unprefixed: readonly string[];
  };
  /** A real trial on this machine. */
  tryConfinement(paths: HomePaths): Promise<TrialResult>;
  trySandbox(terms: { readonly network: boolean }): Promise<TrialResult>;
};
export type TrialResult =
  | { readonly enforced: true; readonly by: string }
  | { readonly enforced: false; readonly reason: string };

/** Undefined when a daemon holds the home's lock. Refusals are thrown; every one leaves the store as it was. */
export type StoppedStore = {
  backup(
    home: HomePaths,
    file: string | undefined,
  ): { readonly file: string; readonly bytes: number; readonly at: number } | undefined;
  restore(
    home: HomePaths,
    file: string,
  ): { readonly kept: { readonly file: string; readonly sound: boolean } | undefined } | undefined;
  inspect(home: HomePaths): { readonly bytes: number; readonly schema: number; readonly pending: number };
  inspectBackup(file: string): { readonly bytes: number; readonly schema: number; readonly pending: number };
  /** Newest first. */
  backups(home: HomePaths): readonly { readonly file: string; readonly at: number }[];
  copy(from: string, to: string): { readonly file: string; readonly bytes: number };
};

let plugged: EntryPoints | undefined;

export function plugEntryPoints(entryPoints: EntryPoints): void {
  plugged = entryPoints;
}

export function entryPoints(): EntryPoints {
  if (plugged === undefined) throw new Error("main.ts did not plug in the entry points");
  return plugged;
}
