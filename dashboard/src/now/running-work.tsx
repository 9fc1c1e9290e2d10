/** Runs and graphs that are under way. */
import type { ReactNode } from "react";
import { useLive } from "../live/live-context.tsx";
import { Answered, Empty, Section } from "../parts/section.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { Link } from "../shell/use-route.tsx";
import type { ProjectInView } from "../shell/use-project.ts";

const finished: ReadonlySet<string> = new Set(["verified", "unverified", "failed", "cancelled", "succeeded"]);

export function RunningWork({ project }: { readonly project: ProjectInView | undefined }): ReactNode {
  const runs = useLive("run.list", { limit: 100 }, { project });
  const graphs = useLive("dag.list", { limit: 100 }, { project }).data?.items ?? [];
  return (
    <Answered answer={runs}>
      {({ items }) => {
        const underWay = items.filter(({ status }) => !finished.has(status));
        const graphsUnderWay = graphs.filter(({ status }) => !finished.has(status));
        const recent = items.find(({ status }) => finished.has(status));
        return (
          <Section title="Running work" count={underWay.length + graphsUnderWay.length}>
            {underWay.length + graphsUnderWay.length > 0 ? null : (
              <Empty command='sylk run "…"'>
                No run is under way.{" "}
                {recent === undefined ? null : (
                  <>
                    The last one, <Link to={{ page: "runs", id: recent.id }}>{recent.request}</Link>, is{" "}
                    {recent.status}.
                  </>
                )}
              </Empty>
            )}
            <ul className="rows">
              {underWay.map(({ id, request, status, nodes, updatedAt }) => (
                <li key={id}>
                  <Link to={{ page: "runs", id }} className="row-title">
                    {request}
                  </Link>
                  <StateMark state={status} />
                  <span className="quiet">
                    {nodes.succeeded} of {nodes.total} nodes
                  </span>
                  <TimeAgo at={updatedAt} />
                </li>
              ))}
              {graphsUnderWay.map(({ id, name, status, progress, updatedAt }) => (
                <li key={id}>
                  <Link to={{ page: "runs", id }} className="row-title">
                    {name}
                  </Link>
                  <StateMark state={status} />
                  <span className="quiet">
                    {progress.done} of {progress.total} nodes
                  </span>
                  <TimeAgo at={updatedAt} />
                </li>
              ))}
            </ul>
          </Section>
        );
      }}
    </Answered>
  );
}
