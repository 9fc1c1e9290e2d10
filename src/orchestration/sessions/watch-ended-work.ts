/** A run or graph that changed its status may have ended: the room of its session is free then. */
import type { LogEvent } from "../../contract/index.ts";
import type { Bus } from "../../platform/bus/index.ts";

/** Returns the way to stop watching. */
export function watchEndedWork(bus: Pick<Bus<LogEvent>, "subscribe">, onEnded: () => void): () => void {
  const stops = [
    bus.subscribe("event.run.status-changed", onEnded),
    // An event of a graph names a status only when the graph's own status changed, not one of its nodes.
    bus.subscribe("event.dag.changed", ({ data }) => {
      if (data.status !== undefined) onEnded();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
