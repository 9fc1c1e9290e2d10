/**
 * One attempt, inside its transaction: every blocker is examined, then one row is written.
 *
 *   an own hold that meets it -> renewed (it has all of it) or widened (it takes the rest with it): never a second row
 *   none                      -> granted
 */
import {
  DomainError,
  reservation as contract,
  type AgentCaller,
  type Forecast,
  type InputOf,
  type OutputOf,
} from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { viewHolder } from "../registry/index.ts";
import { overlap } from "../globs/index.ts";
import { renewCluster } from "./cluster.ts";
import { behind, heldBy } from "./conflict.ts";
import { compilePath, compileStored } from "./covered-paths.ts";
import { issued } from "./fencing.ts";
import { endReservation } from "./end-reservation.ts";
import { findOverlaps } from "./find-overlaps.ts";
import { interestMs } from "./first-blocker.ts";
import type { ReservationPorts, ReservationSettings, ReservationTx } from "./ports.ts";
import { viewReservation } from "./reservation-view.ts";
import { couldBlock, willCollide } from "./rivals.ts";
import type { ReservationRecord } from "./store.ts";
import type { LinePlace, Waiter } from "./wait-line.ts";

type Wanted = InputOf<"reservation.acquire">;
type Answer = OutputOf<"reservation.acquire">;
export type Attempt = {
  readonly wanted: Wanted;
  readonly waiter: Waiter;
  readonly caller: AgentCaller;
  readonly settings: ReservationSettings;
  /** Where it stood in line, if it did. */
  readonly place: LinePlace | undefined;
};
/** The reservation as it would be after this attempt. */
type Terms = Pick<ReservationRecord, "paths" | "patterns" | "mode" | "scope" | "ttlMs">;

export async function grantOrWiden(attempt: Attempt, tx: ReservationTx, ports: ReservationPorts): Promise<Answer> {
  const { caller, wanted, settings } = attempt;
  const own = await ownHolds(caller, tx, ports);
  const held = own.live.find((record) => meets(record, attempt));
  const terms = held === undefined ? freshTerms(wanted, settings) : widened(held, wanted);
  if (terms === undefined) return { reservation: await renewed(held!, wanted, own.live, tx, ports), forecasts: [] };
  const forecasts = await clearTheWay(attempt, terms, own.justLapsed, tx, ports);
  refuseHoarding(own.live, held, terms, caller, settings);
  const record =
    held === undefined
      ? await grant(attempt, terms, tx, ports)
      : await widen(held, terms, attempt, own.live, tx, ports);
  for (const { other, overlap: path } of forecasts)
    await tx.events.append(
      record.project,
      contract.ReservationForecast.of(record.id, {
        reservation: viewReservation(record, ports.leases),
        other: viewReservation(other, ports.leases),
        overlap: path,
      }),
    );
  return { reservation: viewReservation(record, ports.leases), forecasts: forecasts.map(({ shown }) => shown) };
}

/** Expired holds are ended on the way; for a while their holder goes before those who wait. */
async function ownHolds(caller: AgentCaller, tx: ReservationTx, ports: ReservationPorts) {
  const standing = await tx.reservations.liveOf(caller.project.id, caller.agent.id);
  const live = standing.filter((record) => ports.leases.isLive(record));
  const over = standing.filter((record) => !live.includes(record));
  const justLapsed = over.filter((record) => ports.leases.graceLeftMs(record) > 0);
  for (const record of over) await endReservation(record, "expired", tx, ports);
  return { live, justLapsed };
}

function meets(record: ReservationRecord, { waiter, caller }: Attempt): boolean {
  if (record.tree !== caller.tree) return false;
  return compileStored(record).some((held) => waiter.covered.some((one) => overlap(held, one) !== undefined));
}

function freshTerms({ paths, patterns, mode, scope, ttlMs }: Wanted, settings: ReservationSettings): Terms {
  return { paths, patterns, mode, scope, ttlMs: ttlMs ?? settings.ttlMs };
}

/** Undefined when it has everything already. */
function widened(held: ReservationRecord, wanted: Wanted): Terms | undefined {
  const patterns = [...new Set([...held.patterns, ...wanted.patterns])];
  const covered = compileStored(held);
  const missing = wanted.paths.filter((path) => {
    const one = compilePath(path, held.tree);
    return !covered.some((other) => overlap(other, one) !== undefined);
  });
  const paths = [...new Set([...held.paths, ...missing])];
  const mode = held.mode === "exclusive" || wanted.mode === "exclusive" ? "exclusive" : "shared";
  const scope = held.scope === "repository" || wanted.scope === "repository" ? "repository" : "tree";
  const ttlMs = longerLimit(held, wanted);
  const same =
    paths.length === held.paths.length &&
    patterns.length === held.patterns.length &&
    mode === held.mode &&
    scope === held.scope;
  return same ? undefined : { paths, patterns, mode, scope, ttlMs };
}

type Foreseen = { readonly other: ReservationRecord; readonly overlap: string; readonly shown: Forecast };

