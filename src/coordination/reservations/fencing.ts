/**
 * Fencing: a token proves one grant of one hold, for the paths it was issued for.
 *
 *   granted a        token 1   a
 *   widened by b     token 4   a, b      token 1 stays good for a
 *   anything else    2, 3, an ended or foreign hold, another path, another tree: refused as lost at every gate
 *
 * An agent that still works with a grant that has ended is told so, instead of being granted again.
 */
import { DomainError, type AgentCaller } from "../../contract/index.ts";
import { overlap } from "../globs/index.ts";
import type { LeaseClock } from "../leases/index.ts";
import { compilePath, compileStored, type Named } from "./covered-paths.ts";
import type { IssuedToken, ReservationRecord, ReservationRepository } from "./store.ts";

type Fenced = Named & { readonly fencingToken?: number | undefined };

/** A token for all that a hold has now. */
export function issued(token: number, { paths, patterns }: Named): IssuedToken {
  return { token, paths: paths.length, patterns: patterns.length };
}

/** Throws unless the token was issued for every one of the paths and patterns. Without a token nothing is claimed. */
export async function refuseToken(
  { fencingToken, paths, patterns }: Fenced,
  { agent, project, tree }: AgentCaller,
  { reservations }: { readonly reservations: ReservationRepository },
  { leases }: { readonly leases: LeaseClock },
): Promise<void> {
  if (fencingToken === undefined) return;
  const own = await reservations.liveOf(project.id, agent.id);
  const held = own
    .filter((record) => leases.isLive(record) && (record.tree === tree || record.scope === "repository"))
    .flatMap((record) => issuedFor(fencingToken, record) ?? []);
  const [proven] = held;
  if (proven === undefined)
    throw lost(
      `The grant with token ${fencingToken} has ended. Look at what has changed since, then reserve the paths again`,
      { fencingToken },
    );
  const covered = compileStored({ ...proven, tree });
  const isCovered = (one: string): boolean =>
    covered.some((held) => overlap(held, compilePath(one, tree)) !== undefined);
  const path = paths.find((one) => !isCovered(one)) ?? patterns.find((one) => !proven.patterns.includes(one));
  if (path === undefined) return;
  const named = [...proven.paths, ...proven.patterns].join(", ");
  throw lost(
    `Token ${fencingToken} was issued for ${named}, not for "${path}". Reserve "${path}" and use the token of that reservation, or leave the token out`,
    { fencingToken, path },
  );
}

function issuedFor(token: number, { tokens, paths, patterns }: ReservationRecord): Named | undefined {
  const found = tokens.find((one) => one.token === token);
  return found && { paths: paths.slice(0, found.paths), patterns: patterns.slice(0, found.patterns) };
}

function lost(message: string, details: Readonly<Record<string, unknown>>): DomainError {
  return new DomainError("lease.lost", message, { details });
}
