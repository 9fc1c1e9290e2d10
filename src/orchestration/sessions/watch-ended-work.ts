/** Reports when a run or graph may have ended, because its session may then no longer count towards the limit. */
import type { LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";

/** Returns a function that stops watching. */
export function watchEndedWork(bus: Pick<Bus<LogEvent>, "subscribe">, onEnded: () => void): () => void {
  const stops = [
    bus.subscribe("event.run.status-changed", onEnded),
    // A graph's event has a status only when the graph changed, not just one of its nodes.
    bus.subscribe("event.dag.changed", ({ data }) => {
      if (data.status !== undefined) onEnded();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
