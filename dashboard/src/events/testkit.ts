/** Events for tests. */
import type { LogEvent } from "../daemon/contract.ts";

export function logEvent(sequence: number, given: Partial<Record<keyof LogEvent, unknown>> = {}): LogEvent {
  return {
    sequence,
    id: `evt_${sequence}`,
    type: "agent.changed",
    version: 1,
    project: "prj_1",
    subject: "agt_1",
    at: 1_700_000_000_000 + sequence,
    data: {},
    ...given,
  } as LogEvent;
}
