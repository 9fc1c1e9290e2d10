/**
 * The situation in one line: who else is here, what is unresolved, and what could not be found out. One wording for
 * session start, `sylk who` and `sylk status`. "No other agents" is said only after the daemon has looked.
 *
 * Loads no schema library: commands that are asked hundreds of times a day use it.
 */
export type Situation = {
  /** Names of the other live agents; `unknown` says why the daemon could not look. */
  readonly others: readonly string[] | { readonly unknown: string };
  /** Summaries of unresolved incidents. */
  readonly incidents: readonly string[];
  /** Why agents are not kept apart now. */
  readonly notEnforced?: string | undefined;
};

const mostNames = 5;

export function situationLine({ others, incidents, notEnforced }: Situation): string {
  return [
    agentsText(others),
    ...(notEnforced === undefined ? [] : [notEnforcedText(notEnforced)]),
    ...(incidents.length === 0 ? [] : [incidentsText(incidents)]),
  ].join("; ");
}

export function agentsText(others: Situation["others"]): string {
  if ("unknown" in others) return `who else is here is unknown: ${others.unknown}`;
  if (others.length === 0) return "no other agents";
  const rest = others.length > mostNames ? ` and ${others.length - mostNames} more` : "";
  return `${others.length} other ${others.length === 1 ? "agent" : "agents"}: ${others.slice(0, mostNames).join(", ")}${rest}`;
}

export function notEnforcedText(why: string): string {
  return `coordination is NOT enforced: ${why}`;
}

export function incidentsText(incidents: readonly string[]): string {
  if (incidents.length === 0) return "none";
  const [first] = incidents;
  const rest = incidents.length > 1 ? ` (and ${incidents.length - 1} more)` : "";
  return `${incidents.length} unresolved ${incidents.length === 1 ? "incident" : "incidents"}: ${first}${rest}; "sylk health" has the details`;
}
