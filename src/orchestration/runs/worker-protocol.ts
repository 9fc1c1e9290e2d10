/** What daemon and worker say to each other, over the worker's own channel; keys travel here and nowhere else. */
import type { Approval, Check, Finding, RunId } from "../../contract/index.ts";
import type { Lane } from "../../platform/pool/index.ts";
import type { ProviderConfig } from "../models/index.ts";
import type { JournalEntry } from "./journal.ts";
import type { NodeRow, RunRecord } from "./store.ts";

/** Everything a worker needs to go on with a run, as it stands in the store. */
export type RunWork = {
  readonly run: RunRecord;
  readonly nodes: readonly NodeRow[];
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  readonly approvals: readonly Approval[];
  readonly provider: { readonly config: ProviderConfig; readonly apiKey: string | undefined } | undefined;
  /** What a peer's blocking finding does to an Engineer: its model is told, or its work ends. */
  readonly onBlockingFinding: "tell" | "end";
  /** How often it says that it lives. */
  readonly beatMs: number;
  readonly socket: string;
  readonly userToken: string;
  readonly workspaces: string;
  /** Where files with skills may lie: in the user's tree, not in the run's, which Engineers write. */
  readonly skillPlaces: { readonly tree: string; readonly user: string };
  /** Every key the daemon knows, so that none of them reaches a model or the journal. */
  readonly secrets: readonly string[];
};

export type ToWorker =
  | { readonly kind: "go"; readonly work: RunWork }
  | { readonly kind: "recorded"; readonly id: number; readonly error?: string }
  | { readonly kind: "slot-granted"; readonly id: number }
  /** There is no room to wait either: ask again after a while. */
  | { readonly kind: "slot-refused"; readonly id: number; readonly retryAfterMs: number }
  | { readonly kind: "stop" };
export type ToDaemon =
  | { readonly kind: "ready" }
  | { readonly kind: "beat" }
  | { readonly kind: "record"; readonly id: number; readonly run: RunId; readonly entries: readonly JournalEntry[] }
  /** Whoever is to work waits for a slot of the daemon's pool; a worker that ends gives back all of its own. */
  | { readonly kind: "slot"; readonly id: number; readonly role: string; readonly lane: Lane }
  | { readonly kind: "slot-freed"; readonly id: number };
