/** Components with their counters and latencies; the failing ones first. Nothing measured is said as such. */
import type { ReactNode } from "react";
import type { OutputOf } from "../daemon/contract.ts";
import { TimeAgo } from "../parts/time-ago.tsx";
import { orderComponents } from "./order-components.ts";

type Component = OutputOf<"health.show">["components"][number];

export function ComponentTable({ components }: { readonly components: readonly Component[] }): ReactNode {
  if (components.length === 0)
    return <p className="quiet">Nothing has reported yet: the state of hooks and tools is not known.</p>;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Components">
      <table>
        <thead>
          <tr>
            <th scope="col">Component</th>
            <th scope="col">For</th>
            <th scope="col">Calls</th>
            <th scope="col">Failures</th>
            <th scope="col">Timeouts</th>
            <th scope="col">Without protection</th>
            <th scope="col">p95</th>
            <th scope="col">Longest</th>
            <th scope="col">Last report</th>
          </tr>
        </thead>
        <tbody>
          {orderComponents(components).map((component) => (
            <ComponentRow key={`${component.kind} ${component.name} ${component.agent ?? ""}`} component={component} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ComponentRow({ component }: { readonly component: Component }): ReactNode {
  const { kind, name, agent, calls, failures, timeouts, degraded, unguarded, latency, lastError, lastReportAt } =
    component;
  return (
    <tr>
      <th scope="row">
        {name} <span className="quiet">{kind}</span>
        {lastError === undefined ? null : <span className="last-error">{lastError}</span>}
      </th>
      <td>{agent}</td>
      <td className="number">{calls}</td>
      <td className={failures > 0 ? "number bad" : "number"}>{failures}</td>
      <td className={timeouts > 0 ? "number bad" : "number"}>{timeouts}</td>
      <td className={degraded + unguarded > 0 ? "number bad" : "number"}>{degraded + unguarded}</td>
      <td className="number">{latency === undefined ? "not measured" : `${Math.round(latency.p95Ms)} ms`}</td>
      <td className="number">{latency === undefined ? "" : `${Math.round(latency.maxMs)} ms`}</td>
      <td>
        <TimeAgo at={lastReportAt} />
      </td>
    </tr>
  );
}
