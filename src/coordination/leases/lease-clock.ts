/**
 * When holds end, on the monotonic clock of this daemon's life. `expiresAt` is only a projection for people.
 *
 *   what happens            uncontested hold                    contested hold (an agent waits for it)
 *   an edit                 patience from now on                the same, within the limit below
 *   another sign of life    one time limit from now on          nothing
 *   nothing                 ends when patience has run out      ends then, or `contestedMaxMs` after the first who waited
 *
 * Patience is the time limit, or as long as the holder has been editing, up to `maxTtlMs`: who has worked on a file for ten
 * minutes may think for ten. A hold this daemon has not seen edited counts as edited at the daemon's start: downtime is no
 * silence. A grant is entered while its transaction runs, so that the next member of the same group already sees it; an
 * entry whose transaction was rolled back names a hold that cannot be looked up.
 */
import type { AgentId, ReservationId } from "../../contract/index.ts";
import type { Clock } from "../../platform/clock/index.ts";

export type Lease = {
  readonly id: ReservationId;
  readonly ttlMs: number;
  readonly holder: { readonly id: AgentId };
  readonly endedAt?: number | undefined;
};

export type LeaseRules = {
  /** Most patience that editing can earn. */
  readonly maxTtlMs: number;
  /** How long after its end a hold that ran out may be taken back by its holder. */
  readonly graceMs: number;
  /** How much longer a hold may last at most once an agent waits for it. */
  readonly contestedMaxMs: number;
  /** Without it only edits keep a hold. */
  readonly signsOfLifeRenew: boolean;
};

export type LeaseClock = {
  grant(lease: Lease): void;
  edit(lease: Lease): void;
  /** Another agent wants it, at least until then. */
  contest(lease: Lease, forMs: number): void;
  /** Its holder is gone, and processes of it are left: it ends then, until its holder edits again. */
  holdBack(lease: Lease, forMs: number): void;
  isHeldBack(id: ReservationId): boolean;
  /** It was given back or taken: no grace. */
  end(id: ReservationId): void;
  /** It ran out and was ended for that. */
  lapse(lease: Lease): void;
  leftMs(lease: Lease): number;
  isLive(lease: Lease): boolean;
  expiresAt(lease: Lease): number;
  /** How long its holder may still take it back after it ran out; 0 when it may not. */
  graceLeftMs(lease: Lease): number;
  readonly graceMs: number;
};

type Entry = {
  readonly grantedAt: number;
  readonly editedAt: number;
  readonly contested: { readonly since: number; readonly until: number } | undefined;
  readonly heldBackUntil?: number | undefined;
};
type Ports = {
  readonly clock: Clock;
  readonly liveness: { silenceMs(agent: AgentId): number };
  readonly rules: LeaseRules;
};

export function createLeaseClock({ clock, liveness, rules }: Ports): LeaseClock {
  const startedAt = clock.monotonic();
  const unseen: Entry = { grantedAt: startedAt, editedAt: startedAt, contested: undefined };
  const entries = new Map<ReservationId, Entry>();
  const lapsed = new Map<ReservationId, number>();
  const entryOf = (id: ReservationId): Entry => entries.get(id) ?? unseen;

  function endOf(lease: Lease): number {
    const { grantedAt, editedAt, contested, heldBackUntil } = entryOf(lease.id);
    if (heldBackUntil !== undefined) return heldBackUntil;
    const now = clock.monotonic();
    const byEdits = editedAt + Math.max(lease.ttlMs, Math.min(rules.maxTtlMs, editedAt - grantedAt));
    if (contested !== undefined && contested.until > now)
      return Math.min(byEdits, contested.since + rules.contestedMaxMs);
    const heardAt = now - liveness.silenceMs(lease.holder.id);
    return rules.signsOfLifeRenew ? Math.max(byEdits, heardAt + lease.ttlMs) : byEdits;
  }
  const leftMs = (lease: Lease): number => endOf(lease) - clock.monotonic();

  function forgetOldLapses(): void {
    const now = clock.monotonic();
    for (const [id, at] of lapsed) {
      if (at + rules.graceMs > now) return; // the rest ran out later
      lapsed.delete(id);
    }
  }

  return {
    grant({ id }) {
      const now = clock.monotonic();
      lapsed.delete(id);
      entries.set(id, { grantedAt: now, editedAt: now, contested: undefined });
    },
    edit({ id }) {
      entries.set(id, { ...entryOf(id), editedAt: clock.monotonic(), heldBackUntil: undefined });
    },
    holdBack({ id }, forMs) {
      entries.set(id, { ...entryOf(id), heldBackUntil: clock.monotonic() + forMs });
    },
    isHeldBack: (id) => entries.get(id)?.heldBackUntil !== undefined,
    contest({ id }, forMs) {
      const now = clock.monotonic();
      const { contested, ...entry } = entryOf(id);
      const since = contested !== undefined && contested.until >= now ? contested.since : now;
      entries.set(id, { ...entry, contested: { since, until: Math.max(contested?.until ?? 0, now + forMs) } });
    },
    end(id) {
      entries.delete(id);
      lapsed.delete(id);
    },
    lapse(lease) {
      forgetOldLapses();
      lapsed.set(lease.id, Math.min(clock.monotonic(), endOf(lease)));
      entries.delete(lease.id);
    },
    leftMs,
    isLive: (lease) => leftMs(lease) > 0,
    expiresAt: (lease) => clock.now() + Math.max(0, leftMs(lease)),
    graceMs: rules.graceMs,
    graceLeftMs(lease) {
      const endedAt = lease.endedAt === undefined ? endOf(lease) : lapsed.get(lease.id);
      return endedAt === undefined ? 0 : Math.max(0, endedAt + rules.graceMs - clock.monotonic());
    },
  };
}
