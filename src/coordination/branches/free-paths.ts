/**
 * The paths that a merge changes in a working tree have to be free, since it overwrites them.
 *
 *   held by another live agent -> refused, with the holder -> with time to wait: each holder is asked once, then looked again
 *
 * A hold of the merging agent's own session does not count. A hold that begins while git moves the files is not waited for:
 * its holder is told of the merge.
 */
import { DomainError, type AgentCaller, type ReservationId } from "../../contract/index.ts";
import { defined } from "../../platform/defined.ts";
import { canBeHeld, literal } from "../globs/index.ts";
import { othersHolds } from "../guard/index.ts";
import type { MailRepository } from "../mail/index.ts";
import type { AgentCall } from "../../platform/operations/index.ts";
import { askForRelease, type ReservationPorts, type ReservationRepositories } from "../reservations/index.ts";
import type { MergePlace } from "./ports.ts";

export type Refused = { readonly held: Held; readonly refusal: DomainError };
type Held = { readonly paths: readonly string[]; readonly reservations: readonly ReservationId[] };
type Call = AgentCall<ReservationRepositories & { readonly mail: MailRepository }>;

const mostNamed = 20;
/** A hold may end between the look and the wait. */
const lookAgainMs = 1_000;

/** The refusal, and what is held; undefined where all paths are free. */
export async function refuseHeld(
  changed: readonly string[],
  { tree, branch, into }: MergePlace,
  caller: AgentCaller,
  ports: ReservationPorts,
): Promise<Refused | undefined> {
  if (tree === undefined) return undefined;
  const { taken, cause } = await othersHolds(changed.filter(canBeHeld), undefined, { ...caller, tree }, ports);
  if (cause === undefined) return undefined;
  const paths = taken.map(({ path }) => path);
  const more = paths.length === 1 ? "" : ` (and ${paths.length - 1} more of its files are held)`;
  const refusal = new DomainError(
    "reservation.conflict",
    `${branch} is not merged into ${into}: ${cause.message}${more}. Nothing was moved. With --wait the merge asks for it and waits`,
    {
      details: { ...cause.details, branch, into, paths: paths.slice(0, mostNamed) },
      ...defined({ retryAfterMs: cause.retryAfterMs }),
      cause,
    },
  );
  return { held: { paths, reservations: [...new Set(taken.map(({ reservation }) => reservation!))] }, refusal };
}

/** Asks each holder that was not asked before, and returns when it is worth looking again. */
export async function waitForHolders(
  { paths, reservations }: Held,
  { branch, into }: MergePlace,
  { leftMs, asked }: { readonly leftMs: number; readonly asked: Set<ReservationId> },
  call: Call,
  ports: ReservationPorts,
): Promise<void> {
  ports.liveness.touch(call.caller.agent.id);
  for (const id of reservations) {
    if (asked.has(id)) continue;
    asked.add(id);
    const reason = `to merge ${branch} into ${into}`;
    await askForRelease({ id, urgency: "normal", reason }, call, ports).catch(unlessEnded);
  }
  const covered = paths.map((path) => literal(path));
  await ports.line.noticed(covered, Math.min(leftMs, lookAgainMs), call.signal);
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof DomainError && ["lost", "not-found"].includes(error.family))) throw error;
}
