/**
 * The audit of privileged acts: `tx.audit.append(…)` in the act's own transaction, one call per act.
 *
 *   tx.audit.append(draft) -> COMMIT -> head file -> … -> verifyChain(reader, head file)
 *
 * Invariant: sequences are 1, 2, 3 … without a gap, and every row carries the hash of the row before. Rows are never
 * removed, also not by retention or a purge.
 */
import type { AuditActor, AuditDraft, AuditEntry, Caller } from "../../contract/index.ts";
import type { Clock } from "../clock/index.ts";
import type { ChainRow } from "./chain.ts";

/** Where a chain ends. */
export type ChainEnd = { readonly sequence: number; readonly hash: string };

export type AuditQuery = {
  /** An action, or the noun of several. */
  readonly action: string | undefined;
  readonly since: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
};

export type AuditRepository = {
  append(draft: AuditDraft): Promise<AuditEntry>;
  /** Newest first. */
  page(query: AuditQuery): Promise<readonly AuditEntry[]>;
  /** Rows exactly as they are stored, in order; without `after` from the very first, whatever its sequence. */
  rows(after: number | undefined, limit: number): Promise<readonly ChainRow[]>;
  end(): Promise<ChainEnd | undefined>;
};

export type AuditPorts = {
  readonly clock: Pick<Clock, "now">;
  /** Takes secrets out of details. */
  readonly clean: <T>(value: T) => T;
  /** After the commit, in order. */
  readonly onAppended: (entry: AuditEntry) => void;
};

export const theDaemon: AuditActor = { kind: "daemon" };

export function actorOf(caller: Caller): AuditActor {
  return caller.kind === "user" ? { kind: "user" } : { kind: "agent", id: caller.agent.id, name: caller.agent.name };
}
