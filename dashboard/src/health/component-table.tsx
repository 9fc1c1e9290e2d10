/** Every component with what was reported of it. */
import type { ReactNode } from "react";
import { TimeAgo } from "../parts/time-ago.tsx";
import { type Component, latencyText, sortComponents, wrongIn } from "./sort-components.ts";

const columns = [
  "Component",
  "For",
  "Calls",
  "Failed",
  "Timed out",
  "Degraded",
  "Unguarded",
  "Mean",
  "p95",
  "Max",
  "Last report",
];

export function ComponentTable({ components }: { readonly components: readonly Component[] }): ReactNode {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Components table">
      <table className="numbers">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortComponents(components).map((component) => (
            <Row key={`${component.kind} ${component.name} ${component.agent ?? ""}`} component={component} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ component }: { readonly component: Component }): ReactNode {
  const { kind, name, agent, calls, failures, timeouts, degraded, unguarded, latency, lastError, lastReportAt } =
    component;
  return (
    <tr className={wrongIn(component) > 0 ? "wrong" : undefined}>
      <th scope="row">
        {name} <span className="quiet">{kind}</span>
        {lastError === undefined ? null : <span className="last-error">{lastError}</span>}
      </th>
      <td className="words">{agent ?? <span className="quiet">all</span>}</td>
      {[calls, failures, timeouts, degraded, unguarded].map((number, index) => (
        <td key={columns[index + 2]} className={index > 0 && number > 0 ? "bad-number" : undefined}>
          {number.toLocaleString("en")}
        </td>
      ))}
      {latency === undefined ? (
        <td colSpan={3} className="quiet">
          never measured
        </td>
      ) : (
        [latency.meanMs, latency.p95Ms, latency.maxMs].map((ms, index) => (
          <td key={columns[index + 7]}>{latencyText(ms)}</td>
        ))
      )}
      <td>
        <TimeAgo at={lastReportAt} />
      </td>
    </tr>
  );
}
