/** `health.report`: what a client, hook or agent says of its own parts. */
import type { Caller, InputOf, OutputOf } from "../../contract/index.ts";
import type { ReportedAgent } from "./report.ts";
import type { HealthTracker } from "./tracker.ts";

export function reportOutcomes(
  { reports }: InputOf<"health.report">,
  caller: Caller,
  tracker: HealthTracker,
): OutputOf<"health.report"> {
  tracker.report(
    ...reports.map(({ agent, ...report }) => ({
      ...report,
      agent: agentOf(agent, caller),
      project: caller.project?.id,
    })),
  );
  return { counted: reports.length, incidents: tracker.incidents().length };
}

/** A name is taken as it is: sub-agents that are not registered fail too. */
function agentOf(named: string | undefined, caller: Caller): ReportedAgent | undefined {
  const own = caller.kind === "agent" ? caller.agent : undefined;
  if (named === undefined || named === own?.id || named === own?.name)
    return own === undefined ? undefined : { id: own.id, name: own.name };
  return { id: named, name: named };
}
