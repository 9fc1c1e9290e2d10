/**
 * When a server that ended by itself may be started again: after 1, 2, 4, … seconds; after five ends in a row not for ten
 * minutes. One that worked for a minute begins anew.
 */
export type RestartTerms = {
  readonly firstWaitMs: number;
  readonly mostWaitMs: number;
  readonly mostCrashes: number;
  readonly givenUpMs: number;
  /** A server that lived so long is not one that crashes at once. */
  readonly steadyMs: number;
};
export const restartTerms: RestartTerms = {
  firstWaitMs: 1_000,
  mostWaitMs: 60_000,
  mostCrashes: 5,
  givenUpMs: 600_000,
  steadyMs: 60_000,
};

/** The crashes in a row with this one, and how long to leave the server alone. */
export function afterCrash(
  crashesBefore: number,
  livedMs: number,
  terms: RestartTerms,
): { readonly crashes: number; readonly waitMs: number; readonly isGivenUp: boolean } {
  const crashes = (livedMs >= terms.steadyMs || crashesBefore >= terms.mostCrashes ? 0 : crashesBefore) + 1;
  const isGivenUp = crashes >= terms.mostCrashes;
  const waitMs = isGivenUp ? terms.givenUpMs : Math.min(terms.mostWaitMs, terms.firstWaitMs * 2 ** (crashes - 1));
  return { crashes, waitMs, isGivenUp };
}