async function clearTheWay(
  { waiter, caller, place }: Attempt,
  { paths, patterns, mode, scope }: Terms,
  justLapsed: readonly ReservationRecord[],
  tx: ReservationTx,
  ports: ReservationPorts,
): Promise<readonly Foreseen[]> {
  const claimant = { ...waiter, mode, scope, covered: compileStored({ paths, patterns, tree: caller.tree }) };
  const foreseen: Foreseen[] = [];
  for await (const found of findOverlaps(caller.project.id, claimant.covered, tx.reservations)) {
    const { record: other, witness } = found;
    const blocks = couldBlock(other, claimant);
    if (!blocks && !willCollide(other, claimant)) continue;
    if (blocks && ports.leases.isLive(other)) ports.leases.contest(other, interestMs);
    if (!ports.leases.isLive(other)) await endReservation(other, "expired", tx, ports);
    else if (blocks) throw await heldBy(found, tx, ports);
    else foreseen.push({ other, overlap: witness, shown: await forecastOf(other, witness, tx, ports) });
  }
  const ahead = place === undefined ? ports.line.aheadOf(waiter) : place.ahead();
  const goesFirst = justLapsed.some((record) =>
    compileStored(record).some((held) => waiter.covered.some((one) => overlap(held, one) !== undefined)),
  );
  if (ahead !== undefined && !goesFirst) throw behind(ahead);
  return foreseen;
}

async function forecastOf(
  { id, holder, tree }: ReservationRecord,
  overlap: string,
  { agents }: ReservationTx,
  { liveness }: ReservationPorts,
): Promise<Forecast> {
  return { reservation: id, holder: viewHolder((await agents.find(holder.id))!, liveness), tree, overlap };
}

async function grant(
  { wanted, caller, place }: Attempt,
  terms: Terms,
  tx: ReservationTx,
  ports: ReservationPorts,
): Promise<ReservationRecord> {
  const token = await tx.reservations.nextFencingToken(caller.project.id);
  const record: ReservationRecord = {
    ...terms,
    id: ports.ids.next("rsv"),
    project: caller.project.id,
    tree: caller.tree,
    holder: caller.agent,
    ...defined({ reason: wanted.reason }),
    fencingToken: token,
    tokens: [issued(token, terms)],
    acquiredAt: ports.clock.now(),
    waitedMs: waited(place, ports).waitedMs ?? 0,
    takenBack: 0,
    endedAt: undefined,
    endedBy: undefined,
  };
  await tx.reservations.insert(record);
  ports.leases.grant(record);
  const reservation = viewReservation(record, ports.leases);
  await tx.events.append(
    record.project,
    contract.ReservationAcquired.of(record.id, { reservation, ...waited(place, ports) }),
  );
  return record;
}

async function widen(
  held: ReservationRecord,
  terms: Terms,
  { wanted, place }: Attempt,
  own: readonly ReservationRecord[],
  tx: ReservationTx,
  ports: ReservationPorts,
): Promise<ReservationRecord> {
  // Another agent may have held some of these paths since its grant: the token has to be newer than that agent's.
  const fencingToken = await tx.reservations.nextFencingToken(held.project);
  const reason = wanted.reason ?? held.reason;
  const waitedMs = held.waitedMs + (waited(place, ports).waitedMs ?? 0);
  const record: ReservationRecord = {
    ...held,
    ...terms,
    fencingToken,
    tokens: [...held.tokens, issued(fencingToken, terms)],
    waitedMs,
    ...defined({ reason }),
  };
  await tx.reservations.widen(record);
  renewCluster(record, own, ports.leases);
  const reservation = viewReservation(record, ports.leases);
  await tx.events.append(
    record.project,
    contract.ReservationWidened.of(record.id, { reservation, ...waited(place, ports) }),
  );
  return record;
}

/** A longer time limit is taken over, so that it also holds after a restart; a shorter one takes nothing away. */
async function renewed(
  held: ReservationRecord,
  wanted: Wanted,
  own: readonly ReservationRecord[],
  tx: ReservationTx,
  { leases }: ReservationPorts,
): Promise<Answer["reservation"]> {
  const record = { ...held, ttlMs: longerLimit(held, wanted) };
  if (record.ttlMs !== held.ttlMs) await tx.reservations.widen(record);
  renewCluster(record, own, leases);
  return viewReservation(record, leases);
}

function longerLimit(held: ReservationRecord, { ttlMs = 0 }: Wanted): number {
  return Math.max(held.ttlMs, ttlMs);
}

function waited(place: LinePlace | undefined, { clock }: ReservationPorts): { readonly waitedMs?: number } {
  return place === undefined ? {} : { waitedMs: Math.round(clock.monotonic() - place.joinedAt) };
}

function refuseHoarding(
  own: readonly ReservationRecord[],
  held: ReservationRecord | undefined,
  terms: Terms,
  { agent }: AgentCaller,
  { maxPerAgent }: ReservationSettings,
): void {
  const used = own.reduce((count, record) => count + sizeOf(record), 0);
  const wanted = used - (held === undefined ? 0 : sizeOf(held)) + sizeOf(terms);
  if (wanted <= maxPerAgent || wanted === used) return;
  throw new DomainError(
    "reservation.limit",
    `${agent.name} already holds ${used} of ${maxPerAgent} paths; release some first, for example ${own[0]?.id ?? "none"}`,
    { details: { limit: maxPerAgent, used, held: own.map(({ id }) => id) } },
  );
}

function sizeOf({ paths, patterns }: Pick<Terms, "paths" | "patterns">): number {
  return paths.length + patterns.length;
}
