/** Artifacts and log of one node, read from the event log. The newest lines first; older ones on request. */
import { type ReactNode, useMemo, useState } from "react";
import { useGraphEvents } from "../events/use-graph-events.ts";
import { Facts } from "../parts/facts.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { Link } from "../shell/use-route.tsx";
import type { Graph } from "./read-graph.ts";
import { namedTexts, readNodeLog } from "./read-node-log.ts";

const step = 30;

type NodeLogProps = {
  readonly graph: Graph;
  readonly node: string;
  /** Where the daemon tells them; otherwise they are in the answer to the node's dispatch. */
  readonly left?: Readonly<Record<string, unknown>> | undefined;
};

export function NodeLog({ graph, node, left }: NodeLogProps): ReactNode {
  const { events, isWhole, problem } = useGraphEvents(graph.id, graph);
  const { lines, artifacts: sent } = useMemo(() => readNodeLog(node, events), [node, events]);
  const artifacts = left === undefined ? sent : namedTexts(left);
  const [shown, setShown] = useState(step);
  const visible = lines.toReversed().slice(0, shown);
  return (
    <>
      <h3>Artifacts</h3>
      {artifacts.length === 0 ? (
        <p className="quiet">It has left none.</p>
      ) : (
        <Facts rows={artifacts.map(([name, value]) => [name, <code key={name}>{value}</code>])} />
      )}
      <h3>Log</h3>
      {problem === undefined ? null : (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {lines.length > 0 ? null : <p className="quiet">{isWhole ? "No event names it." : "Loading…"}</p>}
      <ul className="rows" aria-label="Log">
        {visible.map(({ key, sequence, at, text }) => (
          <li key={key}>
            <Link to={{ page: "events", id: String(sequence) }} className="task">
              {text}
            </Link>
            <TimeAgo at={at} />
          </li>
        ))}
      </ul>
      {lines.length > shown ? (
        <button type="button" onClick={() => setShown(shown + step)}>
          Show older lines
        </button>
      ) : null}
    </>
  );
}
